package harden

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/strength"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

func cases(t *testing.T, rows ...string) (list []benchmark.Case) {
	t.Helper()
	for _, row := range rows {
		args, result, _ := strings.Cut(row, " => ")
		var c benchmark.Case
		fatal.If(t, json.Unmarshal([]byte(args), &c.Args))
		if name, raises := strings.CutPrefix(result, "!"); raises {
			c.Raises = name
		} else {
			c.Expected = json.RawMessage(result)
		}
		list = append(list, c)
	}
	return list
}

func parameters(pairs ...string) (list []benchmark.Parameter) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, benchmark.Parameter{Name: pairs[i], Type: pairs[i+1]})
	}
	return list
}

// tasks are two tasks of which one's result is the other's argument.
func tasks(t *testing.T) (spread, total *benchmark.Task) {
	t.Helper()
	spread = &benchmark.Task{
		ID: "spread", Title: "Spread", Language: "python", EntryPoint: "spread", Difficulty: benchmark.Easy, Topics: []string{"lists"},
		Description: "Return the numbers where none counts for more than 40, and each number below zero is left out of the result.",
		Constraints: []string{"All are integers."},
		Signature:   benchmark.Signature{Parameters: parameters("xs", "list[int]"), Returns: "list[int]"},
		Reference:   "def spread(xs: list[int]) -> list[int]:\n    \"\"\"Cap and drop.\"\"\"\n    return [min(x, 40) for x in xs if x >= 0]\n",
		Tests: benchmark.Tests{Style: benchmark.Calls, Cases: cases(t, "[[1, 2]] => [1, 2]", "[[]] => []", "[[50, 3]] => [40, 3]", "[[-1, 7]] => [7]",
			"[[40, 41]] => [40, 40]", "[[39, 0, 5]] => [39, 0, 5]", "[[100, -3, 2]] => [40, 2]", `[{"$repeat": [[1], 5000]}] => {"$repeat": [[1], 5000]}`)},
	}
	total = &benchmark.Task{
		ID: "total", Title: "Total", Language: "python", EntryPoint: "total", Difficulty: benchmark.Hard,
		Description: "Return the sum of the numbers from a given position on. Raise IndexError for a position that is not in the list.",
		Signature:   benchmark.Signature{Parameters: parameters("numbers", "list[int]", "xs", "int"), Returns: "int"},
		Reference:   "def total(numbers: list[int], xs: int) -> int:\n    if not 0 <= xs < len(numbers):\n        raise IndexError(xs)\n    return sum(numbers[xs:])\n",
		Tests:       benchmark.Tests{Style: benchmark.Calls, Cases: cases(t, "[[1, 2, 3], 0] => 6", "[[1, 2, 3], 1] => 5", "[[9], 0] => 9", "[[], 0] => !IndexError", "[[4, 5], 2] => !IndexError", "[[4, 5], -1] => !IndexError", "[[1, 2, 3], 2] => 3", "[[1], 1] => !IndexError", "[[1, 2, 3], 3] => !IndexError")},
	}
	return spread, total
}

func made(t *testing.T, from *benchmark.Task, others ...*benchmark.Task) map[string]*Proposal {
	t.Helper()
	byChange := map[string]*Proposal{}
	for _, p := range Mechanical(from, others) {
		byChange[p.Change] = p
	}
	return byChange
}

// What each change writes, by its signature and the words that decide about a result.
func TestMechanical(t *testing.T) {
	spread, total := tasks(t)
	got := made(t, spread, spread, total)
	for change, want := range map[string][2]string{
		Distinct: {"spread(xs: list[int]) -> list[int]", "raise ValueError if two elements of `xs` are equal"},
		General:  {"spread_general(xs: list[int], number: int) -> list[int]", "takes the place of the number 40"},
		Chain:    {"spread_chain(xs: list[int], limit: int) -> list[list[int]]", "when `limit` results were added"},
		Tally:    {"spread_tally(calls: list[tuple[list[int]]]) -> list[tuple]", "the name of the exception's class, as text"},
		Compose:  {"spread_then_total(xs: list[int], xs_2: int) -> int", "gives the result to `total` as `numbers`, with `xs_2` as the other arguments"},
	} {
		p := got[change]
		if p == nil {
			t.Errorf("%s: no proposal", change)
			continue
		}
		if sig := p.Task.SignatureText(); sig != want[0] {
			t.Errorf("%s: signature %s, want %s", change, sig, want[0])
		}
		if !strings.Contains(p.Task.Description, want[1]) {
			t.Errorf("%s: the statement lacks %q:\n%s", change, want[1], p.Task.Description)
		}
	}
	if d := got[Compose].Task.Difficulty; d != benchmark.Hard {
		t.Errorf("a composition with a hard task is %s", d)
	}
	if p := made(t, total, total)[Chain]; p != nil && p.Task.EntryPoint != "total_chain" {
		t.Errorf("%+v", p)
	}
	shifted, promised := *spread, *spread
	shifted.Description = "Return bits 4 to 6 of each number."
	shifted.Reference = "def spread(xs: list[int]) -> list[int]:\n    return [x >> 4 & 7 for x in xs]\n"
	promised.Constraints = []string{"The numbers are different from one another."}
	for change, p := range map[string]*Proposal{
		"a number that the statement does not have":    made(t, total, total)[General],
		"a number that is no bound":                    made(t, &shifted, &shifted)[General],
		"a rule for lists that cannot have equal ones": made(t, &promised, &promised)[Distinct],
	} {
		if p != nil {
			t.Errorf("%s: %s", change, p.Task.Description)
		}
	}
}

func TestRefusal(t *testing.T) {
	spread, _ := tasks(t)
	if why := Refusal(spread); why != "" {
		t.Errorf("refused: %s", why)
	}
	for want, change := range map[string]func(*benchmark.Task){
		"language is go":         func(t *benchmark.Task) { t.Language = "go" },
		"for practice":           func(t *benchmark.Task) { t.Practice = true },
		`style "check"`:          func(t *benchmark.Task) { t.Tests = benchmark.Tests{Style: benchmark.Check} },
		"no tests":               func(t *benchmark.Task) { t.Tests = benchmark.Tests{} },
		"no reference":           func(t *benchmark.Task) { t.Reference = "" },
		"no parameters":          func(t *benchmark.Task) { t.Signature = benchmark.Signature{} },
		"a repository":           func(t *benchmark.Task) { t.Repository = &benchmark.Repository{} },
		"defines no function":    func(t *benchmark.Task) { t.Reference = "x = 1\n" },
		"a checker of their own": func(t *benchmark.Task) { t.Tests.Checker = "def accept(): pass" },
		"program does not parse": func(t *benchmark.Task) { t.Reference = "def spread(:\n" },
	} {
		task := *spread
		change(&task)
		if why := Refusal(&task); !strings.Contains(why, want) {
			t.Errorf("%q: refused with %q", want, why)
		}
	}
}

func checker(t *testing.T) *Checker {
	t.Helper()
	j, err := judge.New(judge.Options{Workers: 2})
	if err != nil {
		t.Skipf("there is no sandbox: %v", err)
	}
	t.Cleanup(func() { j.Close() })
	return &Checker{Judge: j, Examiner: strength.Examiner{Judge: j, Mutate: true}}
}

// Each change by syntax tree comes to a task that its own reference solves and the old one does not.
func TestChangesPass(t *testing.T) {
	c := checker(t)
	spread, total := tasks(t)
	for change, p := range made(t, spread, spread, total) {
		o, err := c.Test(t.Context(), p)
		fatal.If(t, err)
		if o.Removed != "" || o.Fails == 0 || len(o.Task.Examples) == 0 || 10*o.Killed < 9*o.Mutants {
			t.Errorf("%s: removed by %q (%s), the old solution fails %d, examples %v, %d of %d mutants", change, o.Removed, o.Why, o.Fails, o.Task.Examples, o.Killed, o.Mutants)
		}
		for _, old := range p.Old {
			r, err := c.Judge.Judge(t.Context(), verdicts.Submission{Task: &o.Task, Code: old})
			fatal.If(t, err)
			if r.Verdict == verdicts.Accepted {
				t.Errorf("%s: an old solution passes", change)
			}
		}
	}
}

// Solutions of a model, and the check that removes each.
func TestRemoved(t *testing.T) {
	c := checker(t)
	spread, _ := tasks(t)
	const head = "def spread(xs: list[int]) -> list[int]:\n"
	for _, tt := range []struct {
		name, code string
		want       Stage
	}{
		{"harder", head + "    best = 0\n    out = []\n    for x in xs:\n        best = max(best, x)\n        out.append(min(best, 40))\n    return out\n", ""},
		{"the same in other words", head + "    out = []\n    for x in xs:\n        if x >= 0:\n            out.append(40 if x > 40 else x)\n    return out\n", OldFails},
		{"constant", head + "    return [1]\n", Returns},
		{"does not load", "import nothing_of_this_name\n" + head + "    return xs\n", Returns},
		{"only raises", head + "    raise ValueError('no')\n", Returns},
		{"depends on the clock", "import time\n" + head + "    return [x + int(time.time() > 2000000000) for x in xs]\n", NoFault},
		{"weak", head + "    if len(xs) == 77:\n        a = 1 + 2 * 3 - 4 // 5\n        b = a * 7 + 9\n        return [a + b, a - b, a * b, 17, 18, 19]\n    return [x + 1 for x in xs]\n", Strong},
	} {
		p, err := FromModel(spread, tt.name, "states", tt.code, nil)
		fatal.If(t, err)
		o, err := c.Test(t.Context(), p)
		fatal.If(t, err)
		if o.Removed != tt.want {
			t.Errorf("%s: removed by %q (%s), want %q", tt.name, o.Removed, o.Why, tt.want)
		}
	}
	for _, nonsense := range []string{"", "def f(:\n", "I cannot do that.", "x = 1\n", "def f(): return 1\n"} {
		if _, err := FromModel(spread, "x", "states", nonsense, nil); err == nil {
			t.Errorf("%q is a solution", nonsense)
		}
	}
}

// A statement may resemble that of its origin, but not equal it, nor resemble another.
func TestDuplicate(t *testing.T) {
	words := strings.Repeat("one two three four five six seven eight nine ten ", 3)
	task := func(id, text string) benchmark.Task {
		return benchmark.Task{ID: id, Language: "python", Description: text}
	}
	old := task("old", words+"old")
	for _, tt := range []struct{ text, other, want string }{
		{words + "new", "something else", ""},
		{words + "old", "something else", "old"},
		{words + "new", words + "newer", "other"},
	} {
		made := task("made", tt.text)
		why := Duplicate(&made, []*benchmark.Task{&old}, []benchmark.Task{old, task("other", tt.other)})
		if (why == "") != (tt.want == "") || !strings.HasSuffix(why, tt.want) {
			t.Errorf("%q beside %q: %q, want %q", tt.text, tt.other, why, tt.want)
		}
	}
}

func TestProvenance(t *testing.T) {
	task := benchmark.Task{Extra: map[string]json.RawMessage{"own": json.RawMessage("1")}}
	fatal.If(t, Provenance{By: "assay tasks harden", Tasks: []string{"a", "b"}, Change: Compose}.Keep(&task))
	var p Provenance
	fatal.If(t, json.Unmarshal(task.Extra[ProvenanceKey], &p))
	if p.Change != Compose || !slices.Equal(p.Tasks, []string{"a", "b"}) || string(task.Extra["own"]) != "1" {
		t.Error(fmt.Sprint(task.Extra))
	}
}
