package codebleu

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/scoring/syntax"
)

func shared(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the shared data is not there: %v", err)
	}
	return dir
}

func close9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// TestReferenceCases has values printed by k4black/codebleu.
func TestReferenceCases(t *testing.T) {
	f, err := os.Open(filepath.Join(shared(t), "oracles", "codebleu_cases.jsonl"))
	fatal.If(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID            string   `json:"id"`
			Lang          string   `json:"lang"`
			References    []string `json:"references"`
			Hypothesis    string   `json:"hypothesis"`
			NGram         float64  `json:"ngram"`
			WeightedNGram float64  `json:"weighted_ngram"`
			Syntax        float64  `json:"syntax"`
			DataFlow      float64  `json:"dataflow"`
			Equal         float64  `json:"codebleu_25_25_25_25"`
			Tilted        float64  `json:"codebleu_10_10_40_40"`
		}
		fatal.If(t, json.Unmarshal(lines.Bytes(), &c))
		t.Run(c.ID, func(t *testing.T) {
			s, err := Compare(c.Lang, c.Hypothesis, c.References, Equal(), Reference)
			fatal.If(t, err)
			tilted, err := Compare(c.Lang, c.Hypothesis, c.References, Weights{0.1, 0.1, 0.4, 0.4}, Reference)
			fatal.If(t, err)
			for _, v := range []struct {
				name      string
				got, want float64
			}{
				{"ngram", s.NGram, c.NGram}, {"weighted_ngram", s.WeightedNGram, c.WeightedNGram}, {"syntax", s.Syntax, c.Syntax},
				{"dataflow", s.DataFlow, c.DataFlow}, {"equal", s.CodeBLEU, c.Equal}, {"tilted", tilted.CodeBLEU, c.Tilted},
			} {
				if !close9(v.got, v.want) {
					t.Errorf("%s is %.17g, want %.17g", v.name, v.got, v.want)
				}
			}
		})
	}
}

func TestDefaultMendsTheReference(t *testing.T) {
	compare := func(candidate, reference string) Score {
		t.Helper()
		s, err := Compare("python", candidate, []string{reference}, Equal(), Default)
		fatal.If(t, err)
		return s
	}
	same := compare("def g(n):\n    # é\n    s = 'é' + n\n    return s", "def g(n):\n    s = 'é' + n\n    return s")
	if !close9(same.CodeBLEU, 1) {
		t.Errorf("a comment makes a difference: %+v", same)
	}
	junk := compare("I cannot solve this task", "def f(a):\n    b = a\n    return b")
	if junk.DataFlow != 0 || junk.CodeBLEU > 0.1 {
		t.Errorf("no data flow at all scores: %+v", junk)
	}
	none := compare("pass", "pass")
	if none.HasDataFlow || !close9(none.CodeBLEU, 1) {
		t.Errorf("the weight of a data flow that no reference has is not shared out: %+v", none)
	}
	if once, twice := compare("f(1)", "f(1)\nf(1)"), compare("f(1)\nf(1)", "f(1)\nf(1)"); once.Syntax >= twice.Syntax {
		t.Errorf("one of two equal statements matches like both: %v, %v", once.Syntax, twice.Syntax)
	}
}

func TestNestedLoopsAreBounded(t *testing.T) {
	code := ""
	for i := range 60 {
		code += strings.Repeat(" ", i) + "while x:\n"
	}
	_, err := Compare("python", code+strings.Repeat(" ", 60)+"x = x + 1", []string{"x"}, Equal(), Default)
	if !errors.Is(err, syntax.ErrTooHard) {
		t.Error(err)
	}
}

func TestCompareRefuses(t *testing.T) {
	for _, tt := range []struct {
		language   string
		references []string
		weights    Weights
		want       error
	}{
		{"java", []string{"x"}, Equal(), errLanguage},
		{"python", nil, Equal(), errNoReferences},
		{"python", []string{"x"}, Weights{1, 1, 1, 1}, errWeights},
		{"python", []string{"x"}, Weights{-1, 1, 1, 0}, errWeights},
		{"python", []string{"x"}, Weights{math.NaN(), 1, 0, 0}, errWeights},
	} {
		if _, err := Compare(tt.language, "x", tt.references, tt.weights, Default); !errors.Is(err, tt.want) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// Statements are combined at random into programs, of which some do not parse.
var statements = []string{
	"x = 1", "y = x + 2", "def f(a, b=3):\n    return a + b", "for i in range(x):\n    y += i", "while x:\n    x -= 1", "if x:\n    y = 1\nelif y:\n    x = 2\nelse:\n    y = x",
	"a, b = b, a", "z = [v * 2 for v in y if v]", "'''doc'''", "# comment", "print('é', x)", "x: int", "def (:", "s = 'open", "with f() as g:\n    pass", "for in y: pass", "lambda q: q + x",
}

func program(t *rapid.T, name string) string {
	text := ""
	for _, s := range rapid.SliceOfN(rapid.SampledFrom(statements), 0, 8).Draw(t, name) {
		text += s + "\n"
	}
	return text
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		candidate, reference := program(t, "candidate"), program(t, "reference")
		for _, mode := range []Mode{Default, Reference} {
			s, err := Compare("python", candidate, []string{reference}, Equal(), mode)
			fatal.If(t, err)
			for _, v := range []float64{s.NGram, s.WeightedNGram, s.Syntax, s.DataFlow, s.CodeBLEU} {
				if !(v >= 0 && v <= 1+1e-12) {
					t.Fatalf("mode %v: %+v", mode, s)
				}
			}
		}
		if s, err := Compare("python", candidate, []string{candidate}, Equal(), Default); err != nil || s.Syntax != 1 || s.HasDataFlow && s.DataFlow != 1 {
			t.Fatalf("a program does not match itself: %+v, %v", s, err)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("def f(x):\n\treturn x", "'''", byte(1))
	f.Add("a = 'é\\\n b'", "for in y: é", byte(0))
	f.Fuzz(func(t *testing.T, candidate, reference string, mode byte) {
		s, err := Compare("python", candidate, []string{reference}, Equal(), Mode(mode%2))
		if err == nil && !(s.CodeBLEU >= 0 && s.CodeBLEU <= 1+1e-12) {
			t.Fatalf("%+v", s)
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	code := "def has_close_elements(numbers, threshold):\n    for i, a in enumerate(numbers):\n        for j, b in enumerate(numbers):\n            if i != j and abs(a - b) < threshold:\n                return True\n    return False\n"
	for b.Loop() {
		if _, err := Compare("python", code, []string{code}, Equal(), Default); err != nil {
			b.Fatal(err)
		}
	}
}
