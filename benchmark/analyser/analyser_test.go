package analyser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/benchmark/sandbox"
	"assay/data/fatal"
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
)

func rate(t *testing.T, r Result, d quality.Dimension) scoring.Rating {
	t.Helper()
	rating, err := r.Rating(d)
	fatal.If(t, err)
	return rating
}

// Recorded output of the real analysers, and the results made from it.
func TestRecorded(t *testing.T) {
	for _, c := range []struct {
		name                  string
		tool                  *tool
		reliability, security scoring.Rating
		rules                 string // those that touch a rating
	}{
		{"bandit", bandit(), "", "E", "B602 B324"},
		{"bandit-clean", bandit(), "", "A", ""},
		{"bandit-hidden", bandit(), "", "C", "B307"},
		{"pylint-hidden", pylint(), "E", "", "E0602"},
		{"eslint-hidden", eslint(), "A", "D", "sonarjs/code-eval"},
		{"gosec-hidden", gosec(), "", "C", "G401"},
		{"bandit-broken", bandit(), "", "", ""},
		{"pylint", pylint(), "E", "", "E0602 R0124 W0123 E1121 W0101"},
		{"pylint-clean", pylint(), "A", "", ""},
		{"pylint-broken", pylint(), "E", "", "E0001"},
		{"eslint", eslint(), "D", "D", "sonarjs/no-all-duplicated-branches sonarjs/code-eval sonarjs/no-extra-arguments"},
		{"eslint-clean", eslint(), "A", "A", ""},
		{"eslint-broken", eslint(), "E", "A", "syntax-error"},
		{"gosec", gosec(), "", "C", "G401 G204 G501"},
		{"gosec-clean", gosec(), "", "A", ""},
		{"gosec-broken", gosec(), "", "", ""},
	} {
		r := recorded(t, c.name, c.tool)
		if got := rate(t, r, quality.Reliability); got != c.reliability {
			t.Errorf("%s: reliability %q: %s", c.name, got, summary(r))
		}
		if got := rate(t, r, quality.Security); got != c.security {
			t.Errorf("%s: security %q: %s", c.name, got, summary(r))
		}
		for _, rule := range strings.Fields(c.rules) {
			if !strings.Contains(summary(r), rule+" ") {
				t.Errorf("%s: no %s in %s", c.name, rule, summary(r))
			}
		}
		if r.Analyser == "" || len(r.Analysed) == 0 && r.Note == "" {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Output without a result is an error, never an A.
func TestCrashes(t *testing.T) {
	for _, tool := range tools() {
		for _, o := range []output{
			{exit: 1, stderr: "Traceback (most recent call last):\nKeyError"}, {exit: 0}, {exit: 2, stdout: []byte("usage: …")},
			{exit: 0, stdout: []byte("<html>")}, {exit: 0, stdout: []byte("null")}, {exit: 0, stdout: []byte(`{"results": [`)}, {exit: 137},
		} {
			r, err := (&Analyser{Name: tool.name, Version: "1", tool: tool}).result(o, Builtin())
			if err == nil {
				t.Errorf("%s: exit %d, %q gave %+v", tool.name, o.exit, o.stdout, r)
			}
		}
	}
	for name, o := range map[string]output{
		"bandit": {exit: 0, stdout: []byte(`{"errors": [{"filename": "code.py", "reason": "exception while scanning file"}], "results": []}`)},
		"pylint": {exit: 1, stdout: []byte(`[{"type": "fatal", "message-id": "F0002", "message": "astroid-error", "line": 1}]`)},
		"gosec":  {exit: 0, stdout: []byte(`{"Golang errors": {}, "Issues": [], "Stats": {"files": 0}}`)},
		"eslint": {exit: 0, stdout: []byte(`[{"messages": [{"ruleId": null, "message": "File ignored because no matching configuration was supplied."}]}]`)},
	} {
		for _, tool := range tools() {
			if tool.name != name {
				continue
			}
			if r, err := (&Analyser{Name: name, Version: "1", tool: tool}).result(o, Builtin()); err == nil {
				t.Errorf("%s gave %+v", name, r)
			}
		}
	}
}

// Output of analysers that were not available, written from their documentation.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		name string
		tool *tool
		out  string
		want string
	}{
		{"ruff", ruff(), `[{"code": "F821", "message": "Undefined name ` + "`x`" + `", "location": {"row": 2, "column": 5}}, {"code": "S602", "message": "m", "location": {"row": 3, "column": 1}}, {"code": "F401", "message": "m", "location": {"row": 1, "column": 1}}]`,
			"[reliability security] false\nF821 BLOCKER reliability 2\nS602 BLOCKER security 3\n"},
		{"ruff, broken code", ruff(), `[{"code": null, "message": "SyntaxError", "location": {"row": 1, "column": 5}}]`, "[reliability security] false\ninvalid-syntax BLOCKER reliability 1\n"},
		{"semgrep", semgrep(), `{"results": [{"check_id": "rules.eval", "start": {"line": 4}, "extra": {"message": "m", "severity": "ERROR"}}], "errors": []}`,
			"[security] false\nrules.eval CRITICAL security 4\n"},
		{"lintr", lintr(), "seq_linter\twarning\t3\tseq_along is meant\nerror\terror\t1\tunexpected symbol\nlintr-end\n",
			"[reliability] false\nseq_linter MAJOR reliability 3\nerror BLOCKER reliability 1\n"},
	} {
		r, err := (&Analyser{Name: c.tool.name, Version: "9.9", tool: c.tool}).result(output{stdout: []byte(c.out)}, Builtin())
		if err != nil || summary(r) != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, summary(r))
		}
	}
}

// The table agrees with the proposal that it was made from.
func TestSeverities(t *testing.T) {
	table := Builtin()
	for _, c := range []struct {
		analyser, rule, severity, confidence string
		want                                 quality.Severity
		dimension                            quality.Dimension
	}{
		{"bandit", "B602", "HIGH", "HIGH", quality.Blocker, quality.Security},
		{"bandit", "B201", "HIGH", "MEDIUM", quality.Critical, quality.Security},
		{"bandit", "B608", "MEDIUM", "LOW", quality.Major, quality.Security},
		{"bandit", "B311", "LOW", "HIGH", quality.Minor, quality.Security},
		{"pylint", "E0001", "", "", quality.Blocker, quality.Reliability},
		{"pylint", "E0602", "", "", quality.Blocker, quality.Reliability},
		{"pylint", "E1306", "", "", quality.Blocker, quality.Reliability},
		{"pylint", "E1101", "", "", quality.Critical, quality.Reliability},
		{"pylint", "E1142", "", "", quality.Critical, quality.Reliability},
		{"pylint", "W0101", "", "", quality.Major, quality.Reliability},
		{"pylint", "W0102", "", "", quality.Major, quality.Smell},
		{"pylint", "W0702", "", "", quality.Major, quality.Smell},
		{"pylint", "W0123", "", "", quality.Critical, quality.Security},
		{"pylint", "C0114", "", "", quality.Major, quality.Smell},
		{"sarif", "x", "error", "", quality.Critical, quality.Security},
		{"sarif", "x", "", "", quality.Major, quality.Security},
		{"sarif", "x", "none", "", quality.Minor, quality.Security},
	} {
		s, d, keep, err := table.of(c.analyser, c.rule, c.severity, c.confidence)
		if err != nil || !keep || s != c.want || d != c.dimension {
			t.Errorf("%s %s %s %s: %s %s %v %v", c.analyser, c.rule, c.severity, c.confidence, s, d, keep, err)
		}
	}
	if _, _, keep, err := table.of("bandit", "B101", "LOW", "HIGH"); keep || err != nil {
		t.Errorf("an assert is kept: %v", err)
	}
	if _, _, _, err := table.of("mystery", "x", "", ""); !errors.Is(err, errUnknown) {
		t.Error(err)
	}
}

func TestLoadSeverities(t *testing.T) {
	mine, err := LoadSeverities("severities.example.toml")
	fatal.If(t, err)
	if _, _, keep, _ := mine.of("bandit", "B311", "LOW", "HIGH"); keep {
		t.Error("the user's entry does not count")
	}
	if s, _, _, err := mine.of("pylint", "E0602", "", ""); s != quality.Blocker {
		t.Errorf("the other analysers are lost: %v", err)
	}
	for text, want := range map[string]string{
		"# mine\n[[bandit]]\ngives = \"MINOR\"\ndimension = \"security\"\nseverty = \"LOW\"\n": `my.toml:5: bandit.0.severty: the key is not known`,
		"\n[[bandits]]\ngives = \"MINOR\"\ndimension = \"security\"\n":                         `my.toml:2: bandits: there is no such analyser`,
		"[[bandit]]\ngives = \"ignore\"\n[[bandit]]\ngives = \"BAD\"\n":                        `my.toml:3: bandit.1: gives is "BAD"`,
		"[[bandit]]\ngives = \"MINOR\"\ndimension = \"beauty\"\n":                              `my.toml:1: bandit.0: dimension is "beauty"`,
		"[[bandit]]\ngives = \n": "my.toml:2: ",
		"bandit = 3\n":           "bandit",
	} {
		file := filepath.Join(t.TempDir(), "my.toml")
		fatal.If(t, os.WriteFile(file, []byte(text), 0o644))
		if _, err := LoadSeverities(file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	program := func(name, text string) {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755))
	}
	program("bandit", "echo bandit 1.6.2")
	program("pylint", "echo no; exit 3")
	program("ruff", "echo nothing to say")
	program("semgrep", "echo 1.90.0")
	for _, at := range Find(context.Background(), "python", Places{Path: dir}) {
		want := map[string]string{"bandit": "version 1.6.2; at least 1.7", "pylint": "does not run", "ruff": "reports no version", "semgrep": "has no rules"}[at.Name]
		if at.Analyser != nil || !strings.Contains(at.Why, want) || at.Fix == "" {
			t.Errorf("%+v", at)
		}
	}
	for _, at := range Find(context.Background(), "javascript", Places{Path: dir}) {
		if at.Name == "eslint" && (at.Analyser != nil || !strings.Contains(at.Why, "no program eslint")) {
			t.Errorf("%+v", at)
		}
	}
	if list := Find(context.Background(), "cobol", Places{Path: dir}); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

const sarif = `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "CodeQL", "version": "2.15", "rules": [
 {"id": "py/a", "defaultConfiguration": {"level": "error"}}, {"id": "py/b"}]}},
 "results": [
  {"ruleId": "py/a", "message": {"text": "first"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/code.py"}, "region": {"startLine": 7}}}]},
  {"ruleIndex": 1, "message": {"text": "second"}},
  {"ruleId": "py/b", "level": "note", "kind": "pass", "message": {"text": "fine"}},
  {"ruleId": "py/b", "level": "error", "suppressions": [{"kind": "inSource"}], "message": {"text": "known"}}]}]}`

func TestSARIF(t *testing.T) {
	r, err := parseSARIF([]byte(sarif), Builtin())
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"code.py": "[security] false\npy/a CRITICAL security 7\n", "src/code.py": "[security] false\npy/a CRITICAL security 7\n",
		"": "[security] false\npy/b MAJOR security 0\n", "other.py": "[security] false\n", "rc/code.py": "[security] false\n",
	} {
		unused := r.Unused()
		if got := r.Of(file); len(got) != 1 || summary(got[0]) != want || got[0].Analyser != "CodeQL 2.15" || r.Unused() && !unused {
			t.Errorf("%s: %+v", file, got)
		}
	}
	if r.Unused() {
		t.Error("findings that were given are not used")
	}
	for text, want := range map[string]string{
		`<html>`: "invalid", `{}`: "version", `{"version": "2.1.0", "runs": []}`: "no analyser run",
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}}]}`:                                                                                                "did not run",
		`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "invocations": [{"executionSuccessful": false, "exitCodeDescription": "boom"}], "results": []}]}`: "boom",
	} {
		if _, err := parseSARIF([]byte(text), Builtin()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := ReadSARIF("testdata/nothing.sarif", Builtin()); err == nil {
		t.Error("a missing file is read")
	}
}

func FuzzSARIF(f *testing.F) {
	f.Add(sarif)
	f.Fuzz(func(t *testing.T, text string) {
		parseSARIF([]byte(text), Builtin())
	})
}

// server implements the part of SonarQube's Web API in use.
func server(t *testing.T, issues int, ratings map[string]string) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	guard := func(h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer good" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			h(w, r)
		}
	}
	mux.HandleFunc("/api/server/version", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "10.4.1.88267")
	})
	mux.HandleFunc("/api/measures/component", guard(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("component") != "demo" {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"errors": [{"msg": "Component key not found"}]}`)
			return
		}
		list := []map[string]string{}
		for metric, value := range ratings {
			list = append(list, map[string]string{"metric": metric, "value": value})
		}
		json.NewEncoder(w).Encode(map[string]any{"component": map[string]any{"key": "demo", "measures": list}})
	}))
	mux.HandleFunc("/api/issues/search", guard(func(w http.ResponseWriter, r *http.Request) {
		var page int
		fmt.Sscan(r.FormValue("p"), &page)
		list := []map[string]any{}
		for i := (page - 1) * sonarPage; i < min(issues, page*sonarPage); i++ {
			list = append(list, map[string]any{"rule": fmt.Sprint("python:S", i), "severity": "MAJOR", "type": "BUG", "line": i + 1, "message": "m"})
		}
		json.NewEncoder(w).Encode(map[string]any{"total": issues, "paging": map[string]int{"pageIndex": page, "pageSize": sonarPage, "total": issues}, "issues": list})
	}))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestSonarQube(t *testing.T) {
	ratings := map[string]string{"reliability_rating": "3.0", "security_rating": "1.0", "ncloc": "12"}
	s := server(t, 1203, ratings)
	m, err := SonarQube{URL: s.URL + "/", Token: "good"}.Project(context.Background(), "demo")
	if err != nil || len(m.Findings) != 1203 || m.Findings[1202].Line != 1203 || m.Analyser != "SonarQube 10.4.1.88267" {
		t.Fatalf("%v, %d findings of %s", err, len(m.Findings), m.Analyser)
	}
	if m.Ratings[quality.Reliability] != "C" || m.Ratings[quality.Security] != "A" {
		t.Errorf("%v", m.Ratings)
	}
	if _, err := (SonarQube{URL: s.URL, Token: "bad"}).Project(context.Background(), "demo"); !errors.Is(err, errDenied) {
		t.Error(err)
	}
	if _, err := (SonarQube{URL: s.URL, Token: "good"}).Project(context.Background(), "other"); err == nil || !strings.Contains(err.Error(), "Component key not found") {
		t.Error(err)
	}
	m, err = SonarQube{URL: server(t, 0, nil).URL, Token: "good"}.Project(context.Background(), "demo")
	if err != nil || m.Ratings[quality.Reliability] != scoring.NotAnalysed {
		t.Errorf("a project without measures was rated: %v %v", err, m.Ratings)
	}
	if _, err := (SonarQube{URL: server(t, 10_001, ratings).URL, Token: "good"}).Project(context.Background(), "demo"); err == nil || !strings.Contains(err.Error(), "10001 issues") {
		t.Error(err)
	}
}

func TestSonarQubeErrors(t *testing.T) {
	done := make(chan struct{})
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"a login page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>10.4</html>")
		}, "not a SonarQube server"},
		"an error": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, "status 500"},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-done:
			case <-r.Context().Done():
			}
		}, "no answer within"},
	} {
		s := httptest.NewServer(c.handler)
		_, err := SonarQube{URL: s.URL, Timeout: 200 * time.Millisecond}.Project(context.Background(), "demo")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		s.CloseClientConnections()
		s.Close()
	}
	close(done)
	if _, err := (SonarQube{URL: "http://127.0.0.1:1"}).Project(context.Background(), "demo"); err == nil {
		t.Error("a server that is not there answers")
	}
}

func TestEmbedded(t *testing.T) {
	for _, c := range []struct {
		language, source      string
		reliability, security scoring.Rating
		note                  bool
	}{
		{"python", "def f(a):\n    return a + prepared\n", "A", "A", false},
		{"python", "def f(a):\n    return eval(b)\n", "E", "D", false},
		{"python", "def f(:\n", "E", "", true},
		{"python", strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000), "", "", true},
		{"javascript", "x", "", "", true},
		{"cobol", "x", "", "", true},
	} {
		r, err := Embedded(c.language, []byte(c.source), inspect.Context{Before: "prepared = 1\n"})
		if err != nil || rate(t, r, quality.Reliability) != c.reliability || rate(t, r, quality.Security) != c.security || (r.Note != "") != c.note {
			t.Errorf("%s %.20q: %v %+v", c.language, c.source, err, r)
		}
	}
}

func TestCombine(t *testing.T) {
	all := Combine(Result{Analyser: "a 1", Analysed: reliability, Findings: []quality.Finding{{Severity: quality.Critical, Dimension: quality.Security}}},
		Result{Analyser: "b 2", Analysed: security}, Result{Analyser: "c 3", Note: "the code does not parse"})
	if all.Analyser != "a 1, b 2, c 3" || rate(t, all, quality.Reliability) != "A" || rate(t, all, quality.Security) != "D" || all.Note == "" {
		t.Errorf("%+v", all)
	}
	if rate(t, Combine(), quality.Security) != scoring.NotAnalysed {
		t.Error("nothing was rated")
	}
}

// refusing starts nothing, and records the requests.
type refusing struct{ spec sandbox.Spec }

func (r *refusing) Start(_ context.Context, spec sandbox.Spec) (sandbox.Process, error) {
	r.spec = spec
	return nil, errors.New("refused")
}

// The limit on one process is a backstop: the budgets, whose errors name the cause, end a program first.
func TestLimitBehindBudgets(t *testing.T) {
	box := new(refusing)
	if _, err := run(t.Context(), box, []string{"true"}, nil, nil, nil); err == nil {
		t.Fatal("nothing was refused")
	}
	if most := max(startTime, analyseCPU); box.spec.Limits.CPU <= most {
		t.Errorf("a process may use %v, its budget is %v", box.spec.Limits.CPU, most)
	}
}
