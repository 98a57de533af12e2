package testlog

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// noisy are logs of tests a and b; ~ is where a test's output without a line end goes.
var noisy = map[string]string{
	"ant-junit":  "~[junit] [PASS] a\n~[junit] [FAIL] b\n",
	"cargo":      "~test a ... ~ok\n~test b ... ~FAILED\n",
	"django":     "a (m.C) ... ~ok\nb (m.C) ... ~FAIL\n",
	"go-test":    "=== RUN   a\n~--- PASS: a (0.00s)\n=== RUN   b\n~--- FAIL: b (0.01s)\nFAIL\n",
	"jest":       "  ~✓ a (12 ms)\n  ~✕ b\n",
	"jest-lines": "~[PASSED] a\n~[FAILED] b\n",
	"jq":         "~PASS: a\n~FAIL: b\n",
	"node-test":  "~✔ a (1.2ms)\n~✖ b (0.3ms)\nℹ tests 2\n",
	"phpunit":    "Suite (C)\n~ ✔ a\n~ ✘ b\n",
	"redis":      "~[ok]: a (3 ms)\n~[err]: b in tests/x.tcl\n",
	"sympy":      "test_a ~ok\ntest_b ~F\n",
	"tap":        "~ok 1 a\n~not ok 2 b\n",
	"unittest":   "test_a (m.C.test_a) ... ~ok\ntest_b (m.C.test_b)\nA docstring. ... ~FAIL\n",
	"vitest":     " ~✓ a 12ms\n ~× b\n",
}

// What a test writes without a line end hides no result.
func TestHiddenResults(t *testing.T) {
	for name := range revealed {
		parser, err := Find(name)
		if err != nil || noisy[name] == "" {
			t.Errorf("%s: %v, log %q", name, err, noisy[name])
			continue
		}
		want := parser.Parse(strings.ReplaceAll(noisy[name], "~", "")).text()
		if strings.Count(want, "PASSED")+strings.Count(want, "FAILED") != 2 {
			t.Errorf("%s: of a and b the log says %q", name, want)
		}
		rapid.Check(t, func(t *rapid.T) {
			written := rapid.SampledFrom([]string{"", "warning: 3 % ", "done", "look", "Error: no", "(x) [y] ..", "1/2 - ", "\nseveral\nlines", "é"})
			log := noisy[name]
			for strings.Contains(log, "~") {
				log = strings.Replace(log, "~", written.Draw(t, "written"), 1)
			}
			if got := parser.Parse(log).text(); got != want {
				t.Fatalf("%s: %q, want %q, of\n%s", name, got, want, log)
			}
		})
	}
}

// A line that says a test's result is believed before one that may be its output.
func TestHiddenResultsComeSecond(t *testing.T) {
	for _, c := range []struct{ parser, log, want string }{
		{"unittest", "test_a (m.C) ... all is ok\nFAIL\n", "FAILED m.C.test_a"},
		{"unittest", "test_a (m.C) ... all is ok\nmoreFAIL\n", "FAILED m.C.test_a"},
		{"unittest", "test_a (m.C) ... \n======\nFAIL: test_b (m.C)\nlook\n", ""},
		{"django", "test_a (m.C) ... all is ok\nmoreFAIL\n", "FAILED test_a (m.C)"},
		{"go-test", "x--- PASS: TestA (0.00s)\n--- FAIL: TestA (0.00s)\n", "FAILED TestA"},
		{"tap", "not ok 1 a\nx ok 1 a\n", "FAILED a"},
		{"sympy", "test_a not ok\nmore F\ntest_b f\n", "PASSED test_a"},
	} {
		parser, err := Find(c.parser)
		if err != nil {
			t.Fatal(err)
		}
		if got := parser.Parse(c.log).text(); got != c.want {
			t.Errorf("%s: %q, want %q, of\n%s", c.parser, got, c.want, c.log)
		}
	}
}
