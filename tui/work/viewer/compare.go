package viewer

import (
	"context"
	"fmt"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/session"
	"assay/tui/diff"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// besideWidth is the minimum width for two texts side by side.
const besideWidth = frame.WideWidth

// around is the number of unchanged lines shown before and after a change.
const around = 3

// diffKey identifies two texts that are compared.
type diffKey struct {
	before, after session.Ref
	plain         string // the first text, if it is not a stored one
}

// comparedText is a text that code can be compared with.
type comparedText struct {
	name  string
	key   diffKey
	files []session.ChangedFile // of a repository, in place of key
	asked bool                  // compared with on request only
}

// drawKey identifies a drawing of a comparison.
type drawKey struct {
	diffKey
	width  int
	beside bool

	language string // of both texts, "" for prose
	numbered bool   // lines have their numbers
	colours  colours
	sideways bool
}

// colours identifies the colours of a theme.
type colours struct {
	name        frame.ThemeName
	dark, color bool
}

func (m *reading) drawKey(key diffKey, beside bool) drawKey {
	return drawKey{diffKey: key, width: m.Room(), beside: beside && m.Room() >= besideWidth, colours: colours{m.Theme.Name, m.Theme.Dark, m.Theme.Color}, sideways: m.Theme.Sideways}
}

// comparison is a drawn comparison of two texts. It is made in the background, since a megabyte
// of differences takes longer than a key may.
type comparison struct {
	runs    []drawnRun
	summary string // "" if the texts are equal
}

// drawnRun is a run of equal lines, each with its rows, or a run of lines that differ, drawn as
// one.
type drawnRun struct {
	same  bool
	lines [][]string
}

// changesTab is the tab of the changes; the tab of the prompt shows those to the prompt before.
type changesTab struct {
	*reading
	diffs   frame.Latest[drawKey, comparison]       // of code
	trees   frame.Latest[treeKey, []fileComparison] // of repositories
	prompts frame.Latest[drawKey, comparison]
}

// ask starts a comparison.
func (m *changesTab) ask(latest *frame.Latest[drawKey, comparison], key drawKey) tea.Cmd {
	source, theme := m.source, m.Theme
	return latest.Ask(key, func(ctx context.Context) comparison {
		before := key.plain
		if before == "" {
			before = storedText(source, key.before)
		}
		d := drawing{theme: theme, old: frame.Plain(before), new: frame.Plain(storedText(source, key.after))}
		rows := diff.Lines(d.old, d.new)
		if ctx.Err() != nil {
			return comparison{}
		}
		return d.changes(rows, key)
	})
}

// changes draws rows run by run.
func (d drawing) changes(rows []diff.Row, key drawKey) comparison {
	var c comparison
	if added, deleted := countChanges(rows); added+deleted > 0 {
		c.summary = fmt.Sprintf("%s added, %d deleted", frame.Count(added, "line"), deleted)
	}
	look := markdown.LookOf(d.theme, key.width)
	d.width, d.before, d.after = key.width, markdown.Paint(d.old, key.language, look), markdown.Paint(d.new, key.language, look)
	if key.numbered {
		d.numbers = len(fmt.Sprint(len(rows)))
	}
	if key.sideways && !key.beside { // columns side by side always wrap: they cannot scroll sideways
		d.width = markdown.MostColumns
	}
	draw := d.unified
	if key.beside {
		draw = d.sideBySide
	}
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && (rows[j].Kind == diff.Same) == (rows[i].Kind == diff.Same) {
			j++
		}
		run := drawnRun{same: rows[i].Kind == diff.Same}
		if run.same {
			for _, r := range rows[i:j] {
				run.lines = append(run.lines, draw([]diff.Row{r}))
			}
		} else {
			run.lines = [][]string{draw(rows[i:j])}
		}
		c.runs = append(c.runs, run)
		i = j
	}
	return c
}

// countChanges counts the lines that are drawn as new and as deleted; a changed line is both.
func countChanges(rows []diff.Row) (added, deleted int) {
	for _, r := range rows {
		if r.Kind == diff.New || r.Kind == diff.Changed {
			added++
		}
		if r.Kind == diff.Gone || r.Kind == diff.Changed {
			deleted++
		}
	}
	return added, deleted
}

// treeKey identifies a drawing of the changes of a tree.
type treeKey struct {
	files string
	drawKey
}

// fileComparison is the drawn comparison of a file.
type fileComparison struct {
	comparison
	added, deleted int
}

// LanguageOf returns what tells the language of a file: its extension, or its name if it has none.
func LanguageOf(name string) string {
	if ext := path.Ext(name); ext != "" {
		return strings.TrimPrefix(ext, ".")
	}
	return path.Base(name)
}

// addChanges adds a comparison, with long unchanged runs folded; its items are numbered from first on.
func (m *reading) addChanges(s *sheet, c comparison, first int) {
	for i, run := range c.runs {
		if run.same {
			m.addSame(s, run.lines, item{sameItem, first + i}, i == 0, i == len(c.runs)-1)
			continue
		}
		s.begin(item{changeItem, first + i}, false)
		s.addLines(run.lines)
		s.end()
	}
}

// addSame adds unchanged lines: those next to a change, and the others if they are unfolded.
func (m *reading) addSame(s *sheet, lines [][]string, of item, first, last bool) {
	head, tail := around, around
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	hidden := len(lines) - head - tail
	if hidden < 4 {
		s.addLines(lines)
		return
	}
	s.addLines(lines[:head])
	s.begin(of, true)
	if m.foldedAway(of) {
		s.add("   " + m.Theme.Dim.Render(fmt.Sprintf("… %s lines the same: %s shows them", thousands(hidden), m.unfolds())))
	} else {
		s.addLines(lines[head : len(lines)-tail])
	}
	s.end()
	s.addLines(lines[len(lines)-tail:])
}

// drawing is how the lines of two texts are drawn.
type drawing struct {
	old, new      string
	before, after markdown.Painted // the two in the colours of code; nil for other texts

	width   int
	theme   frame.Theme
	numbers int // digits of the lines' numbers; 0: without numbers
}

// unified draws deleted lines above new ones.
func (d drawing) unified(rows []diff.Row) []string {
	theme, width := d.theme, d.width
	var out []string
	for i := 0; i < len(rows); {
		if rows[i].Kind == diff.Same {
			out = append(out, d.side("   ", rows[i].New, d.after, theme.Text, false, width)...)
			i++
			continue
		}
		j := i
		for ; j < len(rows) && rows[j].Kind == rows[i].Kind; j++ {
			if rows[j].Kind != diff.New {
				out = append(out, d.side(" - ", rows[j].Old, d.before, theme.Bad, true, width)...)
			}
		}
		for _, r := range rows[i:j] {
			if r.Kind != diff.Gone {
				out = append(out, d.side(" + ", r.New, d.after, theme.Good, false, width)...)
			}
		}
		i = j
	}
	return out
}

// sideBySide draws the old text at the left and the new one at the right.
func (d drawing) sideBySide(rows []diff.Row) []string {
	theme, half := d.theme, (d.width-1)/2
	bar := theme.Line.Render("│")
	var out []string
	for _, r := range rows {
		var left, right []string
		switch r.Kind {
		case diff.Same:
			left, right = d.side("   ", r.Old, d.before, theme.Text, false, half), d.side("   ", r.New, d.after, theme.Text, false, half)
		case diff.Gone:
			left = d.side(" - ", r.Old, d.before, theme.Bad, true, half)
		case diff.New:
			right = d.side(" + ", r.New, d.after, theme.Good, false, half)
		case diff.Changed:
			left, right = d.side(" - ", r.Old, d.before, theme.Bad, true, half), d.side(" + ", r.New, d.after, theme.Good, false, half)
		}
		for i := range max(len(left), len(right)) {
			l, rt := "", ""
			if i < len(left) {
				l = left[i]
			}
			if i < len(right) {
				rt = right[i]
			}
			out = append(out, l+strings.Repeat(" ", max(0, half-frame.Width(l)))+bar+rt)
		}
	}
	return out
}

// side draws a line in a column, wrapped, with differing words reversed. Code keeps its colours: a quiet ground
// tells what became of the line, in all of its rows.
func (d drawing) side(sign string, l diff.Line, code markdown.Painted, style lipgloss.Style, old bool, width int) []string {
	number := ""
	if d.numbers > 0 {
		number = fmt.Sprintf(" %*d", d.numbers, l.Number)
	}
	var b strings.Builder
	at := 0
	for _, p := range l.Parts {
		drawn, painted := code.Stretch(l.Number, at, p.Text)
		switch at += len(p.Text); {
		case p.Text == "":
		case p.Differs:
			b.WriteString(style.Bold(true).Reverse(true).Render(p.Text))
		case painted:
			b.WriteString(drawn)
		default:
			b.WriteString(style.Render(p.Text))
		}
	}
	of, ground := strings.TrimSpace(sign), d.theme.Came
	if old {
		ground = d.theme.Gone
	}
	rows := frame.WrapCode(b.String(), max(8, width-len(number)-len(sign)))
	room := width - len(number)
	if width == markdown.MostColumns {
		room = 0 // the lines run beyond the screen
	}
	for i, row := range rows {
		if i > 0 {
			number, sign = strings.Repeat(" ", len(number)), strings.Repeat(" ", len(sign))
		}
		rows[i] = style.Render(sign) + row
		if of != "" {
			rows[i] = frame.On(ground, style.Render(sign)+row, room)
		}
		if number != "" {
			rows[i] = d.theme.Dim.Render(number) + rows[i]
		}
	}
	return rows
}
