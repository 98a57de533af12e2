package benchmark

import "encoding/json"

// Style is how a task's tests are written.
type Style string

// The test styles. A task whose style is empty has no tests: it is judged by
// the tester alone and its verdict is not_judged.
const (
	NoTests  Style = ""         // judged by the tester alone
	Calls    Style = "calls"    // calls of the entry point with arguments and an expected value
	Check    Style = "check"    // HumanEval's check(candidate) function; each assert is one test case
	Asserts  Style = "asserts"  // MBPP's list of assert statements; each is one test case
	Unittest Style = "unittest" // classes of Python's unittest; each test method is one test case
	Stdin    Style = "stdin"    // the program reads its standard input and writes the expected output
	Script   Style = "script"   // program and tests are one script, which must reach the end of its tests
)

// Styles lists the styles of tasks that have tests.
var Styles = [...]Style{Calls, Check, Asserts, Unittest, Stdin, Script}

// Tests are a task's test cases in one style.
type Tests struct {
	Style    Style    `json:"style,omitempty"`
	Cases    []Case   `json:"cases,omitempty"`    // style "calls"
	Check    string   `json:"check,omitempty"`    // style "check": source that defines check(candidate)
	Setup    string   `json:"setup,omitempty"`    // style "asserts": statements before them; style "script": text before the program
	Asserts  []string `json:"asserts,omitempty"`  // style "asserts": assert statements, which call the entry point by its name
	Unittest string   `json:"unittest,omitempty"` // style "unittest": source that defines the test classes
	Runs     []Run    `json:"runs,omitempty"`     // style "stdin"
	Script   string   `json:"script,omitempty"`   // style "script": text after the program

	// Checker is Python source for the styles "calls" and "stdin". It defines
	// accept(got, expected, args, kwargs), or for "stdin" accept(output, expected,
	// input), which returns True for a right answer and else False or a text that
	// says what is wrong. It judges what has the comparison "checker".
	Checker string `json:"checker,omitempty"`

	// InProcess has tests of the styles "check", "asserts" and "unittest" run in
	// the same process as the code, for tests that pass what cannot be sent to
	// another. Such a verdict can be forged, and the result says so.
	InProcess bool `json:"in_process,omitempty"`
}

// IsZero reports whether the task has no tests.
func (t Tests) IsZero() bool {
	return t.Style == NoTests && len(t.Cases) == 0 && t.Check == "" && t.Setup == "" && len(t.Asserts) == 0 &&
		t.Unittest == "" && t.Checker == "" && len(t.Runs) == 0 && t.Script == "" && !t.InProcess
}

// Run is one run of a whole program: what it is given and what it must write to
// its standard output.
type Run struct {
	Name   string            `json:"name,omitempty"`
	Input  string            `json:"input"`
	Output string            `json:"output"`
	Files  map[string]string `json:"files,omitempty"` // further files in the working directory, by name

	// Compare says how the output is compared. The empty rule is Lines.
	Compare   OutputCompare `json:"compare,omitempty"`
	Tolerance float64       `json:"tolerance,omitempty"` // absolute and relative, for numbers in tokens
	Edge      bool          `json:"edge,omitempty"`
}

// OutputCompare is a rule for comparing what a program wrote.
type OutputCompare string

// The rules for output. Both ignore the white space at the ends of lines and
// empty lines at the end.
const (
	Lines OutputCompare = "lines" // line by line

	// Tokens compares word by word. Decimal numbers are equal if their values are:
	// "007" is "7", "-0" is "0", "1e3" is "1000.0". Within Tolerance they are equal, too,
	// unless both are integers, written without a decimal point and an exponent: those
	// are compared exactly, of any size. All else, NaN and infinities included, must be
	// the same word.
	Tokens OutputCompare = "tokens"

	OutputByChecker OutputCompare = "checker" // by the task's own Tests.Checker, to which Output is what is expected
)

// Case is one call of the entry point. Arguments and the expected value are
// JSON in which an object with a single key that starts with "$" stands for a
// value JSON lacks:
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

	// Raises names the exception class that the call must raise, instead of
	// returning Expected.
	Raises string `json:"raises,omitempty"`

	// Compare says how the result is compared with Expected.
	Compare   Compare `json:"compare,omitempty"`
	Tolerance float64 `json:"tolerance,omitempty"` // absolute and relative, for compare "close"

	// Edge marks a case at the border of the specification: empty input, one
	// element, the largest size.
	Edge bool `json:"edge,omitempty"`
}

// Compare is a rule for comparing a result with the expected value.
type Compare string

// The comparison rules. The empty rule is Exact.
const (
	Exact     Compare = "exact"     // equal, with equal types where the language tells them apart; in R fractions as all.equal has them
	Close     Compare = "close"     // numbers within Tolerance, integers exactly, recursively in containers
	Unordered Compare = "unordered" // equal as multisets at the top level
	AnyOf     Compare = "any_of"    // equal to one of the elements of Expected
	ByChecker Compare = "checker"   // by the task's own Tests.Checker
)

// Count is the number of test cases that can be told without running them: for
// the styles "check" and "unittest" that is the judge's to find out, and Count
// is 0.
func (t Tests) Count() int {
	if t.Style == Script {
		return 1
	}
	return len(t.Cases) + len(t.Asserts) + len(t.Runs)
}
