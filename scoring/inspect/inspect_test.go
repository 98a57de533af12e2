package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring"
	"assay/scoring/quality/rules"
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

// alone inspects a source text without a context.
func alone(language string, source []byte) (Report, error) {
	return Within(language, source, Context{})
}

func TestSource(t *testing.T) {
	r, err := alone("python", []byte(answer))
	fatal.If(t, err)
	if !r.Valid || r.Cyclomatic != 5 || len(r.Functions) != 1 || r.CommentLines != 2 {
		t.Errorf("%+v", r.Measures)
	}
	if r.Reliability != "A" || r.Security == "A" || r.Security == scoring.NotAnalysed || r.Analyser == "" || len(r.Findings) == 0 {
		t.Errorf("reliability %q, security %q by %q: %+v", r.Reliability, r.Security, r.Analyser, r.Findings)
	}
}

func TestNotAnalysedIsNoRating(t *testing.T) {
	r, err := alone("java", []byte("class A {}"))
	fatal.If(t, err)
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"reliability":null,"security":null`) || r.Analyser != "" {
		t.Errorf("%s, %v", text, err)
	}
	var again Report
	if err := json.Unmarshal(text, &again); err != nil || again.Reliability != scoring.NotAnalysed {
		t.Errorf("%q, %v", again.Reliability, err)
	}
	if _, err := alone("cobol", nil); !errors.Is(err, syntax.ErrLanguage) {
		t.Error(err)
	}
}

func BenchmarkSource(b *testing.B) {
	for b.Loop() {
		if _, err := alone("python", []byte(answer)); err != nil {
			b.Fatal(err)
		}
	}
}

// prelude brings names in every way in which a task's prompt does.
const prelude = `import math
import numpy as np
from typing import *
from collections import *
from itertools import accumulate as running

inf = float('inf')


class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next


def helper(a, b):
    """Evaluate."""
    return eval(input()) + a + b

`

func findings(r Report) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%d %s", f.Line, f.Rule))
	}
	return strings.Join(all, ", ")
}

// What the context defines and imports is known to the rules, which report the text's own lines.
func TestContext(t *testing.T) {
	body := Context{Before: prelude + "def f(xs: List[int]) -> int:\n    \"\"\"Sum.\"\"\"\n", Open: true}
	for _, c := range []struct {
		name, source string
		in           Context
		found        string
	}{
		{"alone", "def f(xs: List[int]):\n    return xs\n", Context{}, "1 undefined-name"},
		{"star import of typing", "def f(xs: List[int]) -> Optional[Dict[str, int]]:\n    return xs\n", Context{Before: prelude}, ""},
		{"star import of collections", "def f(xs):\n    return deque(xs), defaultdict(list), Counter(xs)\n", Context{Before: prelude}, ""},
		{"import", "def f(x):\n    return math.sqrt(x) + np.abs(x)\n", Context{Before: prelude}, ""},
		{"import as", "def f(xs):\n    return running(xs)\n", Context{Before: prelude}, ""},
		{"variable", "def f():\n    return inf\n", Context{Before: prelude}, ""},
		{"class and function", "def f(x):\n    return ListNode(x, helper(x, 1))\n", Context{Before: prelude}, ""},
		{"wrong arguments", "def f(x):\n    return helper(x)\n", Context{Before: prelude}, "2 wrong-arguments"},
		{"unknown name", "def f(x):\n    return heappop(x)\n", Context{Before: prelude}, "2 undefined-name"},
		{"star import of an unknown module", "def f(x):\n    return anything(x)\n", Context{Before: "from prepared import *\n"}, ""},
		{"name of an attribute", "def f(c):\n    return system(c)\n", Context{Before: "from os import *\n"}, "2 shell-injection"},
		{"own import of the same", "from typing import List\n\n\ndef f(xs: List[int]):\n    return xs\n", Context{Before: prelude}, ""},
		{"own definition of the same", "def helper(a):\n    return a\n\n\nprint(helper(1), helper(1, 2))\n", Context{Before: prelude}, "5 wrong-arguments"},
		{"continuation", "    return running(ys)\n", body, "1 undefined-name"},
		{"continuation without a value", "    if xs:\n        return sum(xs)\n", body, "1 missing-return"},
		{"body after a signature", "    return running(ys)\n", Context{Before: body.Before}, "1 undefined-name"},
		{"broken", "def f(:\n    return List\n", Context{Before: prelude}, "1 syntax-error"},
		{"broken continuation", "    return (xs\n", body, "1 syntax-error"},
		{"broken context", "def f(xs: List[int]):\n    return eval(xs)\n", Context{Before: prelude + "def g(:\n"}, "1 undefined-name, 2 eval"},
	} {
		r, err := Within("python", []byte(c.source), c.in)
		if err != nil || findings(r) != c.found {
			t.Errorf("%s: %q, want %q (%v)", c.name, findings(r), c.found, err)
		}
	}
}

// A context that has nothing to do with the text changes nothing.
func TestContextChangesNothing(t *testing.T) {
	for _, r := range rules.All() {
		for _, source := range []string{r.Bad, r.Good} {
			want, err := alone("python", []byte(source))
			fatal.If(t, err)
			for _, c := range []Context{{Before: "# Prepared.\nfrom zlib import crc32\n\n\ndef prepared(x):\n    while x:\n        x = crc32(x)\n\n"}, {Before: "prepared = [\n"}, {After: "\nprepared(1)\n"}} {
				if got, err := Within("python", []byte(source), c); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s after %q: %+v, want %+v (%v)", r.ID, c.Before, got, want, err)
				}
			}
		}
	}
}

// A function whose first line is in the context has the measures of the whole function, without that line.
func TestContinuation(t *testing.T) {
	for _, r := range rules.All() {
		header, body, _ := strings.Cut(r.Good, "\n")
		if !strings.HasPrefix(header, "def ") {
			continue
		}
		whole, err := alone("python", []byte(r.Good))
		fatal.If(t, err)
		got, err := Within("python", []byte(body), Context{Before: "# A helper.\ndef helper(x):\n    if x:\n        return 1\n    return 2\n\n" + header + "\n", Open: true})
		if err != nil || got.Valid != whole.Valid || got.Cyclomatic != whole.Cyclomatic || got.Cognitive != whole.Cognitive ||
			got.CodeLines != whole.CodeLines-1 || got.CommentLines != whole.CommentLines || len(got.Functions) != len(whole.Functions) {
			t.Errorf("%s: %+v, want %+v (%v)", r.ID, got.Measures, whole.Measures, err)
		}
	}
}

// What tests close belongs to no function of the model.
func TestClosedByTests(t *testing.T) {
	in := Context{Before: "#include <assert.h>\nlong f(long x) {\n", After: "\n}\nint main() {\n    if (f(1)) assert(f(1) == 2);\n}\n", Open: true}
	for _, language := range []string{"c", "cpp"} {
		r, err := Within(language, []byte("    // Twice.\n    return 2 * x;"), in)
		if err != nil || !r.Valid || r.Cyclomatic != 1 || r.CodeLines != 1 || r.CommentLines != 1 || len(r.Functions) != 1 {
			t.Errorf("%s: %+v, %v", language, r.Measures, err)
		}
	}
}

// A text that comes from Windows has the same measures and findings.
func TestLineEndsOfWindows(t *testing.T) {
	sources := map[string][]string{
		"python":     {answer, "x = [1,\n     # é\n     2] + \\\n    [3]\n", "def f():\n    '''Text.\n\n    More.\n    '''\n\n# NOSONAR\ndef g(:\n"},
		"javascript": {"// c\nconst f = (x) => `a\n${x}` // d\n  + 1; /* e\n\n f */\n"},
		"r":          {"f <- function(x) {\n  # c\n  'a\nb'\n}\n"},
		"bash":       {"f() {\n  # c\n  cat <<END\nx\nEND\n}\n"},
		"cpp":        {"#define A(x) \\\n  x\n// c\nauto s = R\"(a\nb)\";\nint main() { return A(0); }\n"},
		"java":       {"/** c\n * d\n */\nclass A { int f() { return 1; } }\n"},
		"go":         {"package p\n\n// c\nvar s = `a\nb`\n"},
	}
	for _, r := range rules.All() {
		sources["python"] = append(sources["python"], r.Bad, r.Good)
	}
	for language, list := range sources {
		for _, source := range list {
			want, err := alone(language, []byte(source))
			fatal.If(t, err)
			for _, before := range []string{"", "\ufeff"} {
				got, err := alone(language, []byte(before+strings.ReplaceAll(source, "\n", "\r\n")))
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s %q after %q: %+v, want %+v (%v)", language, source, before, got, want, err)
				}
			}
		}
	}
}
