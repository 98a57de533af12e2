package console

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A narrow terminal gets fewer columns, then shorter ones; numbers stay whole.
func TestNarrowTables(t *testing.T) {
	const text = "before\nid\tstate\tbegun\ttitle\n01AAAAAAAAAA\topen\t2026-01-01\tA title of some words\n01BBBBBBBBBB\tdone\t2026-01-02\té\n\nafter\n"
	list := &Table{rare: []string{"begun", "state"}}
	for _, c := range []struct {
		name  string
		table *Table
		text  string
		width int
		want  string
	}{
		{"it fits", list, text, 80, text},
		{"a column less", list, text, 45, "before\nid\tstate\ttitle\n01AAAAAAAAAA\topen\tA title of some words\n01BBBBBBBBBB\tdone\té\n(a wider terminal also shows: begun)\n\nafter\n"},
		{"shortened", list, text, 25, "before\nid\ttitle\n01AAAAAAAA…\tA title of …\n01BBBBBBBB…\té\n(a wider terminal also\nshows: begun, state)\n\nafter\n"},
		{"narrower than anything", list, text, 1, "before\nid\ttitle\n01AAAAA…\tA title…\n01BBBBB…\té\n(a wider\nterminal also\nshows: begun,\nstate)\n\nafter\n"},
		{"numbers", NewNumbers(nil), "metric of samples\tvalue\t\npass@1\t0.123456789\t\n", 25, "metric of…\tvalue\t\npass@1\t0.123456789\t\n"},
		{"no table", list, "a line that is longer than the terminal\n", 10, "a line that is longer than the terminal\n"},
		{"nothing", list, "", 10, ""},
	} {
		got := c.table.narrowed(c.text, c.width)
		if got != c.want {
			t.Errorf("%s:\n%s", c.name, got)
		}
		for line := range strings.Lines(got) {
			if cells := strings.Split(line, "\t"); len(cells) > 2 && c.width > 20 && ansi.StringWidth(strings.Join(cells, "  ")) > c.width+1 {
				t.Errorf("%s: %q is wider than %d", c.name, line, c.width)
			}
		}
	}
}

// On a terminal with colours the outcomes in a table have colours, and the table is the same without them; names that
// contain such words, and what a terminal would interpret, stay as they are.
func TestTablesInColour(t *testing.T) {
	fill := func(to io.Writer) {
		w := NewTable(to)
		fmt.Fprintln(w, "task\toutcome\tverdict\nopen house\tsatisfied\taccepted\nx\x1b[2J\tgave_up\twrong_answer\nb\topen\t–")
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	var plain, colored bytes.Buffer
	fill(&output{to: &plain, terminal: true})
	fill(&output{to: &colored, terminal: true, colored: true})
	if got := ansi.Strip(colored.String()); got != plain.String() {
		t.Errorf("with colours:\n%s\nwithout:\n%s", got, plain.String())
	}
	for _, want := range []string{"\x1b[1mtask", "open house  \x1b[32msatisfied\x1b[m  \x1b[32maccepted\x1b[m", "\x1b[31mgave_up\x1b[m", "\x1b[31mwrong_answer\x1b[m", "\x1b[33mopen\x1b[m"} {
		if !strings.Contains(colored.String(), want) {
			t.Errorf("%q lacks %q", colored.String(), want)
		}
	}
}
