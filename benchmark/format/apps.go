package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
)

// appsDifficulties maps APPS's levels to difficulties.
var appsDifficulties = map[string]benchmark.Difficulty{
	"": "", "introductory": benchmark.Easy, "interview": benchmark.Medium, "competition": benchmark.Hard,
}

// appsPrompt contains the imports that APPS's harness puts before every program.
const appsPrompt = `import collections, fractions, heapq, itertools, math, random, sys, time
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from functools import lru_cache
from heapq import *
from itertools import accumulate, combinations, permutations, product
from math import ceil, cos, exp, fabs, floor, gcd, log, log2, sin, sqrt, tan
from typing import List, Tuple
` + optionalNumPy

// appsCompare implements APPS's rules for results: tuples equal lists, keys of mappings are compared as
// strings, and the expected value may be wrapped in a list.
const appsCompare = `def _plain(value):
    if type(value) in (list, tuple):
        return [_plain(v) for v in value]
    if type(value) is dict:
        return {str(k): _plain(v) for k, v in value.items()}
    return value

def accept(got, expected, args, kwargs):
    got, expected = _plain(got), _plain(expected)
    return got == expected or type(expected) is list and len(expected) > 0 and got == expected[0]
`

// appsTests is the content of field input_output.
type appsTests struct {
	Name    string            `json:"fn_name"`
	Inputs  []json.RawMessage `json:"inputs"`
	Outputs []json.RawMessage `json:"outputs"`
}

// appsTask reads a task of APPS: programs that read their input, functions, or methods of LeetCode's class
// Solution, depending on the starter code. The first solution is the reference. A task without inputs has
// no tests.
func appsTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "problem_id"
	if fields["problem_id"] == nil {
		l.id = "id"
	}
	var number json.Number
	if json.Unmarshal(fields[l.id], &number) != nil || number == "" {
		return nil, l.fail(l.id, "the field must be a whole number: add it, as \"problem_id\"")
	}
	question, err := l.text(fields, "question", true)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, name := range []string{"difficulty", "url", "starter_code"} {
		if values[name], err = l.text(fields, name, false); err != nil {
			return nil, err
		}
	}
	difficulty, known := appsDifficulties[values["difficulty"]]
	if !known {
		return nil, l.fail("difficulty", fmt.Sprintf("%q is not known: write introductory, interview or competition", values["difficulty"]))
	}
	task := &benchmark.Task{ID: "APPS/" + number.String(), Title: "APPS " + number.String(), Language: "python", Prompt: appsPrompt,
		Description: strings.TrimSpace(question), Difficulty: difficulty, Source: benchmark.Source{Title: "APPS", URL: values["url"]},
		Limits: benchmark.Limits{CPUSeconds: 4, CPUTotal: 60}} // 4 s as in APPS; some tasks have hundreds of tests
	task.Signature.Code = strings.TrimSpace(values["starter_code"])
	var solutions []string
	if err := l.inner(fields, "solutions", "a list of texts", &solutions); err != nil {
		return nil, err
	}
	if len(solutions) > 0 {
		task.Reference = appsPrompt + "\n" + solutions[0]
	}
	var tests appsTests
	if err := l.inner(fields, "input_output", "an object with inputs and outputs", &tests); err != nil {
		return nil, err
	}
	if len(tests.Inputs) != len(tests.Outputs) {
		return nil, l.fail("input_output", fmt.Sprintf("there are %d inputs and %d outputs: give each input its output", len(tests.Inputs), len(tests.Outputs)))
	}
	if len(tests.Inputs) > 0 {
		err = l.appsTests(task, tests, appsClass.MatchString(values["starter_code"]))
	}
	return task, err
}

var appsClass = regexp.MustCompile(`(?m)^class Solution\b`)

// inner decodes a field that contains JSON, or a string with JSON. It may be missing or empty.
func (l *lines) inner(fields map[string]json.RawMessage, name, wanted string, into any) error {
	raw := fields[name]
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(strings.TrimSpace(text))
	}
	if len(raw) == 0 {
		return nil
	}
	if !json.Valid(raw) {
		raw = withoutPythonNumbers(raw)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return l.fail(name, fmt.Sprintf("the field must be %s, as JSON or as a text that is JSON: %v", wanted, err))
	}
	return nil
}

// appsTests fills in a task's tests in the appropriate style.
func (l *lines) appsTests(task *benchmark.Task, tests appsTests, inClass bool) error {
	if tests.Name == "" {
		task.Tests.Style = benchmark.Stdin
		for i := range tests.Inputs {
			input, ok := joinedLines(tests.Inputs[i])
			output, ok2 := joinedLines(tests.Outputs[i])
			if !ok || !ok2 {
				return l.fail("input_output", fmt.Sprintf("without fn_name, input and output %d must be texts or lists of lines", i+1))
			}
			run := benchmark.Run{Input: input, Output: output}
			if decimal.MatchString(output) { // APPS compares these like numpy's allclose
				run.Compare, run.Tolerance = benchmark.Tokens, 1e-5
			}
			task.Tests.Runs = append(task.Tests.Runs, run)
		}
		return nil
	}
	task.EntryPoint = tests.Name
	task.Tests.Style, task.Tests.Checker = benchmark.Calls, appsCompare
	for i := range tests.Inputs {
		var args []json.RawMessage
		if json.Unmarshal(tests.Inputs[i], &args) != nil || args == nil {
			return l.fail("input_output", fmt.Sprintf("with fn_name, input %d must be a list of arguments", i+1))
		}
		if len(args) > 0 {
			args[0] = withIntegerKeys(args[0])
		}
		task.Tests.Cases = append(task.Tests.Cases, benchmark.Case{Args: args, Expected: tests.Outputs[i], Compare: benchmark.ByChecker})
	}
	if inClass {
		task.EntryPoint = "Solution"
		task.Tests = benchmark.Tests{Style: benchmark.Check, Check: appsCheck(task.Tests.Cases, appsCompare) + fmt.Sprintf(callOfMethod, tests.Name)}
	}
	return nil
}

// decimal matches a number with a fraction.
var decimal = regexp.MustCompile(`(?m)(?:^|\s)-?\d+\.\d+(?:\s|$)`)

// joinedLines returns a string, or the joined lines of a list.
func joinedLines(raw json.RawMessage) (string, bool) {
	var text *string
	if json.Unmarshal(raw, &text) == nil && text != nil {
		return *text, true
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && list != nil {
		return strings.Join(list, "\n"), true
	}
	return "", false
}

var integer = regexp.MustCompile(`^-?\d+$`)

// withIntegerKeys undoes JSON's conversion of a mapping's keys: if all are numeric, they were numbers.
func withIntegerKeys(raw json.RawMessage) json.RawMessage {
	var mapping map[string]json.RawMessage
	if json.Unmarshal(raw, &mapping) != nil || len(mapping) == 0 {
		return raw
	}
	var pairs [][2]json.RawMessage
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.Token() // {
	for dec.More() {
		key, _ := dec.Token()
		name, _ := key.(string)
		if !integer.MatchString(name) {
			return raw
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return raw
		}
		pairs = append(pairs, [2]json.RawMessage{[]byte(`{"$int":"` + name + `"}`), value})
	}
	made, err := json.Marshal(map[string]any{"$dict": pairs})
	if err != nil {
		return raw
	}
	return made
}

// appsCheck writes a check function with an assert for each call, for methods, whose results the function
// accept in compare judges. Long values and objects are read from one text.
func appsCheck(cases []benchmark.Case, compare string) string {
	var asserts strings.Builder
	var read [][2]any
	for _, c := range cases {
		args, plain := pythonLiterals(c.Args...)
		expected, plainToo := pythonLiterals(c.Expected)
		if plain && plainToo && len(args)+len(expected) <= maxLiterals {
			fmt.Fprintf(&asserts, "    assert accept(candidate(%s), %s, None, None)\n", args, expected)
			continue
		}
		fmt.Fprintf(&asserts, "    args, expected = _case(%d)\n    assert accept(candidate(*args), expected, None, None)\n", len(read))
		read = append(read, [2]any{c.Args, c.Expected})
	}
	if read != nil {
		text, _ := json.Marshal(read) // they are valid
		compare += fmt.Sprintf(casesInText, pythonText(string(text)))
	}
	return compare + "\ndef check(candidate):\n" + asserts.String()
}

const casesInText = `
import json

def _read(d):
    if list(d) == ['$float']:
        return float(d['$float'])
    if list(d) == ['$int']:
        return int(d['$int'])
    return {k: v for k, v in d['$dict']} if list(d) == ['$dict'] else d

_text = %s

def _case(i):
    return json.loads(_text, object_hook=_read)[i]
`

// maxLiterals bounds the texts of arguments and results that a test repeats, so that a failure can show them.
const maxLiterals = 2000 // bytes

// pythonLiterals writes JSON values as Python's, with commas between them. It reports whether it can: objects have
// another meaning.
func pythonLiterals(values ...json.RawMessage) (string, bool) {
	var b strings.Builder
	for i, raw := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var value any
		if d.Decode(&value) != nil || !writeLiteral(&b, value) {
			return "", false
		}
	}
	return b.String(), true
}

func writeLiteral(b *strings.Builder, value any) bool {
	switch v := value.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case json.Number:
		b.WriteString(v.String())
	case string:
		b.WriteString(pythonText(v))
	case []any:
		b.WriteByte('[')
		for i, element := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			if !writeLiteral(b, element) {
				return false
			}
		}
		b.WriteByte(']')
	default:
		return false
	}
	return true
}
