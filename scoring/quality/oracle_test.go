package quality

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"assay/data/fatal"
)

// oracleCase is a record of complexity_cases.jsonl: the values of SonarQube's
// Python analyser, and those that eslint-plugin-sonarjs 4.2.2 prints.
type oracleCase struct {
	ID, Lang, Code string
	Sonar          struct {
		CyclomaticFile int `json:"cyclomatic_file"`
		CognitiveFile  int `json:"cognitive_file"`
		Functions      map[string]struct{ Cyclomatic, Cognitive int }
		Ncloc          int
		CommentLines   int     `json:"comment_lines"`
		CommentRate    float64 `json:"comment_rate"`
	}
	Cognitive, Cyclomatic []struct{ Line, Column, Value int }
}

func shared(t testing.TB, name string) *os.File {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = "../../../shared"
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("the shared oracles are absent (%v): set ASSAY_SHARED", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestComplexityOracle(t *testing.T) {
	lines := bufio.NewScanner(shared(t, "oracles/complexity_cases.jsonl"))
	lines.Buffer(nil, 1<<20)
	count := 0
	for lines.Scan() {
		var c oracleCase
		fatal.If(t, json.Unmarshal(lines.Bytes(), &c))
		count++
		t.Run(c.Lang+"/"+c.ID, func(t *testing.T) {
			m, err := Measure(c.Lang, []byte(c.Code))
			fatal.If(t, err)
			if c.Lang == "python" {
				comparePython(t, m, &c)
			} else {
				compareJavaScript(t, m, &c)
			}
		})
	}
	if count < 60 {
		t.Errorf("only %d cases", count)
	}
}

func comparePython(t *testing.T, m Measures, c *oracleCase) {
	want := c.Sonar
	if m.Cyclomatic != want.CyclomaticFile || m.Cognitive != want.CognitiveFile || m.CodeLines != want.Ncloc ||
		m.CommentLines != want.CommentLines || math.Abs(m.CommentRate-want.CommentRate) > 1e-9 || !m.Valid {
		t.Errorf("got %+v, want %+v", m, want)
	}
	if len(m.Functions) != len(want.Functions) {
		t.Errorf("functions %+v, want %+v", m.Functions, want.Functions)
	}
	for _, f := range m.Functions {
		if w := want.Functions[f.Name]; f.Cyclomatic != w.Cyclomatic || f.Cognitive != w.Cognitive {
			t.Errorf("%+v, want %+v", f, w)
		}
	}
}

func compareJavaScript(t *testing.T, m Measures, c *oracleCase) {
	cyclomatic, cognitive := 0, 0
	var wantCyclomatic, wantCognitive []int
	for _, v := range c.Cyclomatic {
		wantCyclomatic = append(wantCyclomatic, v.Value)
		cyclomatic += v.Value
	}
	for _, v := range c.Cognitive {
		wantCognitive = append(wantCognitive, v.Value)
		cognitive += v.Value
	}
	var gotCyclomatic, gotCognitive []int
	for _, f := range m.Functions {
		gotCyclomatic = append(gotCyclomatic, f.Cyclomatic)
		if f.Cognitive > 0 {
			gotCognitive = append(gotCognitive, f.Cognitive)
		}
	}
	equal := func(a, b []int) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	if !equal(gotCyclomatic, wantCyclomatic) || !equal(gotCognitive, wantCognitive) || m.Cyclomatic != cyclomatic || m.Cognitive != cognitive {
		t.Errorf("got %d %d %+v, want cyclomatic %v, cognitive %v", m.Cyclomatic, m.Cognitive, m.Functions, wantCyclomatic, wantCognitive)
	}
}
