package benchmark

import (
	"encoding/json"
	"strconv"
)

// Style is the format of a task's tests.
type Style string

// The test styles. A task without a style has no tests: only the tester judges it, and its verdict is
// not_judged.
const (
	NoTests  Style = ""         // only the tester judges
	Calls    Style = "calls"    // calls of the entry point with arguments and an expected value
	Check    Style = "check"    // HumanEval's check(candidate) function; each assert is one test case
	Asserts  Style = "asserts"  // MBPP's list of assert statements; each is one test case
	Unittest Style = "unittest" // classes of Python's unittest; each test method is one test case
	Stdin    Style = "stdin"    // the program reads its standard input and writes the expected output
	Script   Style = "script"   // program and tests are one script, which must reach the end of the tests

	// In the scenarios of LiveCodeBench (Jain et al. 2024) and CRUXEval (Gu et al. 2024) an answer states what a
	// call returns, or the call: Runs has one call with the literal that it returns.
	Execution Style = "execution" // the code of the function is shown
	Output    Style = "output"    // its statement is shown, and a test case has to be completed
	Input     Style = "input"     // the code is shown and a literal, for which a call has to be found
)

// Predicts reports whether an answer states what a call returns, or the call, and is no program.
func (s Style) Predicts() bool { return s == Execution || s == Output || s == Input }

// Styles lists the styles with tests.
var Styles = [...]Style{Calls, Check, Asserts, Unittest, Stdin, Script, Execution, Output, Input}

// Tests holds a task's test cases in one style.
type Tests struct {
	Style    Style    `json:"style,omitempty"`
	Cases    []Case   `json:"cases,omitempty"`    // style "calls"
	Check    string   `json:"check,omitempty"`    // style "check": source that defines check(candidate)
	Setup    string   `json:"setup,omitempty"`    // style "asserts": statements before them; styles "check" and "script": text before the program; style "input": the function's code
	Asserts  []string `json:"asserts,omitempty"`  // style "asserts": assert statements that call the entry point by name
	Unittest string   `json:"unittest,omitempty"` // style "unittest": source that defines the test classes
	Runs     []Run    `json:"runs,omitempty"`     // styles "stdin", "execution", "output" and "input"
	Script   string   `json:"script,omitempty"`   // style "script": text after the program

	Properties []Property `json:"properties,omitempty"` // style "calls": what holds for every input

	// Checker is Python source for the styles "calls" and "stdin". It defines accept(got, expected, args,
	// kwargs), or for "stdin" accept(output, expected, input), which returns True for a correct answer, and
	// otherwise False or a text that explains what is wrong. It is used for the comparison "checker".
	Checker string `json:"checker,omitempty"`

	// InProcess runs tests of the styles "check", "asserts" and "unittest" in the same process as the code,
	// for tests that pass values which cannot be sent to another process. Such a verdict can be forged, and
	// the result says so.
	InProcess bool `json:"in_process,omitempty"`
}

// IsZero reports whether the task has no tests.
func (t Tests) IsZero() bool {
	return t.Style == NoTests && len(t.Cases) == 0 && t.Check == "" && t.Setup == "" && len(t.Asserts) == 0 &&
		t.Unittest == "" && t.Checker == "" && len(t.Runs) == 0 && len(t.Properties) == 0 && t.Script == "" && !t.InProcess
}

// Helpers returns the text that precedes every program and that no model saw, for tests that call the program. A
// script's is joined with its tests.
func (t Tests) Helpers() string {
	if t.Style == Check {
		return t.Setup
	}
	return ""
}

// Run is one run of a whole program: its input and the expected standard output. In the styles "execution",
// "output" and "input" Input is the text of a call and Output a Python literal.
type Run struct {
	Name   string            `json:"name,omitempty"`
	Input  string            `json:"input"`
	Output string            `json:"output"`
	Files  map[string]string `json:"files,omitempty"` // additional files in the working directory, by name

	// Compare is how the output is compared; empty means Lines.
	Compare   OutputCompare `json:"compare,omitempty"`
	Tolerance float64       `json:"tolerance,omitempty"` // absolute and relative, for numbers with Tokens
	Edge      bool          `json:"edge,omitempty"`
}

// OutputCompare is a rule for comparing a program's output.
type OutputCompare string

// The rules for output. Lines and Tokens ignore trailing white space and empty lines at the end.
const (
	Lines OutputCompare = "lines" // line by line

	// Decimals compares line by line, without the white space around the output and each line. Two lines are
	// also equal if they are decimal numbers of equal values, as many and in the same order.
	Decimals OutputCompare = "decimals"

	// Tokens compares word by word. Decimal numbers are equal if their values are: "007" is "7", "-0" is
	// "0", "1e3" is "1000.0". They are also equal within Tolerance, unless both are integers, written
	// without decimal point and exponent: those are compared exactly, at any size. Anything else, including
	// NaN and infinities, must be the same word.
	Tokens OutputCompare = "tokens"

	OutputByChecker OutputCompare = "checker" // by the task's own Tests.Checker, with Output as the expected value
)

var outputCompares = [...]OutputCompare{Lines, Tokens, Decimals, OutputByChecker}

// Case is one call of the entry point. Arguments and the expected value are JSON, in which an object with a
// single key that starts with "$" represents a value that JSON lacks:
//
//	{"$tuple": [1, 2]}           a tuple
//	{"$set": [1, 2]}             a set
//	{"$frozenset": [1, 2]}       a frozen set
//	{"$dict": [[1, "a"]]}        a mapping whose keys are not all strings
//	{"$bytes": "base64"}         bytes
//	{"$float": "nan"}            nan, inf or -inf
//	{"$int": "123…"}             an integer in decimal, of any size
//	{"$complex": [1.0, -2.0]}    a complex number
//	{"$repeat": ["ab", 50000]}   a string or list repeated n times
//	{"$range": [0, 1000, 1]}     the list of integers from start to stop by step
type Case struct {
	Name     string                     `json:"name,omitempty"`
	Args     []json.RawMessage          `json:"args"`
	Kwargs   map[string]json.RawMessage `json:"kwargs,omitempty"`
	Expected json.RawMessage            `json:"expected,omitempty"`

	// Raises names the exception class that the call must raise instead of returning Expected.
	Raises string `json:"raises,omitempty"`

	// Compare is how the result is compared with Expected.
	Compare   Compare `json:"compare,omitempty"`
	Tolerance float64 `json:"tolerance,omitempty"` // absolute and relative, for compare "close"

	// Edge marks a boundary case of the specification: empty input, one element, the largest size.
	Edge bool `json:"edge,omitempty"`
}

// Compare is a rule for comparing a result with the expected value.
type Compare string

// The comparison rules. The empty rule is Exact.
const (
	// equal, with equal types if the language distinguishes them; in R fractions as in all.equal
	Exact     Compare = "exact"
	Close     Compare = "close"     // numbers within Tolerance, integers exactly, recursively in containers
	Unordered Compare = "unordered" // equal as multisets at the top level
	AnyOf     Compare = "any_of"    // equal to one of the elements of Expected
	ByChecker Compare = "checker"   // by the task's own Tests.Checker
)

// Count returns the number of test cases as far as it is known without running them: for the styles "check" and
// "unittest" only the judge can count them, and Count is 0.
func (t Tests) Count() int {
	if t.Style == Script {
		return 1
	}
	return len(t.Cases) + len(t.Properties) + len(t.Asserts) + len(t.Runs)
}

// TestCount formats the number of a task's tests: "none" without tests, and the style if they cannot be
// counted.
func (t *Task) TestCount() string {
	switch n := t.Tests.Count(); {
	case t.Repository != nil:
		return strconv.Itoa(len(t.Repository.FailToPass) + len(t.Repository.PassToPass))
	case t.Tests.IsZero():
		return "none"
	case n == 0 || t.Tests.Style == Script:
		return string(t.Tests.Style)
	default:
		return strconv.Itoa(n)
	}
}
