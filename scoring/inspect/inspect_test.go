package inspect

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring"
	"assay/scoring/syntax"
)

const answer = `from typing import List

def has_close_elements(numbers: List[float], threshold: float) -> bool:
    """Check if two numbers are closer than the threshold."""
    for i, a in enumerate(numbers):
        for j, b in enumerate(numbers):
            # not with itself
            if i != j and abs(a - b) < threshold:
                return True
    return eval(input())
`

func TestSource(t *testing.T) {
	r, err := Source("python", []byte(answer))
	fatal.If(t, err)
	if !r.Valid || r.Cyclomatic != 5 || len(r.Functions) != 1 || r.CommentLines != 2 {
		t.Errorf("%+v", r.Measures)
	}
	if r.Reliability != "A" || r.Security == "A" || r.Security == scoring.NotAnalysed || r.Analyser == "" || len(r.Findings) == 0 {
		t.Errorf("reliability %q, security %q by %q: %+v", r.Reliability, r.Security, r.Analyser, r.Findings)
	}
}

func TestNotAnalysedIsNoRating(t *testing.T) {
	r, err := Source("java", []byte("class A {}"))
	fatal.If(t, err)
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"reliability":null,"security":null`) || r.Analyser != "" {
		t.Errorf("%s, %v", text, err)
	}
	var again Report
	if err := json.Unmarshal(text, &again); err != nil || again.Reliability != scoring.NotAnalysed {
		t.Errorf("%q, %v", again.Reliability, err)
	}
	if _, err := Source("cobol", nil); !errors.Is(err, syntax.ErrLanguage) {
		t.Error(err)
	}
}

func BenchmarkSource(b *testing.B) {
	for b.Loop() {
		if _, err := Source("python", []byte(answer)); err != nil {
			b.Fatal(err)
		}
	}
}
