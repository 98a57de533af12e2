package judge

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"assay/benchmark"
)

// What calls bring, in a form that test cases can hold.
func TestValues(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	var cases []benchmark.Case
	for _, arg := range []string{"2", "0", "-1", "1000", "7", "3"} {
		cases = append(cases, benchmark.Case{Args: []json.RawMessage{json.RawMessage(arg)}})
	}
	for language, code := range map[string]string{
		"python":     "def f(n):\n    if n == 0: raise KeyError('zero')\n    if n == 7: return object()\n    if n == 1000:\n        while True: pass\n    return (n, {n}, 2 ** 70)\n",
		"javascript": "function f(n) { if (n === 0) throw new RangeError('zero'); if (n === 7) return () => 1; if (n === 1000) for (;;); return [n, new Set([n]), 2n ** 70n]; }",
	} {
		task := &benchmark.Task{ID: "t", Language: language, EntryPoint: "f", Limits: benchmark.Limits{CPUSeconds: 0.5, CPUTotal: 4}}
		called := *task
		called.Tests.Style = benchmark.Calls
		ready(t, j, &called)
		values, err := j.Values(t.Context(), task, code, cases)
		if err != nil {
			t.Fatal(language, err)
		}
		var got []string
		for _, v := range values {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %.30s %s", v.JSON, strings.Join(v.Raised, ","), v.Failed)))
		}
		want := map[string]string{
			"python":     `{"$tuple": [2, {"$set": [2]}, {"$int": "0x400000000000000000"}]} | KeyError,LookupError,Exception | {"$tuple": [-1, {"$set": [-1]}, {"$int": "0x400000000000000000"}]} | time_limit | wrong_answer | {"$tuple": [3, {"$set": [3]}, {"$int": "0x400000000000000000"}]}`,
			"javascript": `[2,{"$set":[2]},{"$int":"0x400000000000000000"}] | RangeError,Error | [-1,{"$set":[-1]},{"$int":"0x400000000000000000"}] | time_limit | wrong_answer | [3,{"$set":[3]},{"$int":"0x400000000000000000"}]`,
		}[language]
		plain := strings.NewReplacer(" ", "", "\n", "")
		if plain.Replace(strings.Join(got, " | ")) != plain.Replace(want) {
			t.Errorf("%s: got %s", language, strings.Join(got, " | "))
		}
	}
	if _, err := j.Values(t.Context(), &benchmark.Task{Language: "python", EntryPoint: "g"}, "def f(): pass\n", cases); err == nil {
		t.Error("a program without the entry point was called")
	}
}

// Lists of plain values are sent as they are, without a look at each value.
func TestListsOfPlainValues(t *testing.T) {
	const rows = `
class Text(str): pass
for value, sent in [
    ([1, 2], '[1, 2]'),
    ([1, 2**63], '[1, {"$int": "0x8000000000000000"}]'),
    ([1, -2**63], '[1, {"$int": "-0x8000000000000000"}]'),
    ([1.5, float("inf")], '[1.5, {"$float": "inf"}]'),
    ([True, 2**63], '[true, {"$int": "0x8000000000000000"}]'),
    (("a", None), '{"$tuple": ["a", null]}'),
    ([Text("a"), "b"], '["a", "b"]'),
]:
    if json.dumps(Encoder().encode(value)) != sent: print(value)
for depth in _MAX_DEPTH, _MAX_DEPTH + 1:
    value = 1
    for _ in range(depth): value = [value]
    if ("$opaque" in json.dumps(Encoder().encode(value))) != (depth > _MAX_DEPTH): print(depth)
Encoder(3).encode([1, 2])
try:
    Encoder(2).encode([1, 2])
    print("three values are taken for two")
except TooLarge: pass
given = [1]
if decode(given) is given: print("a decoded list is not a copy")
`
	out, err := exec.Command(newJudge(t).python.Executable, "-I", "-c", pythonCodec+rows).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
