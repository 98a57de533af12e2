package author

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

func TestParseSignature(t *testing.T) {
	for text, want := range map[string]string{
		"f()":     "f []",
		"f(a, b)": "f [a: b:]",
		" merge(shifts: list[tuple[int, int]], gap: int = 3) -> dict[str, int] ": "merge [shifts:list[tuple[int, int]] gap:int] dict[str, int]",
		"Split(total: int, m: Map<String, List<Integer>>) -> int[]":              "Split [total:int m:Map<String, List<Integer>>] int[]",
	} {
		entry, sig, err := ParseSignature(text)
		fatal.If(t, err)
		var parts []string
		for _, p := range sig.Parameters {
			parts = append(parts, p.Name+":"+p.Type)
		}
		if got := strings.TrimSpace(fmt.Sprintf("%s [%s] %s", entry, strings.Join(parts, " "), sig.Returns)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for _, bad := range []string{"", "f", "f(", "f(*args)", "f(**k: int)", "f(a b)", "(a)"} {
		if _, _, err := ParseSignature(bad); err == nil {
			t.Errorf("%q was understood", bad)
		}
	}
}

func TestSignatureOf(t *testing.T) {
	const source = "import x\n\ndef first(a): pass\n\n@x.cached\ndef second(\n    a: int,\n    b: list[str] = (),\n) -> str:\n    def inner(): pass\n    return ''\n\ndef _helper(): pass\n"
	entry, sig, err := SignatureOf("python", source, "")
	if err != nil || entry != "second" || len(sig.Parameters) != 2 || sig.Parameters[1].Type != "list[str]" || sig.Returns != "str" {
		t.Errorf("got %s %+v %v", entry, sig, err)
	}
	if entry, _, err := SignatureOf("python", source, "first"); err != nil || entry != "first" {
		t.Errorf("got %s %v", entry, err)
	}
	for _, row := range [][3]string{{"python", "x = 1", ""}, {"python", "def f(:", ""}, {"python", source, "third"}, {"r", "f <- function(x) x", ""}} {
		if _, _, err := SignatureOf(row[0], row[1], row[2]); err == nil {
			t.Errorf("%v was understood", row)
		}
	}
}

// Inputs are valid JSON, without duplicates, of the declared types, ordinary ones first.
func TestInputs(t *testing.T) {
	for _, kind := range []string{"int", "float", "str", "bool", "list[int]", "list[list[str]]", "set[str]", "frozenset[int]", "dict[str, int]", "dict[int, list[str]]",
		"tuple[int, str]", "tuple[int, ...]", "Optional[int]", "int | None", "Union[int, str]", "[]int", "map[string][]int", "int[][]", "List<Map<String, Integer>>",
		"const std::vector<int>&", "std::pair<int, double>", "bytes", "numeric vector", "", "Widget"} {
		inputs := Inputs(benchmark.Signature{Parameters: []benchmark.Parameter{{Name: "a", Type: kind}, {Name: "b", Type: "int"}}})
		seen := map[string]bool{}
		for _, args := range inputs {
			text, err := json.Marshal(args)
			if err != nil || len(args) != 2 || seen[string(text)] {
				t.Errorf("%s: %s, %v, again %v", kind, args, err, seen[string(text)])
			}
			seen[string(text)] = true
		}
		if len(inputs) < 10 || len(inputs) > maxInputs {
			t.Errorf("%s: %d inputs", kind, len(inputs))
		}
	}
	for kind, want := range map[string]string{"list[int]": "[3, 0, 1]", "set[int]": `{"$set": [3, 0, 1]}`, "map[string]bool": `{"ab cd": true, "": false}`, "int[]": "[3, 0, 1]", "vector<vector<double>>": "[[2.5, 0.0, 1.0], [], [2.5]]"} {
		if got := values(kind, 0)[0]; got != want {
			t.Errorf("%s: the ordinary value is %s, want %s", kind, got, want)
		}
	}
	pairs := []string{"[3, 3]", "[0, 1]", "[1, -1]", "[2, 10]"} // the second is not always the first
	if got := values("pair<int, int>", 0); !slices.Equal(got, pairs) {
		t.Errorf("pairs %v, want %v", got, pairs)
	}
	if got := Inputs(benchmark.Signature{}); len(got) != 1 || len(got[0]) != 0 {
		t.Errorf("a function without parameters is called with %v", got)
	}
}

// double doubles; the tests recognise its mutants by their source.
type double struct{}

func (double) Workers() int { return 1 }

func (double) Values(_ context.Context, _ *benchmark.Task, _ string, cases []benchmark.Case) ([]verdicts.Value, error) {
	var values []verdicts.Value
	for _, c := range cases {
		var n int
		switch err := json.Unmarshal(c.Args[0], &n); {
		case err != nil:
			values = append(values, verdicts.Value{Raised: []string{"TypeError"}, Text: "no number"})
		case n < 0:
			values = append(values, verdicts.Value{Raised: []string{"ValueError", "Exception"}, Text: "below 0"})
		case n == 99:
			values = append(values, verdicts.Value{Failed: "time_limit"})
		case n == 50:
			values = append(values, verdicts.Value{JSON: json.RawMessage(`"` + strings.Repeat("x", 500) + `"`)})
		case n == 70:
			values = append(values, verdicts.Value{JSON: json.RawMessage(`[{"$int": "-0xff"}, 2.5]`)})
		default:
			values = append(values, verdicts.Value{JSON: json.RawMessage(fmt.Sprint(2 * n))})
		}
	}
	return values, nil
}

func (double) Judge(_ context.Context, s verdicts.Submission) (verdicts.Result, error) {
	r := verdicts.Result{Verdict: verdicts.WrongAnswer}
	for _, c := range s.Task.Tests.Cases {
		var n int
		if err := json.Unmarshal(c.Args[0], &n); err != nil {
			return r, err
		}
		status := verdicts.Status(verdicts.WrongAnswer)
		same := strings.Contains(s.Code, "n + 2") && n == 2 || n == 0 && !strings.Contains(s.Code, "n + 2") || n < 0
		if strings.Contains(s.Code, "None") {
			same = n < 0
		}
		if same {
			status = verdicts.Passed
		}
		r.Cases = append(r.Cases, verdicts.CaseResult{Status: status})
	}
	return r, nil
}

func TestPropose(t *testing.T) {
	task := &benchmark.Task{Language: "python", EntryPoint: "f", Reference: "def f(n):\n    return n * 2\n"}
	var inputs [][]json.RawMessage
	for _, text := range []string{"2", "0", "-1", `"a"`, "99", "50", "70"} {
		inputs = append(inputs, []json.RawMessage{json.RawMessage(text)})
	}
	proposals, mutants, err := Propose(t.Context(), double{}, task, inputs, 0, 10)
	if err != nil || mutants == 0 {
		t.Fatal(mutants, err)
	}
	var got []string
	for _, p := range proposals {
		got = append(got, fmt.Sprintf("%s>%s%s,%s,%v", p.Args[0], p.Expected, p.Raises, p.Compare, p.Edge))
	}
	want := `70>[{"$int": "-255"}, 2.5],close,false 0>0,,true -1>ValueError,,true 2>4,,false`
	if strings.Join(got, " ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, " "), want)
	}
	if proposals[0].Kills != mutants {
		t.Errorf("the first notices %d of %d mutants", proposals[0].Kills, mutants)
	}
	if own, _, err := Propose(t.Context(), double{}, task, inputs, 2, 1); err != nil || len(own) != 2 || !own[0].Own || string(own[0].Args[0]) != "2" {
		t.Errorf("the author's inputs are not first: %+v, %v", own, err)
	}
	if few, _, _ := Propose(t.Context(), double{}, task, inputs, 0, 1); len(few) != 1 {
		t.Errorf("%d were proposed, not 1", len(few))
	}
	if _, _, err := Propose(t.Context(), double{}, task, inputs[3:5], 0, 10); err == nil {
		t.Error("nothing that a test case can hold was proposed")
	}
}

// A written file is read back unchanged.
func TestWrite(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "ours")
	for _, language := range []string{"python", "go"} {
		task := &benchmark.Task{ID: "half-" + language, Title: "Half", Language: language, EntryPoint: "half", Description: "One.\n\nTwo \"quoted\" <b>.", Difficulty: benchmark.Easy,
			Constraints: []string{strings.Repeat("long ", 40), "a, b: c"}, Reference: "reference\n",
			Tests: benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Name: "a:\"b\", c", Args: []json.RawMessage{json.RawMessage(`{"x": "\"y, z"}`)}, Expected: json.RawMessage("0")}}}}
		place, err := Write(folder, task)
		fatal.If(t, err)
		b, err := benchmark.Load(folder)
		fatal.If(t, err)
		read, err := b.Task(task.ID)
		if err != nil || read.Hash() != task.Hash() {
			t.Errorf("%s: got %+v, %v", place, read, err)
		}
		if _, err := Write(folder, task); err == nil {
			t.Error("a task was written over another")
		}
	}
	other := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(other, "x"), nil, 0o600))
	for _, bad := range []string{other, filepath.Join(other, "x")} {
		if err := Free(bad, "a"); err == nil {
			t.Errorf("%s was taken for a benchmark's folder", bad)
		}
	}
}
