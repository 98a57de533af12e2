package judge

import (
	"strings"
	"testing"

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
