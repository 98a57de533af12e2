package ppi

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// oracles opens a file of the shared oracles, or skips the test.
func oracles(t *testing.T, name string) *os.File {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(dir, "oracles", "ppi", name))
	if err != nil {
		t.Skipf("the shared oracles are absent (%v): set ASSAY_SHARED", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// TestArena compares with the programs of debias-llm-as-a-judge (bd90caa) on real votes with the judgements of two
// models. Their joint estimates come from an optimiser that stops at a relative change of 1e-10 in the likelihood,
// about 1e-5 away from its maximum.
func TestArena(t *testing.T) {
	var raw []map[string]json.RawMessage
	fatal.If(t, json.NewDecoder(oracles(t, "arena_expected.json")).Decode(&raw))
	for _, c := range raw {
		var file string
		var labelled int
		var level float64
		for key, into := range map[string]any{"file": &file, "labelled": &labelled, "level": &level} {
			fatal.If(t, json.Unmarshal(c[key], into))
		}
		rows, err := csv.NewReader(oracles(t, file+".csv")).ReadAll()
		fatal.If(t, err)
		var s Sample
		for i, row := range rows[1:] {
			y, f := float64(row[0][0]-'0'), float64(row[1][0]-'0')
			if i < labelled {
				s.Human, s.Judged = append(s.Human, y), append(s.Judged, f)
			} else {
				s.Others = append(s.Others, f)
			}
		}
		for key, method := range map[string]Method{"rogan_gladen": RoganGladen} {
			var want map[string]float64
			fatal.If(t, json.Unmarshal(c[key], &want))
			e, err := Proportion(s, method, level)
			fatal.If(t, err)
			name := fmt.Sprintf("%s, %d rated, %s", file, labelled, method)
			near(t, name+": estimate", e.Value, want["theta"], 1e-8)
			near(t, name+": variance", e.SE*e.SE, want["var"], 1e-8)
			near(t, name+": lower", e.Interval.Low, want["ci_lower"], 1e-8)
			near(t, name+": upper", e.Interval.High, want["ci_upper"], 1e-8)
		}
		var want struct {
			Theta  float64 `json:"theta_hat"`
			LogLik float64
			SE     []any  `json:"se_obs"` // "NA" where the program failed
			CI     [2]any `json:"ci_theta_obs"`
		}
		fatal.If(t, json.Unmarshal(c["mle"], &want))
		name := fmt.Sprintf("%s, %d rated, joint", file, labelled)
		e, err := Proportion(s, Joint, level)
		se, ok := want.SE[0].(float64)
		if !ok { // the program found no maximum with a judge better than chance
			if !errors.Is(err, stats.ErrNoVariation) {
				t.Errorf("%s: %v, %v", name, e, err)
			}
			continue
		}
		fatal.If(t, err)
		near(t, name+": estimate", e.Value, want.Theta, 1e-5)
		if got := s.counts().logLikelihood(e.Value); got < want.LogLik-1e-8 {
			t.Errorf("%s: the log likelihood is %.12g, less than %.12g", name, got, want.LogLik)
		}
		near(t, name+": se", e.SE, se, 1e-5)
		near(t, name+": lower", e.Interval.Low, want.CI[0].(float64), 1e-5)
		near(t, name+": upper", e.Interval.High, want.CI[1].(float64), 1e-5)
	}
}

// TestReferenceProgram compares means, least squares and logistic regression with ppi_py (4b4879a). Its logistic regression
// stops where the loss changes by less than 1e-15 of it.
func TestReferenceProgram(t *testing.T) {
	unzipped, err := gzip.NewReader(oracles(t, "cases.jsonl.gz"))
	fatal.If(t, err)
	in := bufio.NewScanner(unzipped)
	in.Buffer(nil, 16<<20)
	kinds := map[Model]int{}
	for line := 1; in.Scan(); line++ {
		var c struct {
			What, Scale, Judge string
			Lam                any
			X                  [][]float64 `json:"X_labelled"`
			Human              []float64
			Judged             []float64   `json:"judge_labelled"`
			OtherX             [][]float64 `json:"X_unlabelled"`
			Others             []float64   `json:"judge_unlabelled"`
			Alpha, Null        float64
			Expected           struct{ Estimate, Lower, Upper, P any }
		}
		fatal.If(t, json.Unmarshal(in.Bytes(), &c))
		var rows []Row
		add := func(x [][]float64, human, judged []float64) {
			for i, f := range judged {
				row := Row{[]float64{1}, Rated{Human: math.NaN(), Judged: f}}
				if x != nil {
					row.X = x[i]
				}
				if human != nil {
					row.Human = human[i]
				}
				rows = append(rows, row)
			}
		}
		add(c.X, c.Human, c.Judged)
		add(c.OtherX, nil, c.Others)
		model := map[string]Model{"mean": Mean, "ols": OLS, "logistic": Logistic}[c.What]
		kinds[model]++
		lambda, given := c.Lam.(float64)
		if !given {
			lambda = Tuned
		}
		name := fmt.Sprintf("case %d, %s %s %s λ %v", line, c.What, c.Scale, c.Judge, c.Lam)
		list, err := model.Independent(rows, lambda, c.Null, 1-c.Alpha)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, e := range list {
			for what, got := range map[string]float64{"estimate": e.Value, "lower": e.Interval.Low, "upper": e.Interval.High, "p": e.P} {
				want := map[string]any{"estimate": c.Expected.Estimate, "lower": c.Expected.Lower, "upper": c.Expected.Upper, "p": c.Expected.P}[what]
				if all, several := want.([]any); several {
					want = all[i]
				}
				if want != nil {
					near(t, fmt.Sprintf("%s, coefficient %d: %s", name, i, what), got, want.(float64), 1e-8)
				}
			}
		}
	}
	fatal.If(t, in.Err())
	if len(kinds) < 3 {
		t.Errorf("the cases are %v", kinds)
	}
}

// TestPublishedExample: what the authors of debias-llm-as-a-judge print of Claude Opus 4 against Gemini 2.5 Pro, judged by
// GPT-4o-mini (docs/articles/real-data-example.html at 4b4879a): of 28 rated comparisons 4 are won, the judge has the
// specificity 21/24 and the sensitivity 1/4 there, and finds 40 wins in 248 others.
func TestPublishedExample(t *testing.T) {
	var s Sample
	for _, c := range []struct {
		n                 int
		people, judgement float64
	}{{1, 1, 1}, {3, 1, 0}, {3, 0, 1}, {21, 0, 0}} {
		for range c.n {
			s.Human, s.Judged = append(s.Human, c.people), append(s.Judged, c.judgement)
		}
	}
	for i := range 248 {
		s.Others = append(s.Others, map[bool]float64{true: 1}[i < 40])
	}
	for method, want := range map[Method][3]float64{RoganGladen: {0.062, 0, 1}, Joint: {0.145, 0.066, 0.291}} {
		e, err := Proportion(s, method, 0.9)
		fatal.If(t, err)
		for i, got := range []float64{e.Value, e.Interval.Low, e.Interval.High} {
			if math.Abs(got-want[i]) > 0.0005 {
				t.Errorf("%s: %v, printed are %v", method, []float64{e.Value, e.Interval.Low, e.Interval.High}, want)
			}
		}
	}
}

// logLikelihood is that of the joint model at prevalence θ and the sensitivity and specificity that follow from the
// share of ones and from people's proportions among items judged 1.
func (c counts) logLikelihood(theta float64) float64 {
	p := float64(c.n11+c.n01+c.t1) / float64(c.n11+c.n10+c.n01+c.n00+c.t0+c.t1)
	mu1 := float64(c.n11) / float64(c.n11+c.n01)
	sensitivity := p * mu1 / theta
	specificity := 1 - p*(1-mu1)/(1-theta)
	sum := 0.0
	for _, cell := range []struct {
		n int
		p float64
	}{{c.n11, theta * sensitivity}, {c.n10, theta * (1 - sensitivity)}, {c.n01, (1 - theta) * (1 - specificity)},
		{c.n00, (1 - theta) * specificity}, {c.t1, p}, {c.t0, 1 - p}} {
		if cell.n > 0 {
			sum += float64(cell.n) * math.Log(cell.p)
		}
	}
	return sum
}
