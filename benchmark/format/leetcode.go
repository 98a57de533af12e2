package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
)

// leetCodeEntry matches LeetCodeDataset's name for what its tests call.
var leetCodeEntry = regexp.MustCompile(`^(\w+)\(\)\.(\w+)$`)

// leetCodeTask reads a task of LeetCodeDataset (v0.3). Its prompt contains only imports and helpers; the
// required code is in the starter code, which is the signature. The entry point is the class,
// so that the judge recognises objects that the tests create from it.
func leetCodeTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values := map[string]string{}
	for _, name := range []string{"task_id", "problem_description", "starter_code", "completion", "entry_point", "test",
		"prompt", "difficulty", "estimated_date"} {
		required := name != "prompt" && name != "difficulty" && name != "estimated_date"
		value, err := l.text(fields, name, required)
		if err != nil {
			return nil, err
		}
		if required && strings.TrimSpace(value) == "" {
			return nil, l.fail(name, "the field is empty: fill it in")
		}
		values[name] = value
	}
	entry := leetCodeEntry.FindStringSubmatch(strings.TrimSpace(values["entry_point"]))
	if entry == nil {
		return nil, l.fail("entry_point", fmt.Sprintf("%q is not a method of a new object: write Solution().method", values["entry_point"]))
	}
	if !strings.Contains(values["test"], "def check") {
		return nil, l.fail("test", "the tests define no function check(candidate): add it, with an assert for each test case")
	}
	task := &benchmark.Task{
		ID: values["task_id"], Title: strings.ReplaceAll(values["task_id"], "-", " "), Language: "python", EntryPoint: entry[1],
		Description: strings.TrimSpace(values["problem_description"]), Signature: benchmark.Signature{Code: strings.TrimSpace(values["starter_code"])},
		Prompt: withOptionalPackage(values["prompt"]),
		Source: benchmark.Source{Title: "LeetCode", URL: "https://leetcode.com/problems/" + values["task_id"] + "/"},
		Tests: benchmark.Tests{Style: benchmark.Check, Check: values["test"] + fmt.Sprintf(callOfMethod, entry[2]),
			InProcess: passesNodes(values["test"])},
		// Up to 270 test cases share the time of a sample, whose default is meant for ten.
		Limits: benchmark.Limits{CPUTotal: 60},
	}
	task.Reference = task.Prompt + "\n" + values["completion"]
	if err := l.leetCodeMetadata(task, fields, values); err != nil {
		return nil, err
	}
	return task, nil
}

// leetCodeMetadata reads the metadata for filters.
func (l *lines) leetCodeMetadata(task *benchmark.Task, fields map[string]json.RawMessage, values map[string]string) error {
	task.Difficulty = benchmark.Difficulty(strings.ToLower(values["difficulty"]))
	if task.Difficulty != "" && !slices.Contains(benchmark.Difficulties[:], task.Difficulty) {
		return l.fail("difficulty", fmt.Sprintf("%q is not known: write Easy, Medium or Hard", values["difficulty"]))
	}
	task.Published = benchmark.Date(values["estimated_date"])
	if !task.Published.Valid() {
		return l.fail("estimated_date", fmt.Sprintf("%q is not a date: write 2024-08-11", values["estimated_date"]))
	}
	task.Source.Year = task.Published.Year()
	var tags []string
	if raw, ok := fields["tags"]; ok && json.Unmarshal(raw, &tags) != nil {
		return l.fail("tags", "the field must be a list of texts: write [\"Array\", \"Sorting\"]")
	}
	for _, tag := range tags {
		task.Topics = append(task.Topics, strings.ToLower(tag))
	}
	var number int
	if raw, ok := fields["question_id"]; ok {
		if json.Unmarshal(raw, &number) != nil {
			return l.fail("question_id", "the field must be a whole number")
		}
		task.Source.Chapter = strconv.Itoa(number)
	}
	return l.leetCodeAcceptance(task, fields)
}

// leetCodeAcceptance reads the share of submissions that were accepted, if there is one: a percentage, as LeetCode gives it
// (acRate), or as tables of its problems (acceptance_rate) and its command line (percent) do.
func (l *lines) leetCodeAcceptance(task *benchmark.Task, fields map[string]json.RawMessage) error {
	for _, name := range []string{"acRate", "acceptance_rate", "percent"} {
		raw, ok := fields[name]
		if !ok || string(raw) == "null" {
			continue
		}
		percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.Trim(string(raw), `"`), "%"), 64)
		if err != nil || !(percent >= 0 && percent <= 100) {
			return l.fail(name, fmt.Sprintf("%.40q is not a percentage from 0 to 100: write 52.3", raw))
		}
		share := percent / 100
		task.HumanPassRate = &share
		return nil
	}
	return nil
}

// callOfMethod makes the tests call a method of a new object each time, as LeetCode does. (The dataset's
// own harness uses one object for all test cases, which a case that times out would take from the others.)
// A method must not return such an object: the judge lets objects created by tests take part in
// comparisons.
const callOfMethod = `

_check = check

def check(candidate):
    def method(*args, **kwargs):
        value = candidate().%s(*args, **kwargs)
        if isinstance(value, candidate):
            raise TypeError("the method returned an object of its own class")
        return value
    _check(method)
`

// withOptionalPackage lets programs run without the one package that prompts import and Python does not
// include: most solutions do not use it.
func withOptionalPackage(prompt string) string {
	return sortedList.ReplaceAllString(prompt, "try:\n    $0\nexcept ImportError:\n    pass")
}

var sortedList = regexp.MustCompile(`(?m)^from sortedcontainers import \w+$`)

// passesNodes reports whether tests pass linked lists or trees, which cannot be sent to another process.
// The code may return them.
func passesNodes(test string) bool {
	if !strings.Contains(test, "list_node(") && !strings.Contains(test, "tree_node(") {
		return false
	}
	for _, rest := range strings.Split(test, "candidate(")[1:] {
		inside, _, ok := closing(rest)
		if !ok || strings.Contains(inside, "list_node(") || strings.Contains(inside, "tree_node(") {
			return true
		}
	}
	return false
}
