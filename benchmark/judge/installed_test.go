package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/language"
)

// TestLanguages: every language is named, with what was found or what to install.
func TestLanguages(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	list := Languages(t.Context(), "/nonexistent/python")
	if len(list) != len(language.Names()) {
		t.Errorf("%d languages, want %d", len(list), len(language.Names()))
	}
	for _, l := range list {
		if l.Err == nil || l.Install == "" || l.Title == "" {
			t.Errorf("%+v", l)
		}
	}
	t.Setenv("PATH", "/usr/bin:/bin")
	for _, l := range Languages(t.Context(), "") {
		if l.Name == "bash" && (l.Err != nil || !strings.Contains(l.Found, "bash")) {
			t.Errorf("%+v", l)
		}
	}
}

// TestInstalledLanguagesAreReady: what is made for the programs of a language can be made, or tests of it would be
// skipped as if it were not installed.
func TestInstalledLanguagesAreReady(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, l := range Languages(t.Context(), "") {
		task := &benchmark.Task{ID: "t", Language: l.Name, Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}}
		if err := j.Ready(task); l.Err == nil && err != nil {
			t.Errorf("%s is installed, %s, and not ready: %v", l.Title, l.Found, err)
		}
	}
}
