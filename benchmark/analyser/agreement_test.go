package analyser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring"
	"assay/scoring/quality"
	"assay/scoring/quality/rules"
	"assay/scoring/stats"
	"assay/scoring/syntax"
)

// TestAgreement compares the embedded rules with pylint and bandit over a folder of programs,
// $ASSAY_AGREEMENT, in which pylint.json and bandit.json are their output for all .py files. It prints
// tables, agreement and Cohen's kappa, and some disagreements for reading.
func TestAgreement(t *testing.T) {
	folder := os.Getenv("ASSAY_AGREEMENT")
	if folder == "" {
		t.Skip("compares analysers over a folder of programs: ASSAY_AGREEMENT=folder go test -v -run Agreement")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.py"))
	pylintFound, banditFound, unreadable := readStudy(t, folder)
	for _, c := range []struct {
		name  string
		d     quality.Dimension
		other map[string][]quality.Finding
		skip  map[string]bool
		sound bool // only programs that parse
	}{{"pylint", quality.Reliability, pylintFound, nil, false}, {"pylint", quality.Reliability, pylintFound, nil, true}, {"bandit", quality.Security, banditFound, unreadable, true}} {
		table := make([][]int, 5)
		for i := range table {
			table[i] = make([]int, 5)
		}
		exact, n := 0, 0
		neither := map[string]int{}
		cells := map[string]int{}
		var disagreements []string
		for _, file := range files {
			source := fatal.Read(t, file)
			tree, err := syntax.Parse("python", source)
			fatal.If(t, err)
			report := rules.Check(tree)
			base := filepath.Base(file)
			ours := report.Rating(c.d)
			if ours == scoring.NotAnalysed || c.skip[base] || c.sound && !report.Security {
				neither[fmt.Sprintf("ours %q, other not analysed: %v", ours, c.skip[base])]++
				continue
			}
			theirs, err := quality.Rate(c.other[base], c.d)
			fatal.If(t, err)
			n++
			table[ours[0]-'A'][theirs[0]-'A']++
			if ours == theirs {
				exact++
				continue
			}
			cell := fmt.Sprintf("%s:%s  ours %s | theirs %s", ours, theirs, names(report.Findings, c.d), names(c.other[base], c.d))
			cells[cell]++
			disagreements = append(disagreements, base+" "+cell)
		}
		fmt.Printf("\n%s, %s: %d programs, exact agreement %d = %.1f %%; not compared: %v\n", c.name, c.d, n, exact, 100*float64(exact)/float64(n), neither)
		fmt.Println("ours down, theirs across: A B C D E")
		for i, row := range table {
			fmt.Printf("  %c %v\n", 'A'+i, row)
		}
		for _, w := range []stats.Weighting{stats.Unweighted, stats.QuadraticWeights} {
			k, err := stats.CohenKappa(table, w, 0.95)
			fmt.Printf("  kappa (%v) %.3f, 95%% %.3f to %.3f; %v\n", w, k.Kappa, k.Interval.Low, k.Interval.High, err)
		}
		var order []string
		for cell := range cells {
			order = append(order, cell)
		}
		sort.Slice(order, func(i, j int) bool { return cells[order[i]] > cells[order[j]] })
		for _, cell := range order[:min(40, len(order))] {
			fmt.Printf("%5d %s\n", cells[cell], cell)
		}
		for i := 0; i < len(disagreements); i += max(1, len(disagreements)/25) {
			fmt.Println("  ", disagreements[i])
		}
	}
}

// names are the rules of findings of a dimension, each once.
func names(found []quality.Finding, d quality.Dimension) string {
	known := map[string]bool{}
	var list []string
	for _, f := range found {
		if f.Dimension == d && !known[f.Rule] {
			known[f.Rule] = true
			list = append(list, f.Rule)
		}
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

// readStudy reads the output of pylint and bandit for many files, and which files bandit was not able to
// read.
func readStudy(t *testing.T, folder string) (pylintFound, banditFound map[string][]quality.Finding, unreadable map[string]bool) {
	t.Helper()
	table := Builtin()
	pylintFound, banditFound, unreadable = map[string][]quality.Finding{}, map[string][]quality.Finding{}, map[string]bool{}
	each := func(name string, into func(dec *json.Decoder) error) {
		f, err := os.Open(filepath.Join(folder, name))
		fatal.If(t, err)
		defer f.Close()
		dec := json.NewDecoder(f)
		for dec.More() {
			if err := into(dec); err != nil {
				t.Fatal(name, err)
			}
		}
	}
	add := func(m map[string][]quality.Finding, analyser, file string, r raw) {
		found, err := table.rated(analyser, analyser, []raw{r})
		fatal.If(t, err)
		m[filepath.Base(file)] = append(m[filepath.Base(file)], found...)
	}
	each("pylint.json", func(dec *json.Decoder) error {
		var list []struct {
			ID   string `json:"message-id"`
			Path string `json:"path"`
			Line int    `json:"line"`
		}
		err := dec.Decode(&list)
		for _, m := range list {
			add(pylintFound, "pylint", m.Path, raw{rule: m.ID, line: m.Line})
		}
		return err
	})
	each("bandit.json", func(dec *json.Decoder) error {
		var said struct {
			Errors []struct {
				File string `json:"filename"`
			} `json:"errors"`
			Results []struct {
				File       string `json:"filename"`
				Severity   string `json:"issue_severity"`
				Confidence string `json:"issue_confidence"`
				Line       int    `json:"line_number"`
				ID         string `json:"test_id"`
			} `json:"results"`
		}
		err := dec.Decode(&said)
		for _, e := range said.Errors {
			unreadable[filepath.Base(e.File)] = true
		}
		for _, r := range said.Results {
			add(banditFound, "bandit", r.File, raw{r.ID, r.Severity, r.Confidence, r.Line, ""})
		}
		return err
	})
	return pylintFound, banditFound, unreadable
}
