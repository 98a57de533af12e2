package testlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
)

// text is the results, one test a line.
func (r *Results) text() string {
	var lines []string
	for id := range r.Status {
		lines = append(lines, fmt.Sprintf("%s %s", r.Status[id], id))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestParse(t *testing.T) {
	for _, tc := range []struct{ parser, log, want string }{
		{"pytest", "t.py .F [100%]\n" +
			"=================================== FAILURES ===================================\n_________________________________ C.test_b __________________________________\n    assert 1 == 2\n" +
			"=========================== short test summary info ============================\n" +
			"PASSED t.py::test_a[x y]\nSKIPPED [2] t.py:9: no reason\nXFAIL t.py::test_x\nERROR t.py::test_e - fixture\nFAILED t.py::C::test_b - assert 1 == 2\nFAILED\n",
			"ERROR t.py::test_e\nFAILED t.py::C::test_b\nPASSED t.py::test_a[x\nXFAIL t.py::test_x"},
		{"pytest-options", "PASSED t.py::test_a[/tmp/x/y.toml]\nPASSED t.py::test_b[//h/p]\nFAILED t.py::test_c[1] - x\n",
			"FAILED t.py::test_c[1]\nPASSED t.py::test_a[/y.toml]\nPASSED t.py::test_b[//h/p]"},
		{"pytest-v2", "\x1b[32mPASSED\x1b[0m t.py::\x1b[1mtest_a[x y]\x1b[0m\nt.py::test_old FAILED\nFAILED t.py::test_b[a - b] - boom\nSKIPPED [1] t.py:3: why\n",
			"FAILED t.py::test_b[a\nFAILED t.py::test_old\nPASSED t.py::test_a[x y]"},
		{"pytest-matplotlib", "PASSED t.py::test_a[MouseButton.LEFT]\n", "PASSED t.py::test_a[1]"},
		{"seaborn", "FAILED t.py::test_b - x\nPASSED t.py::test_a\nt.py::test_c PASSED [ 50%]\nSKIPPED t.py::test_d\n",
			"FAILED t.py::test_b\nPASSED t.py::test_a\nPASSED t.py::test_c"},
		{"django", "test_a (m.C) ... ok\ntest_b (m.C) ... FAIL\nA docstring. ... ERROR\ntest_s (m.C) ... skipped 'why'\n" +
			"test_l (m.C) ... Creating table\nok\ntest_i (m.C) ... System check identified no issues (0 silenced)\nok\n" +
			"======\nFAIL: test_b (m.C)\n------\nTraceback\n",
			"ERROR A docstring.\nFAILED test_b\nFAILED test_b (m.C)\nPASSED test_a (m.C)\nPASSED test_i (m.C)\nPASSED test_l (m.C)\nSKIPPED test_s (m.C)"},
		{"unittest", "test_a (m.C) ... ok\ntest_b (m.C.test_b) ... FAIL\ntest_d (m.C)\nA docstring. ... ok\ntest_s (m.C) ... skipped 'why'\ntest_x (m.C) ... expected failure\n",
			"FAILED m.C.test_b\nPASSED m.C.test_a\nPASSED m.C.test_d\nSKIPPED m.C.test_s\nXFAIL m.C.test_x"},
		{"sympy", "sympy/core/tests/test_x.py[3]\ntest_a ok\ntest_b F\ntest_c E [FAIL]\ntest_d f\n" +
			"________________________________________________________________________________\n___ sympy/core/tests/test_x.py:test_b ___\nTraceback\n",
			"FAILED sympy/core/tests/test_x.py:test_b\nFAILED test_b\nPASSED test_a"},
		{"go-test", "=== RUN   TestA\n=== RUN   TestA/sub\n    x_test.go:3: no\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\n--- PASS: TestB (1.20s)\n--- SKIP: TestC (0.00s)\nFAIL\n",
			"FAILED TestA\nFAILED TestA/sub\nPASSED TestB\nSKIPPED TestC"},
		{"go-test-json", `{"Action":"run","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"output","Package":"p","Test":"TestA","Output":"--- PASS: TestB (0.00s)\n"}` + "\n" +
			`{"Action":"fail","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"p","Test":"TestD"}` + "\n" + `{"Action":"skip","Package":"q","Test":"TestD"}` + "\n--- PASS: TestZ (0.00s)\n",
			"FAILED TestA\nPASSED p.TestD\nSKIPPED q.TestD"},
		{"tap", "TAP version 13\nok 1 a\nnot ok 2 b c\n    ok 1 nested\n# tests 2\n", "FAILED b c\nPASSED a\nPASSED nested"},
		{"node-test", "▶ suite\n  ✔ a (1.2ms)\n  ✖ b (0.3ms)\n▶ suite (3ms)\n✔ top (1ms)\n﹣ later (0.1ms) # SKIP\nℹ tests 4\n✖ failing tests:\n✖ b (0.3ms)\n",
			"FAILED suite > b\nPASSED suite > a\nPASSED top\nSKIPPED later"},
		{"jest", "PASS x.test.js\n  suite\n    ✓ a (12 ms)\n    ✕ b\n    ○ skipped c\n", "FAILED b\nPASSED a\nSKIPPED skipped c"},
		{"jest-json", "> jest --json\n" + `{"success":false,"testResults":[{"name":"/x.js","status":"failed","assertionResults":[{"fullName":"s a","status":"passed"},{"fullName":"s b","status":"failed","failureMessages":["boom"]},{"fullName":"s c","status":"pending"}]},{"name":"/y.js","status":"failed","message":"syntax","assertionResults":[]}]}` + "\nDone\n",
			"ERROR /y.js\nFAILED s b\nPASSED s a\nSKIPPED s c"},
		{"mocha-json", "{\n \"stats\": {},\n \"passes\": [{\"fullTitle\": \"s a\"}],\n \"failures\": [{\"fullTitle\": \"s b\", \"err\": {\"message\": \"no\"}}],\n \"pending\": [{\"fullTitle\": \"s c\"}]\n}\n",
			"FAILED s b\nPASSED s a\nSKIPPED s c"},
		{"jest-lines", "[PASSED] s a\n[FAILED] s b\n", "FAILED s b\nPASSED s a"},
		{"vitest", " ✓ x.ts > s > a 12ms\n × x.ts > s > b\n ↓ x.ts > s > c [skipped]\n", "FAILED x.ts > s > b\nPASSED x.ts > s > a\nSKIPPED x.ts > s > c"},
		{"karma", "✔ before\nStarting browser Chrome\n\n  suite\n    inner\n      ✔ a\n      ✖ b\n\nSUMMARY:\n✔ 1 test\n", "FAILED suite > inner > b\nPASSED suite > inner > a"},
		{"junit", `<?xml version="1.0"?><testsuites><testsuite name="pytest"><testcase classname="tests.test_x.TestC" name="test_a[1]"/><testcase classname="tests.test_x" name="test_b"><failure message="no">trace</failure></testcase><testcase classname="tests.test_x" name="test_s"><skipped type="pytest.skip"/></testcase><testcase classname="tests.test_x" name="test_x"><skipped type="pytest.xfail"/></testcase><testcase classname="" name="tests.test_y"><error message="collection failure">boom</error></testcase></testsuite></testsuites>`,
			"ERROR tests/test_y.py\nFAILED tests/test_x.py::test_b\nPASSED tests/test_x.py::TestC::test_a[1]\nSKIPPED tests/test_x.py::test_s\nXFAIL tests/test_x.py::test_x"},
		{"junit", "noise\n<testsuite name=\"s\"><testcase classname=\"p.C\" name=\"a\"/><testcase name=\"b\"><error/></testcase></testsuite>", "ERROR b\nPASSED p.C.a"},
		{"cargo", "test a::b ... ok\ntest c ... FAILED\ntest e - should panic ... ok\ntest d ... ignored\n\nfailures:\n\n---- c stdout ----\nboom\n\nfailures:\n    c\n", "FAILED c\nPASSED a::b\nPASSED e"},
		{"maven", "+ mvn test -Dtest=A#b -q\n[INFO] BUILD SUCCESS\n+ mvn test -Dtest=A#c\n[INFO] BUILD FAILURE\n", "FAILED A#c\nPASSED A#b"},
		{"gradle", "p.C > a PASSED\np.C > b FAILED\np.C > c\nwarning\nPASSED\n", "FAILED p.C > b\nPASSED p.C > a\nPASSED p.C > c"},
		{"ant-junit", "    [junit] [PASS] a\n    [junit] [ERR] b\n", "FAILED b\nPASSED a"},
		{"phpunit", "Some Suite (A\\B)\n ✔ a\n ✘ b\n ↩ c\n", "FAILED Some Suite > b\nPASSED Some Suite > a\nSKIPPED Some Suite > c"},
		{"minitest", "C#test_a = 0.01 s = .\nC. test_b = 0.02 s = F\n", "FAILED C"},
		{"cucumber", "Scenario: a ......\nScenario: b ....F\n", "FAILED Scenario: b\nPASSED Scenario: a"},
		{"test-unit", "  test: a:\t.: (0.1)\n  test: b:\tF\n  c:\tO\n", "FAILED b\nPASSED a\nSKIPPED c"},
		{"rspec-lines", "C a - passed\nC b - failed\n", "FAILED C b\nPASSED C a"},
		{"redis", "[ok]: a (12 ms)\n[err]: b in tests/x.tcl\n[skip]: c\n", "FAILED b\nPASSED a\nSKIPPED c"},
		{"jq", "PASS: a\nFAIL: b\n", "FAILED b\nPASSED a"},
		{"micropython", "pass  a.py\nFAIL  b.py\nskip  c.py\n", "FAILED b.py\nPASSED a.py\nSKIPPED c.py"},
		{"googletest", "[       OK ] S.a (0 ms)\n[  FAILED  ] S.b (1 ms)\n", "FAILED S.b\nPASSED S.a"},
		{"doctest-xml", `x<doctest><TestSuite><TestCase name="t"><SubCase name="a"><Expression success="true"/></SubCase><SubCase name="b"><Expression success="false"/></SubCase></TestCase></TestSuite></doctest>y`,
			"FAILED t > b\nPASSED t > a"},
	} {
		t.Run(tc.parser, func(t *testing.T) {
			p, err := Find(tc.parser)
			fatal.If(t, err)
			if got := p.Parse(tc.log).text(); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// Every format has a case in TestParse, and an unknown one is refused with the list.
func TestFind(t *testing.T) {
	if !slices.IsSorted(Parsers()) {
		t.Error("the formats are not sorted")
	}
	if _, err := Find("nose"); err == nil || !strings.Contains(err.Error(), "pytest-v2") {
		t.Error(err)
	}
}

// Failing tests keep what they wrote.
func TestOutput(t *testing.T) {
	for _, tc := range []struct{ parser, log, id, want string }{
		{"pytest", "==== FAILURES ====\n____ C.test_b ____\n    assert 1 == 2\n==== short test summary info ====\nFAILED t.py::C::test_b - assert\n", "t.py::C::test_b", "assert 1 == 2"},
		{"unittest", "test_b (m.C) ... FAIL\n\n======================\nFAIL: test_b (m.C)\n----------------------\nTraceback\nAssertionError\n\n----------------------\nRan 2 tests in 0.1s\n\nFAILED (failures=1)\n", "m.C.test_b", "Traceback"},
		{"django", "test_b (m.C) ... FAIL\n\n======================\nFAIL: test_b (m.C)\n----------------------\nTraceback\n", "test_b (m.C)", "Traceback"},
		{"sympy", "test_b F\n______\n__ x/test_x.py:test_b __\nTraceback\n=== tests finished ===\n", "test_b", "Traceback"},
		{"go-test", "=== RUN   TestA\n    x_test.go:3: no\n--- FAIL: TestA (0.00s)\n", "TestA", "x_test.go:3: no"},
		{"go-test-json", `{"Action":"output","Package":"p","Test":"TestA","Output":"boom\n"}` + "\n" + `{"Action":"fail","Package":"p","Test":"TestA"}` + "\n", "TestA", "boom"},
		{"cargo", "test c ... FAILED\nfailures:\n---- c stdout ----\nboom\n", "c", "boom"},
		{"junit", `<testsuite><testcase name="b"><failure message="no">trace</failure><system-out>said</system-out></testcase></testsuite>`, "b", "said"},
		{"pytest", "==== FAILURES ====\n____ test_b ____\n" + strings.Repeat("x", 1<<20) + "\n==== x ====\nFAILED t.py::test_b\n", "t.py::test_b", "…"},
	} {
		p, err := Find(tc.parser)
		fatal.If(t, err)
		got := p.Parse(tc.log).Output[tc.id]
		if !strings.Contains(got, tc.want) || len(got) > MaxOutput+16 || strings.Contains(got, "Ran 2 tests") || strings.HasSuffix(got, "--") {
			t.Errorf("%s: output of %s is %q", tc.parser, tc.id, got[:min(len(got), 200)])
		}
	}
}

func TestGrade(t *testing.T) {
	status := map[string]Status{"a": Passed, "b": Failed, "e": Error, "s": Skipped, "x": XFail, "p[1-a]": Passed, "p[1-b]": Passed, "q[1-a]": Passed, "q[1-b]": Failed, "u": "FAILED:"}
	for _, tc := range []struct {
		name          string
		lists         Lists
		want          Outcome
		failed, other string
		peculiar      int
	}{
		{"all", Lists{FailToPass: []string{"a"}, PassToPass: []string{"a"}}, Resolved, "", "", 0},
		{"some", Lists{FailToPass: []string{"a", "b"}, PassToPass: []string{"a"}}, Partly, "b", "", 0},
		{"none", Lists{FailToPass: []string{"b", "e"}}, Unresolved, "b e", "", 0},
		{"broken", Lists{FailToPass: []string{"a"}, PassToPass: []string{"b"}}, Unresolved, "", "b", 0},
		{"missing", Lists{FailToPass: []string{"a", "zzz"}}, Partly, "zzz", "", 0},
		{"skipped in fail to pass", Lists{FailToPass: []string{"s"}}, Unresolved, "s", "", 0},
		{"skipped in pass to pass", Lists{FailToPass: []string{"a"}, PassToPass: []string{"s"}}, Resolved, "", "", 0},
		{"expected failure", Lists{FailToPass: []string{"x"}}, Resolved, "", "", 1},
		{"cut off", Lists{FailToPass: []string{"p[1"}}, Resolved, "", "", 1},
		{"cut off, ambiguous", Lists{FailToPass: []string{"q[1"}}, Unresolved, "q[1", "", 0},
		{"prefix without parameters", Lists{FailToPass: []string{"p"}}, Unresolved, "p", "", 0},
		{"unknown status is in no list", Lists{FailToPass: []string{"a", "u"}}, Resolved, "", "", 0},
		{"no lists", Lists{}, Resolved, "", "", 0},
		{"fail only", Lists{FailToPass: []string{"zzz", "e"}, PassToPass: []string{"b"}, FailOnly: true}, Unresolved, "", "b", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := Grade(status, tc.lists)
			if g.Outcome() != tc.want || strings.Join(g.FailToPass.Failure, " ") != tc.failed || strings.Join(g.PassToPass.Failure, " ") != tc.other || len(g.Peculiar) != tc.peculiar {
				t.Errorf("%s, %+v", g.Outcome(), g)
			}
		})
	}
}

// An id that the log has in another spelling is told from one that it does not have.
func TestMisspelt(t *testing.T) {
	for _, tc := range []struct{ name, id, log, want string }{
		{"the same", "tests/test_a.py::C::test_x", "tests/test_a.py::C::test_x", ""},
		{"dots for slashes", "tests.test_a.C.test_x", "tests/test_a.py::C::test_x", "tests/test_a.py::C::test_x"},
		{"slashes for dots", "tests/test_a.py::C::test_x", "tests.test_a.C.test_x", "tests.test_a.C.test_x"},
		{"name before its class", "test_x (tests.test_a.C)", "tests.test_a.C.test_x", "tests.test_a.C.test_x"},
		{"name before its class and name", "test_x (tests.test_a.C)", "test_x (tests.test_a.C.test_x)", "test_x (tests.test_a.C.test_x)"},
		{"without directory", "test_a.py::test_x", "tests/test_a.py::test_x", "tests/test_a.py::test_x"},
		{"with directory", "pkg/tests/test_a.py::test_x", "tests/test_a.py::test_x", "tests/test_a.py::test_x"},
		{"with package", "example.com/m/p.TestA", "TestA", "TestA"},
		{"suites", "suite > inner > a", "suite inner a", "suite inner a"},
		{"parameters", "tests.test_a.test_x[1-2]", "tests/test_a.py::test_x[1-2]\ntests/test_a.py::test_x[2-1]", "tests/test_a.py::test_x[1-2]"},
		{"other parameters", "tests/test_a.py::test_x[1]", "tests/test_a.py::test_x[2]\ntests/test_a.py::test_x", ""},
		{"its file alone", "tests/test_a.py::test_x", "tests/test_a.py", ""},
		{"another test", "tests/test_a.py::test_x", "tests/test_a.py::test_y", ""},
		{"of two files", "test_x", "tests/test_a.py::test_x\ntests/test_b.py::test_x", ""},
		{"a test that is expected itself", "TestA", "other.TestA", ""},
	} {
		status := map[string]Status{}
		for id := range strings.Lines(tc.log) {
			status[strings.TrimSpace(id)] = Passed
		}
		if got := Misspelt(status, Lists{FailToPass: []string{tc.id}, PassToPass: []string{"other.TestA"}}); got[tc.id] != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// No log makes a parser panic.
func FuzzParse(f *testing.F) {
	f.Add("PASSED a[1] - b\n--- FAIL: T (0s)\n<testsuite><testcase name='a'/>{\"testResults\":[]}\n<doctest></doctest> ✔ a\n")
	f.Fuzz(func(t *testing.T, log string) {
		for _, p := range parsers {
			p.Parse(log)
		}
	})
}
