package benchmark

import "encoding/json"

// Style is how a task's tests are written.
type Style string

// The test styles. A task whose style is empty has no tests: it is judged by
// the tester alone and its verdict is not_judged.
const (
	NoTests Style = ""      // judged by the tester alone
	Calls   Style = "calls" // calls of the entry point with arguments and an expected value
	Check   Style = "check" // HumanEval's check(candidate) function; each assert is one test case
)

// Tests are a task's test cases in one style.
type Tests struct {
	Style Style  `json:"style,omitempty"`
	Cases []Case `json:"cases,omitempty"` // style "calls"
	Check string `json:"check,omitempty"` // style "check": source that defines check(candidate)
}

// IsZero says whether the task has no tests.
func (t Tests) IsZero() bool { return t.Style == NoTests && len(t.Cases) == 0 && t.Check == "" }

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
	Exact     Compare = "exact"     // equal, with equal types where the language tells them apart
	Close     Compare = "close"     // numbers within Tolerance, recursively in containers
	Unordered Compare = "unordered" // equal as multisets at the top level
	AnyOf     Compare = "any_of"    // equal to one of the elements of Expected
)

// Count is the number of test cases that can be told without running them: for
// style "check" that is the judge's to find out, and Count is 0.
func (t Tests) Count() int { return len(t.Cases) }
