package format

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
)

// codeContestsSources and codeContestsLanguages are the enumerations of its ContestProblem.
var (
	codeContestsSources   = []string{"", "CodeChef", "Codeforces", "HackerEarth", "Code Jam", "", "AtCoder", "Aizu"}
	codeContestsLanguages = []string{"UNKNOWN_LANGUAGE", "PYTHON", "CPP", "PYTHON3", "JAVA"}
)

// codeContestsCompare implements CodeContests' rule for output: word by word, in either case, numbers within 1e-5.
// Integers are equal if they are the same, also where its comparison of doubles cannot tell them apart.
const codeContestsCompare = `import re
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d+")

def _same(got, wanted):
    if got == wanted or not (_NUMBER.fullmatch(got) and _NUMBER.fullmatch(wanted)):
        return got == wanted
    if _INTEGER.fullmatch(got) and _INTEGER.fullmatch(wanted):
        return int(got) == int(wanted)
    return abs(float(got) - float(wanted)) < 1e-5

def _accept(output, expected):
    got, wanted = output.lower().split(), expected.lower().split()
    if len(got) != len(wanted):
        return "the output has %d words, not %d" % (len(got), len(wanted))
    for i, pair in enumerate(zip(got, wanted)):
        if not _same(*pair):
            return "word %d is %s, not %s" % (i + 1, pair[0][:40], pair[1][:40])
    return True
`

const (
	codeContestsOne = `
def accept(output, expected, input):
    return _accept(output, expected)
`
	// %s: the correct outputs of inputs that have several
	codeContestsSeveral = `
import json
_outputs = json.loads(%s)

def accept(output, expected, input):
    said = [_accept(output, e) for e in _outputs.get(input, [expected])]
    return True if True in said else said[0]
`
)

// codeContestsTests are the inputs and outputs of one kind; an output may be a list of correct ones.
type codeContestsTests struct {
	Input  []string          `json:"input"`
	Output []json.RawMessage `json:"output"`
}

// codeContestsTask reads a problem of CodeContests: a program that reads its input. Its tests are the public, private
// and generated ones, its reference the first solution in Python 3.
func codeContestsTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "name"
	values, err := l.texts(fields, []string{"name", "description"}, nil)
	if err != nil {
		return nil, err
	}
	task := &benchmark.Task{ID: values["name"], Title: values["name"], Language: "python", Description: strings.TrimSpace(values["description"]),
		Tests: benchmark.Tests{Style: benchmark.Stdin}}
	for _, name := range []string{"input_file", "output_file"} {
		if file := bare(fields[name]); file != "" && file != "null" && file != "stdin" && file != "stdout" {
			return nil, l.unusable(task.ID, name, fmt.Sprintf("the problem is solved with the file %q, and programs are judged by their standard input and output: remove the row", clip(file)))
		}
	}
	several := map[string][]string{}
	for _, kind := range []string{"public", "private", "generated"} {
		if err := l.codeContestsRuns(task, fields, kind, several); err != nil {
			return nil, err
		}
	}
	if len(task.Tests.Runs) == 0 {
		return nil, l.unusable(task.ID, "public_tests", "the problem has no tests: add some, as an object with the lists input and output, or remove the row")
	}
	task.Tests.Checker = codeContestsCompare + codeContestsOne
	if len(several) > 0 {
		text, _ := json.Marshal(several) // it is valid
		task.Tests.Checker = codeContestsCompare + fmt.Sprintf(codeContestsSeveral, pythonText(string(text)))
	}
	if task.Limits, err = l.codeContestsLimits(fields, len(task.Tests.Runs)); err != nil {
		return nil, err
	}
	var solutions struct {
		Language []json.RawMessage `json:"language"`
		Solution []string          `json:"solution"`
	}
	if err := l.inner(fields, "solutions", "an object with the lists language and solution", &solutions); err != nil {
		return nil, err
	}
	python := slices.IndexFunc(solutions.Language, func(raw json.RawMessage) bool { return named(raw, codeContestsLanguages) == "PYTHON3" })
	if python >= 0 && python < len(solutions.Solution) {
		task.Reference = solutions.Solution[python]
	}
	task.Source.Title = named(fields["source"], codeContestsSources)
	if err := l.inner(fields, "cf_tags", "a list of texts", &task.Topics); err != nil {
		return nil, err
	}
	task.Topics = slices.DeleteFunc(task.Topics, func(topic string) bool { return topic == "" })
	return task, nil
}

// codeContestsRuns adds the tests of one kind to a task, and to several the inputs that have several outputs.
func (l *lines) codeContestsRuns(task *benchmark.Task, fields map[string]json.RawMessage, kind string, several map[string][]string) error {
	field := kind + "_tests"
	var tests codeContestsTests
	if err := l.inner(fields, field, "an object with the lists input and output", &tests); err != nil {
		return err
	}
	if len(tests.Input) != len(tests.Output) {
		return l.fail(field, fmt.Sprintf("there are %d inputs and %d outputs: give each input its output", len(tests.Input), len(tests.Output)))
	}
	for i, input := range tests.Input {
		var output string
		var outputs []string
		switch {
		case json.Unmarshal(tests.Output[i], &output) == nil && !isNull(tests.Output[i]):
		case json.Unmarshal(tests.Output[i], &outputs) == nil && len(outputs) > 0:
			output, several[input] = outputs[0], outputs
		default:
			return l.fail(field, fmt.Sprintf("output %d must be a text, or a list of texts that are all correct", i+1))
		}
		task.Tests.Runs = append(task.Tests.Runs, benchmark.Run{Name: kind + " " + strconv.Itoa(i+1), Input: input, Output: output, Compare: benchmark.OutputByChecker})
	}
	return nil
}

// codeContestsLimits returns the problem's own limits. Without one of time there are 10 s, as in CodeContests' tester.
func (l *lines) codeContestsLimits(fields map[string]json.RawMessage, tests int) (benchmark.Limits, error) {
	var limit struct {
		Seconds float64 `json:"seconds"`
		Nanos   float64 `json:"nanos"`
	}
	var memory float64
	err := l.inner(fields, "time_limit", "an object with seconds and nanos", &limit)
	if err == nil {
		err = l.inner(fields, "memory_limit_bytes", "a number", &memory)
	}
	limits := benchmark.Limits{CPUSeconds: limit.Seconds + limit.Nanos/1e9, MemoryMB: int(memory / (1 << 20))}
	limits.CPUSeconds = cmp.Or(limits.CPUSeconds, 10)
	limits.CPUTotal = min(max(60, limits.CPUSeconds*float64(tests)), 3600)
	return limits, err
}

// named returns the name of an enumeration's value, which is given by its number or its name.
func named(raw json.RawMessage, names []string) string {
	var number int
	if json.Unmarshal(raw, &number) == nil && number >= 0 && number < len(names) {
		return names[number]
	}
	if name := bare(raw); slices.Contains(names, name) {
		return name
	}
	return ""
}
