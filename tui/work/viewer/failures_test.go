package viewer

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// Failures of the same status, message and, without a message, value are one row that counts them, and unfolded each has
// a row; no test case is lost, and every row fits.
func TestEqualFailuresAreOneRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cases []verdicts.CaseResult
		counts := map[string]int{}
		for i := range rapid.IntRange(1, 30).Draw(t, "cases") {
			c := verdicts.CaseResult{Index: i + 1, Call: fmt.Sprintf("call%d()", i+1), Status: rapid.SampledFrom([]verdicts.Status{verdicts.Passed, verdicts.Status(verdicts.RuntimeError), verdicts.Status(verdicts.WrongAnswer)}).Draw(t, "status")}
			switch c.Status {
			case verdicts.Status(verdicts.RuntimeError):
				c.Message = rapid.SampledFrom([]string{"TypeError: none (line 2: x)", "KeyError: 'a' (line 3: y)"}).Draw(t, "message")
				counts[c.Message]++
			case verdicts.Status(verdicts.WrongAnswer):
				c.Expected, c.Got = fmt.Sprint(i), rapid.SampledFrom([]string{"None", "[]"}).Draw(t, "got")
				counts["got "+c.Got]++
			}
			cases = append(cases, c)
		}
		m := New(nil, &session.State{Current: -1}, Options{})
		width := rapid.SampledFrom([]int{40, 60, 120}).Draw(t, "width")
		list := testList{m: &m.testsTab, width: width, chooses: true}
		list.cases(cases)
		folded := ansi.Strip(strings.Join(list.rows, "\n"))
		for what, n := range counts {
			if row := fmt.Sprintf("✗ %d cases: %s", n, what); n > 1 && width == 120 && strings.Count(folded, row) != 1 {
				t.Fatalf("%q is not one row of\n%s", row, folded)
			}
		}
		for _, s := range list.spots {
			m.review.toggled[s.item] = s.kind == failuresItem || s.kind == rangeItem
		}
		list = testList{m: &m.testsTab, width: width, chooses: true}
		list.cases(cases)
		for _, c := range cases {
			if n := strings.Count(ansi.Strip(strings.Join(list.rows, "\n"))+"\n", " "+c.Call+"\n"); n != 1 {
				t.Fatalf("%s is listed %d times in\n%s", c.Call, n, strings.Join(list.rows, "\n"))
			}
		}
		if i := slices.IndexFunc(list.rows, func(row string) bool { return frame.Width(row) > width }); i >= 0 {
			t.Fatalf("too wide: %q", list.rows[i])
		}
	})
}

// Tests of a repository that fail with the same error are one row that counts them, whatever else their output says, and
// so are those that were not reported; unfolded each has its row.
func TestEqualFailuresOfARepository(t *testing.T) {
	outputs := map[string]func(name string) string{
		"ImportError: cannot import name 'total'": func(name string) string {
			return "def " + name + "():\n>   from shop import total\nE   ImportError: cannot import name 'total'\nE   while loading\n\ntests/" + name + ".py:3: ImportError"
		},
		"ValueError: no day: 'today'": func(name string) string {
			return "Traceback (most recent call last):\n  File \"" + name + ".py\", line 7\nValueError: no day: 'today'"
		},
		"AssertionError [ERR_ASSERTION]: 3 == 6": func(name string) string {
			return name + "\n    AssertionError [ERR_ASSERTION]: 3 == 6\n    at " + name + ".js:4:9"
		},
		"failed without output": func(string) string { return "" },
		"not reported":          func(string) string { return "" },
	}
	whats := slices.Sorted(maps.Keys(outputs))
	rapid.Check(t, func(t *rapid.T) {
		counts := map[string]int{}
		var cases []verdicts.CaseResult
		for i := range rapid.IntRange(1, 30).Draw(t, "tests") {
			c := verdicts.CaseResult{Index: i + 1, Name: fmt.Sprintf("test_%dx", i), Call: verdicts.FailToPass, Status: verdicts.Passed}
			if what := rapid.SampledFrom(append(whats, "")).Draw(t, "failure"); what != "" {
				c.Status, c.Message = verdicts.Status(verdicts.WrongAnswer), outputs[what](c.Name)
				if what == "not reported" {
					c.Status = verdicts.NotRun
				}
				counts[what]++
			}
			cases = append(cases, c)
		}
		m := New(nil, &session.State{Current: -1}, Options{})
		draw := func() (*testList, string) {
			list := &testList{m: &m.testsTab, width: 120, chooses: true}
			list.list("must pass now", ofList(cases, verdicts.FailToPass), nil)
			return list, ansi.Strip(strings.Join(list.rows, "\n")) + "\n"
		}
		list, folded := draw()
		for what, n := range counts {
			if row := fmt.Sprintf(" %d tests: %s\n", n, what); (n > 1) != (strings.Count(folded, row) == 1) {
				t.Fatalf("%d tests with %q in\n%s", n, what, folded)
			}
		}
		for _, s := range list.spots {
			m.review.toggled[s.item] = s.kind == failuresItem || s.kind == rangeItem
		}
		_, open := draw()
		for _, c := range cases {
			if n := len(regexp.MustCompile(`(?m)^   [✓✗–] `+c.Name+`( not reported)?$`).FindAllString(open, -1)); n != 1 {
				t.Fatalf("%s is listed %d times in\n%s", c.Name, n, open)
			}
		}
	})
}

// Two values are shown whole, and what differs in them is marked.
func TestDifferencesAreMarked(t *testing.T) {
	m := &reading{Theme: frame.NewTheme(true, false)}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[a-c0-3\[\], \n]{0,30}`)
		expected, got := value.Draw(t, "expected"), value.Draw(t, "got")
		wanted, came := m.marked(expected, got)
		for drawn, of := range map[string]string{wanted: expected, came: got} {
			if plain := strings.TrimSuffix(strings.ReplaceAll(ansi.Strip(drawn), "⏎", ""), "end"); plain != of {
				t.Fatalf("%q is shown as %q", of, plain)
			}
		}
		if expected != got && !strings.Contains(wanted+came, "\x1b[7m") {
			t.Fatalf("nothing is marked in %q and %q", wanted, came)
		}
	})
	if wanted, came := m.marked("[1, 2, 3]", "[1, 5, 3, 4]"); wanted != "[1, \x1b[7m2\x1b[m, 3]" || !strings.Contains(came, "[1, \x1b[7m5\x1b[m, 3") {
		t.Errorf("%q and %q", wanted, came)
	}
}
