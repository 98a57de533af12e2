package frame

import "testing"

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                "plain",
		"a\x1b[31mred\x1b]0;title\x07":         "ared",
		"if admin\u202e \u2066// nobody\u2069": "if admin⟨U+202E⟩ ⟨U+2066⟩// nobody⟨U+2069⟩",
		"שלום \u200f“x” …":                     "שלום \u200f“x” …",
		"a\x1b]0;title\nline\x1b[0m":           "a0;title\nline",
		"a\x1bPtext":                           "atext",
		"a\x90text \x9dtext":                   "a\ufffdtext \ufffdtext",
		"two\r\nlines\tand a tab":              "two\nlines\tand a tab",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q is drawn as %q", text, got)
		}
	}
}
