package ready

import "testing"

// Paragraphs flow, lists and what is set in stay as they were written.
func TestReflow(t *testing.T) {
	for text, want := range map[string]string{
		"For each task\nwrite a prompt.\n":  "For each task write a prompt.",
		"One.\n\nTwo\nthree.":               "One.\n\nTwo three.",
		"Rules:\n- first\n- second\n1. one": "Rules:\n- first\n- second\n1. one",
		"Code:\n  x = 1\n  y = 2":           "Code:\n  x = 1\n  y = 2",
		"":                                  "",
	} {
		if got := reflow(text); got != want {
			t.Errorf("reflow(%q) = %q, want %q", text, got, want)
		}
	}
}
