package evaluations_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/report"
	"assay/session/report/evaluations"
)

// content returns the faults that are found without the files' sums.
func content(t *testing.T, dir string) (faults []string) {
	t.Helper()
	_, checks, err := evaluations.CheckFiles(os.DirFS(dir))
	if err != nil {
		return []string{err.Error()}
	}
	for _, c := range checks {
		if !strings.HasPrefix(c.Name, "Files are") {
			faults = append(faults, c.Faults...)
		}
	}
	return faults
}

// leaf is a number in report.json.
type leaf struct {
	path string
	set  func(float64)
	v    float64
}

func leaves(path string, node any, all *[]leaf) {
	switch node := node.(type) {
	case map[string]any:
		for name, v := range node {
			if n, is := v.(float64); is {
				*all = append(*all, leaf{path + "/" + name, func(x float64) { node[name] = x }, n})
			}
			leaves(path+"/"+name, v, all)
		}
	case []any:
		for i, v := range node {
			if n, is := v.(float64); is {
				*all = append(*all, leaf{fmt.Sprint(path, "/", i), func(x float64) { node[i] = x }, n})
			}
			leaves(fmt.Sprint(path, "/", i), v, all)
		}
	}
}

// Whatever number of a written report is changed, the content tells, even where the sums are made to fit; intervals are
// compared with nothing but their estimates.
func TestAnyNumberChanged(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	dir := written(t, build(t, two(), evaluations.Options{Tasks: eight()}))
	path := filepath.Join(dir, "report.json")
	text, err := os.ReadFile(path)
	fatal.If(t, err)
	var tree any
	fatal.If(t, json.Unmarshal(text, &tree))
	var all []leaf
	leaves("", tree, &all)
	slices.SortFunc(all, func(a, b leaf) int { return strings.Compare(a.path, b.path) })
	all = slices.DeleteFunc(all, func(l leaf) bool {
		for _, untold := range []string{"/interval/", "/checks/", "_on_these_tasks/", "/benchmark/", "/assay_batch_report"} {
			if strings.Contains(l.path, untold) {
				return true
			}
		}
		for _, untold := range []string{"/changed", "/forgeable_verdicts", "/repeated_calls", "/other_versions", "/tasks_without_samples"} {
			if strings.HasSuffix(l.path, untold) {
				return true
			}
		}
		return false
	})
	for range 40 {
		l := all[random.IntN(len(all))]
		l.set(l.v + 1)
		changed, err := json.Marshal(tree)
		l.set(l.v)
		fatal.If(t, err)
		fatal.If(t, os.WriteFile(path, changed, 0o644))
		if len(content(t, dir)) == 0 {
			t.Errorf("%s: %v instead of %v is not found", l.path, l.v+1, l.v)
		}
	}
}

// Cells that somebody writes anything into are faults, never a crash.
func TestAnyCellChanged(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 4))
	dir := written(t, build(t, two(), evaluations.Options{Tasks: eight()}))
	for range 150 {
		table := []string{"runs", "tasks", "samples"}[random.IntN(3)]
		path := filepath.Join(dir, report.DatasetFile(table))
		text, err := os.ReadFile(path)
		fatal.If(t, err)
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		fatal.If(t, err)
		row, column := rows[1+random.IntN(len(rows)-1)], random.IntN(len(rows[0]))
		was := row[column]
		row[column] = []string{"", "0", "1", "-7", "1e300", "NaN", "x", "=x", "accepted", "sandbox_error", "hard"}[random.IntN(11)]
		var b bytes.Buffer
		fatal.If(t, csv.NewWriter(&b).WriteAll(rows))
		fatal.If(t, os.WriteFile(path, b.Bytes(), 0o644))
		found := content(t, dir)
		if counts := slices.Contains([]string{"run", "task", "verdict", "passed", "scored", "n", "difficulty"}, rows[0][column]); counts && was != row[column] && len(found) == 0 {
			t.Errorf("%s: %s of %q in place of %q is not found", table, rows[0][column], row[column], was)
		}
		fatal.If(t, os.WriteFile(path, text, 0o644))
	}
}
