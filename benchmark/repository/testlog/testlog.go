package testlog

import (
	"fmt"
	"slices"
	"strings"
)

// Status is the outcome of one test, with SWE-bench's names.
type Status string

// The statuses.
const (
	Passed  Status = "PASSED"
	Failed  Status = "FAILED"
	Skipped Status = "SKIPPED"
	Error   Status = "ERROR" // in setting up or tearing down, or while collecting
	XFail   Status = "XFAIL" // failed, as was expected
	XPass   Status = "XPASS" // passed, although it was expected to fail; only of junit and unittest
)

// Good reports whether a status counts as passed. XFAIL does, as in SWE-bench.
func (s Status) Good() bool { return s == Passed || s == XFail }

// Results are what a log says of its tests.
type Results struct {
	Status map[string]Status
	Output map[string]string // of tests that failed, where the format has it, up to MaxOutput bytes

	// Contradicted are tests that were reported both as good and as not good. Their status is the last.
	Contradicted map[string]bool
}

// MaxOutput is how much output of one test is kept, in bytes: the start and the end.
const MaxOutput = 16 << 10

// maxTests is the largest number of tests of a log; further ones are ignored.
const maxTests = 1 << 20

func newResults() *Results {
	return &Results{Status: map[string]Status{}, Output: map[string]string{}, Contradicted: map[string]bool{}}
}

// set records the status of a test. A later line replaces an earlier one.
func (r *Results) set(id string, s Status) {
	before, known := r.Status[id]
	if known && before.Good() != s.Good() {
		r.Contradicted[id] = true
	}
	if id != "" && (known || len(r.Status) < maxTests) {
		r.Status[id] = s
	}
}

// output records what a test wrote.
func (r *Results) output(id, text string) {
	text = strings.TrimSpace(text)
	if text == "" || id == "" {
		return
	}
	if len(text) > MaxOutput {
		half := MaxOutput / 2
		text = strings.ToValidUTF8(text[:half], "") + "\n…\n" + strings.ToValidUTF8(text[len(text)-half:], "")
	}
	r.Output[id] = text
}

// Parser is a format of test output.
type Parser struct {
	Name  string
	About string
	// Structured is true for formats made for machines, from which a program's own output is separated.
	Structured bool

	parse func(log string, r *Results)
}

// parsers in alphabetical order.
var parsers = [...]Parser{
	{"ant-junit", "Ant's junit task with [PASS] lines", false, lineParser(antLine)},
	{"cargo", "cargo test", false, parseCargo},
	{"cucumber", "cucumber --format progress, as written by Jekyll", false, lineParser(cucumberLine)},
	{"django", "Django's runtests.py --verbosity 2", false, parseDjango},
	{"doctest-xml", "doctest (C++) -s -r=xml", true, parseDoctest},
	{"go-test", "go test -v", false, parseGoTest},
	{"go-test-json", "go test -json", true, parseGoTestJSON},
	{"googletest", "GoogleTest", false, lineParser(googleLine)},
	{"gradle", "Gradle with a line for each test", false, parseGradle},
	{"jest", "jest --verbose", false, lineParser(jestLine)},
	{"jest-json", "jest --json and vitest --reporter=json", true, parseJestJSON},
	{"jest-lines", "lines of [PASSED] or [FAILED] and the full name", false, lineParser(bracketLine)},
	{"jq", "jq's own test scripts", false, lineParser(jqLine)},
	{"junit", "JUnit XML; ids as pytest writes them if they are pytest's", true, parseJUnit},
	{"karma", "karma-spec-reporter", false, parseKarma},
	{"maven", "mvn test, one test for each command, with the commands in the log", false, parseMaven},
	{"micropython", "MicroPython's run-tests.py", false, lineParser(micropythonLine)},
	{"minitest", "minitest --verbose", false, lineParser(minitestLine)},
	{"mocha-json", "mocha --reporter json", true, parseMochaJSON},
	{"node-test", "node --test with its spec reporter, and mocha's", false, parseSpec},
	{"phpunit", "phpunit --testdox", false, parsePHPUnit},
	{"pytest", "pytest -rA", false, parsePytest},
	{"pytest-matplotlib", "pytest -rA, with matplotlib's names of mouse buttons as numbers", false, parseMatplotlib},
	{"pytest-options", "pytest -rA, with absolute paths in parameters shortened", false, parsePytestOptions},
	{"pytest-v2", "pytest -rA, in colour, ids with spaces, and pytest -v before 4.2", false, parsePytestV2},
	{"redis", "Redis' runtest", false, lineParser(redisLine)},
	{"rspec-lines", "lines of a full name and passed or failed", false, lineParser(rspecLine)},
	{"seaborn", "pytest -rA of seaborn, which has no skipped tests", false, parseSeaborn},
	{"sympy", "SymPy's bin/test --verbose", false, parseSympy},
	{"tap", "TAP, as node --test --test-reporter=tap writes it too", false, parseTAP},
	{"test-unit", "test-unit --verbose", false, lineParser(testUnitLine)},
	{"unittest", "python -m unittest -v; ids as module.Class.test", false, parseUnittest},
	{"vitest", "vitest --reporter=verbose", false, lineParser(vitestLine)},
}

// Parsers lists the names of all formats.
func Parsers() []string {
	names := make([]string, len(parsers))
	for i, p := range parsers {
		names[i] = p.Name
	}
	return names
}

// Find returns a format by its name.
func Find(name string) (Parser, error) {
	i := slices.IndexFunc(parsers[:], func(p Parser) bool { return p.Name == name })
	if i < 0 {
		return Parser{}, fmt.Errorf("%q is no format of test output: write one of %s", name, strings.Join(Parsers(), ", "))
	}
	return parsers[i], nil
}

// Parse reads a log in this format. Invalid UTF-8 is replaced.
func (p Parser) Parse(log string) *Results {
	r := newResults()
	log = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(log) // as Python opens text files
	log = strings.ToValidUTF8(log, "\ufffd")
	p.parse(log, r)
	p.reveal(log, r)
	return r
}

// lineParser reads a format of which each line, without white space around it, says all of a test.
func lineParser(one func(line string) (id string, s Status)) func(string, *Results) {
	return func(log string, r *Results) {
		for line := range strings.Lines(log) {
			if id, s := one(strings.TrimSpace(line)); s != "" {
				r.set(id, s)
			}
		}
	}
}
