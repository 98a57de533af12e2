package irt

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"assay/data/fatal"
)

// shared finds the folder with the oracles; without it the test is skipped.
func shared(t testing.TB, path ...string) string {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(append([]string{dir}, path...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skipf("the shared oracles are absent (%v): set ASSAY_SHARED", err)
	}
	return name
}

// parameters has the oracles' names.
type parameters struct {
	Theta, Delta, A []float64
	Objective       float64
	R2              float64
	Loss            float64
	Epochs          int
	RhoDelta        float64 `json:"rho_delta"`
	RhoTheta        float64 `json:"rho_theta"`
	RhoA            float64 `json:"rho_a"`
	RmseDelta       float64 `json:"rmse_delta"`
	RmseTheta       float64 `json:"rmse_theta"`
	RmseA           float64 `json:"rmse_a"`
}

// reference is a file of responses with parameters estimated by other programs.
type reference struct {
	Y         [][]float64 `json:"Y_items_by_resp"`
	Published parameters
	True      parameters
	Fit       map[string]parameters
}

func readReference(t testing.TB, name string) reference {
	t.Helper()
	f, err := os.Open(shared(t, "oracles", "beta3", name))
	fatal.If(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	fatal.If(t, err)
	var ref reference
	fatal.If(t, json.NewDecoder(z).Decode(&ref))
	return ref
}

// responses returns the reference's responses with a number of trials; 0 for none.
func (ref reference) responses(trials float64) Responses {
	return fromItems(ref.Y, trials)
}

// fromItems makes responses from one row for each item.
func fromItems(y [][]float64, trials float64) Responses {
	var r Responses
	for j := range y {
		r.Items = append(r.Items, "item "+strconv.Itoa(j+1))
	}
	for i := range y[0] {
		r.Respondents = append(r.Respondents, "respondent "+strconv.Itoa(i+1))
		row, counts := make([]float64, len(y)), make([]float64, len(y))
		for j := range y {
			row[j], counts[j] = y[j][i], trials
		}
		r.Scores = append(r.Scores, row)
		if trials > 0 {
			r.Trials = append(r.Trials, counts)
		}
	}
	return r
}

func rmse(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Sqrt(sum / float64(len(x)))
}
