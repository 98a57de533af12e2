package document

import (
	"strings"
	"testing"
)

// What only a browser uses is left out of a document's Markdown for the terminal; signs are escaped without letters, and
// passages stay as they are.
func TestUntagged(t *testing.T) {
	type data struct{ N int }
	d := New("A <title> & #1", &data{})
	s := d.Section("first", "First")
	s.Text("Words with <b> & #attempt_k, ~2021.")
	s.Passage("Answer", "List&lt;T> & ``` <b> <summary> [a](#b)")
	var text strings.Builder
	if err := d.Markdown(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`A \<title> & \#1`, `Words with \<b> & \#attempt\_k, ~2021.`, "\nList&lt;T> & ``` <b> <summary> [a](#b)\n"} {
		if got := Untagged(text.String()); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	got := Untagged("See [task 1](#task-1) and [data](figures/a.csv).\n\n<a id=\"task-1\"></a>\n\n<details><summary>All of it</summary>\n\ninside\n\n</details>\n")
	if want := "See [task 1] and [data](figures/a.csv).\n\n\nAll of it\n\ninside\n\n\n"; got != want {
		t.Errorf("%q", got)
	}
}
