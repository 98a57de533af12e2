package prompts

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/session/llm"
)

// median is a task whose reference has locals, a helper, a library function and English words as names.
func median() *benchmark.Task {
	return &benchmark.Task{
		ID: "median", Title: "Median", Language: "python", EntryPoint: "median",
		Signature:   benchmark.Signature{Parameters: []benchmark.Parameter{{Name: "xs", Type: "list"}}},
		Description: "Return the median of the numbers xs.",
		Examples:    []benchmark.Example{{Input: "[3, 1, 2]", Output: "2"}},
		Reference: `from math import fsum

def half_way(ordered, n):
    """The two middles, e.g. for total."""
    return ordered[n // 2], ordered[~(n // 2)]

def median(xs):
    ordered = sorted(xs)
    idx, count = 0, len(ordered)
    low, highEnd = half_way(ordered, count)
    return fsum([low, highEnd]) / 2
`,
	}
}

// Names of the reference are found; English words are names only if written as code, and names in the
// statement are allowed.
func TestNamesIn(t *testing.T) {
	names := namesOf(median())
	if names.err != nil {
		t.Fatal(names.err)
	}
	for _, tc := range []struct{ text, want string }{
		{"The function median takes the numbers xs.", ""},
		{"Sort them, then count them and take the middle.", ""},
		{"It has a low and an ordered part.", ""},
		{"Put them into ordered order.", ""},
		{"Keep `ordered` and 'count', then low = 1.", "ordered count low"},
		{"The variable low holds it.", "low"},
		{"Call half_way with the list.", "half_way"},
		{"Sum them by fsum(low) and keep the highEnd.", "fsum highEnd"},
		{"Call sorted(values).", "sorted"},
		{"Look at idx.", "idx"},
		{"Halve n, i.e. take the middle; don't forget it's n.", "n"},
		{"a total of e.g. three", ""},
		{"the n-th of them", ""},
		{"up to n - 1 of them", "n"},
	} {
		if got := strings.Join(names.In(tc.text), " "); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
	if !names.Any("It is ordered.") || names.Any("Sort the numbers.") {
		t.Error("a word of the reference is not seen, or one that is none")
	}
}

// Identifiers are found in each language with a grammar.
func TestNamesOfLanguages(t *testing.T) {
	for language, source := range map[string]string{
		"python":     "def f(my_arg):\n    my_local = my_arg\n    return my_helper(my_local)\n",
		"javascript": "function f(my_arg) { const my_local = my_arg; return my_helper(my_local) }",
		"go":         "package p\nfunc f(my_arg int) int { my_local := my_arg; return my_helper(my_local) }",
		"java":       "class S { int f(int my_arg) { int my_local = my_arg; return my_helper(my_local); } }",
		"c":          "int f(int my_arg) { int my_local = my_arg; return my_helper(my_local); }",
		"cpp":        "int f(int my_arg) { auto my_local = my_arg; return my_helper(my_local); }",
		"r":          "f <- function(my_arg) { my_local <- my_arg; my_helper(my_local) }",
		"bash":       "my_helper() { echo; }\nmy_arg=$1\nmy_local=$my_arg\nmy_helper $my_local\n",
	} {
		names := namesOf(&benchmark.Task{Language: language, EntryPoint: "f", Reference: source})
		for _, want := range []string{"my_arg", "my_local", "my_helper"} {
			if names.err != nil || !slices.Contains(names.list, want) {
				t.Errorf("%s: %s is not among %v, %v", language, want, names.list, names.err)
			}
		}
		if slices.Contains(names.list, "f") {
			t.Errorf("%s: the entry point is among the names", language)
		}
	}
	if names := namesOf(&benchmark.Task{Language: "cobol", Reference: "x"}); names.err == nil {
		t.Error("a language without a grammar has names")
	}
}

// A model that writes the prompts and is evaluated with them is named.
func TestAlsoEvaluated(t *testing.T) {
	s := made(t, 1)
	s.Header.Author = AuthorOf(llm.Model{Name: "writer", Provider: "openai", Model: "org/big-coder"})
	got := s.AlsoEvaluated([]llm.Model{{Name: "a", Provider: "ollama", Model: "big-coder:latest"}, {Name: "b", Provider: "openai", Model: "small-coder"}})
	if !slices.Equal(got, []string{"a"}) {
		t.Errorf("%v", got)
	}
}

func TestCheck(t *testing.T) {
	task := median()
	other := Prompt{Task: "median", Name: "context-2.1", Level: 2, Text: "Write a function median that sorts the numbers and takes the one in the middle."}
	for _, tc := range []struct {
		name, text string
		level      int
		want       []FlagKind
	}{
		{"fine", "Implement median: order what is given, then average the two in the middle.", 2, nil},
		{"example", "Write median, which gives the middle.\nFor example, median([3, 1, 2]) returns 2.", 1, []FlagKind{HasExample}},
		{"names", "Write median. Call half_way.", 2, []FlagKind{NamesIt}},
		{"names at level 3", "Write median. Call half_way.", 3, nil},
		{"none at level 3", "Write median. Sort, and take the middle.", 3, []FlagKind{NamesNothing}},
		{"code", "Write median.\n```python\npass\n```", 1, []FlagKind{HasCode}},
		{"close", "Write a function median that sorts the numbers, and takes the one in the middle!", 2, []FlagKind{TooClose}},
	} {
		var got []FlagKind
		for _, f := range NewChecker(task).Check(Prompt{Task: "median", Name: "context-2.2", Level: tc.level, Text: tc.text}, []Prompt{other}) {
			got = append(got, f.Kind)
			if f.String() == string(f.Kind) {
				t.Errorf("%s: %q is no sentence", tc.name, f)
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	task.Language = "cobol"
	if flags := NewChecker(task).Check(Prompt{Level: 2, Text: "Write median."}, nil); len(flags) != 1 || flags[0].Kind != NotChecked {
		t.Errorf("without a grammar: %v", flags)
	}
}

// Similarity is symmetric, at most 1, and 1 for the same words.
func TestSimilarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-c]{1,2}[ ,.]){0,12}`)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		s := similarity(a, b)
		if s != similarity(b, a) || s < 0 || s > 1 {
			t.Fatalf("%q and %q: %g and %g", a, b, s, similarity(b, a))
		}
		if len(words(a)) > 0 && similarity(a, strings.ToUpper(a)+"!") != 1 {
			t.Fatalf("%q is not like itself", a)
		}
	})
	if s := similarity("sort the list and take the middle", "take the average of both ends"); s > 0.3 {
		t.Errorf("two sentences are alike by %g", s)
	}
}
