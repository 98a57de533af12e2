package document

import (
	"strings"
	"testing"
)

// What only a browser uses is left out of a document's Markdown for the terminal, and nothing else.
func TestUntagged(t *testing.T) {
	type data struct{ N int }
	d := New("A <title> & #1", &data{})
	d.Section("first", "First").Text("Words with <b> & #attempt_k.")
	var text strings.Builder
	if err := d.Markdown(&text, false); err != nil {
		t.Fatal(err)
	}
	if got := Untagged(text.String()); got != text.String() {
		t.Errorf("%q", got)
	}
	got := Untagged("See [task 1](#task-1) and [data](figures/a.csv).\n\n<a id=\"task-1\"></a>\n\n<details><summary>All of it</summary>\n\ninside\n\n</details>\n")
	if want := "See [task 1] and [data](figures/a.csv).\n\nAll of it\n\ninside\n\n\n"; got != want {
		t.Errorf("%q", got)
	}
}
