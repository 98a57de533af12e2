package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/diff"
	"assay/tui/frame"
)

// draftVersion identifies a text of the editor and the prompt it is compared with.
type draftVersion struct {
	of      draftOf
	version uint64
}

// toggleDifference switches between the task and the draft's changes to the previous prompt.
func (m *Model) toggleDifference() tea.Cmd {
	if m.compose.above == aboveDifference {
		return m.showAbove(aboveStatement)
	}
	return m.showAbove(aboveDifference)
}

// compareDraft computes the difference in the background.
func (m *Model) compareDraft() tea.Cmd {
	c, before := &m.compose, m.Previous()
	if c.above != aboveDifference || before == nil || before.Sent == nil {
		return nil
	}
	old, draft := m.Text(before.Sent.Prompt), c.area.Value()
	return c.differ.Ask(draftVersion{c.of, c.area.Version()}, func(context.Context) []diff.Run { return diff.Words(old, draft) })
}

// draftChanges shows the draft's changes to the previous prompt: deleted text as [-…-], new text
// as {+…+}, and the ends of long unchanged parts.
func (m *Model) draftChanges(width int) string {
	head := " " + m.Theme.Strong.Render("the draft against the prompt before") + "\n"
	key, list, ok := m.compose.differ.Last()
	if !ok || key.of != m.compose.of {
		return head + " " + m.Theme.Dim.Render("… comparing")
	}
	if !akin(list) {
		return head + " " + m.Theme.Dim.Render("They have little in common. The prompt before:") + "\n" +
			frame.Indent(frame.Wrap(frame.Plain(m.Text(m.Previous().Sent.Prompt)), width-2), " ")
	}
	changed := false
	var b strings.Builder
	for i, d := range list {
		text := frame.Plain(d.Text)
		switch d.Kind {
		case diff.Gone:
			b.WriteString(changedText(text, "[-", "-]", m.Theme.Bad.Render))
			changed = true
		case diff.New:
			b.WriteString(changedText(text, "{+", "+}", m.Theme.Good.Render))
			changed = true
		default:
			b.WriteString(alikeText(text, i == 0, i == len(list)-1))
		}
	}
	if !changed {
		return head + " " + m.Theme.Dim.Render("Both are the same.")
	}
	return head + frame.Indent(frame.Wrap(b.String(), width-2), " ")
}

// akin reports whether two texts share enough for a list of changes to be readable: a quarter of
// the shorter one.
func akin(runs []diff.Run) bool {
	same, gone, fresh := 0, 0, 0
	for _, d := range runs {
		switch n := len(strings.TrimSpace(d.Text)); d.Kind {
		case diff.Gone:
			gone += n
		case diff.New:
			fresh += n
		default:
			same += n
		}
	}
	return gone+fresh == 0 || same > 0 && 4*same >= same+min(gone, fresh)
}

// changedText encloses a run of text in signs and styles each line by itself, so that styles end
// with the line.
func changedText(text, from, to string, style func(...string) string) string {
	const most = 4000 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… %d more bytes", len(text)-most)
	}
	lines := strings.Split(text, "\n")
	lines[0] = from + lines[0]
	lines[len(lines)-1] += to
	for i, l := range lines {
		if l != "" {
			lines[i] = style(l)
		}
	}
	return strings.Join(lines, "\n")
}

// alikeText shortens unchanged text to the lines next to a change.
func alikeText(text string, first, last bool) string {
	lines := strings.Split(text, "\n")
	head, tail := 2, 2
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if len(lines) <= head+tail+2 {
		return text
	}
	ends := append(slices.Clone(lines[:head]), fmt.Sprintf("⋮ %s alike", frame.Count(len(lines)-head-tail, "line")))
	return strings.Join(append(ends, lines[len(lines)-tail:]...), "\n")
}
