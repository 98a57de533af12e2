package viewer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

// Finder is a search in the rows of a text.
type Finder struct {
	Typing bool // the line is open
	Line   textinput.Model
	Needle string // "": nothing is searched for
	of     any    // what the hits are in
	hits   []hit
	at     int // the current hit
}

func NewFinder() Finder { return Finder{Line: frame.NewLine(0)} }

// Begin opens the line of the search.
func (f *Finder) Begin() tea.Cmd {
	f.Typing = true
	f.Line.SetValue(f.Needle)
	f.Line.CursorEnd()
	return f.Line.Focus()
}

// Seek sets what is searched for, "" for nothing.
func (f *Finder) Seek(needle string) {
	f.Needle, f.of, f.hits, f.at = strings.TrimSpace(needle), nil, nil, 0
}

// LineKeys lists the keys while a search is typed; find carries it out.
func (f *Finder) LineKeys(find func(needle string)) []frame.Key {
	return []frame.Key{
		{Press: "enter", Does: "find", Do: frame.Only(func() { f.Typing = false; find(f.Line.Value()) })},
		{Press: "esc", Does: "leave as it was", Do: frame.Only(func() { f.Typing = false })},
	}
}

// HitsKey goes to other hits.
func (f *Finder) HitsKey(next func(press string) tea.Cmd) frame.Key {
	return frame.Key{Press: "n N", Does: "next hit, previous hit", More: true, Run: next, Not: func() string {
		if f.Needle == "" {
			return "nothing is searched for; / begins a search"
		}
		return ""
	}}
}

// hit is a match: in one row, or in several where the text is wrapped between words.
type hit struct{ parts []hitPart }

// hitPart is a range of columns of a row.
type hitPart struct{ row, from, to int }

// Search finds the needle in rows, which of identifies, ignoring styles and case. A space matches any
// white space, also the end of a row.
func (f *Finder) Search(of any, rows []string) {
	if f.of == of {
		return
	}
	f.of, f.hits = of, nil
	words := strings.Fields(f.Needle)
	if len(words) == 0 {
		return
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	wanted := regexp.MustCompile(`(?i)` + strings.Join(words, `\s+`))
	plain, starts := make([]string, len(rows)), make([]int, len(rows))
	length := 0
	for i, r := range rows {
		plain[i], starts[i] = ansi.Strip(r), length
		length += len(plain[i]) + 1
	}
	for _, at := range wanted.FindAllStringIndex(strings.Join(plain, "\n"), -1) {
		f.hits = append(f.hits, hitAt(plain, starts, at[0], at[1]))
	}
	f.at = max(0, min(f.at, len(f.hits)-1))
}

// hitAt converts a byte range of the whole text to columns of rows.
func hitAt(plain []string, starts []int, from, to int) hit {
	row, exact := slices.BinarySearch(starts, from)
	if !exact {
		row--
	}
	var h hit
	for ; row < len(plain) && starts[row] < to; row++ {
		text := plain[row]
		a, b := max(0, from-starts[row]), min(len(text), to-starts[row])
		blank := len(text) - len(strings.TrimLeft(text, " "))
		if len(h.parts) > 0 {
			a = max(a, blank) // the margin of a row is not part of the text
		}
		if a < b {
			h.parts = append(h.parts, hitPart{row, ansi.StringWidth(text[:a]), ansi.StringWidth(text[:b])})
		}
	}
	return h
}

// Mark highlights hits in the rows from top on that are visible: reversed, the current one also underlined.
func (f *Finder) Mark(top int, rows []string) {
	if f.Needle == "" {
		return
	}
	first, _ := slices.BinarySearchFunc(f.hits, top, func(h hit, row int) int { return h.parts[len(h.parts)-1].row - row })
	for i := first; i < len(f.hits) && f.hits[i].parts[0].row < top+len(rows); i++ {
		style := ansi.NewStyle(ansi.AttrReverse)
		if i == f.at {
			style = ansi.NewStyle(ansi.AttrBold, ansi.AttrUnderline, ansi.AttrReverse)
		}
		for _, p := range f.hits[i].parts {
			if p.row >= top && p.row < top+len(rows) {
				rows[p.row-top] = marked(rows[p.row-top], p, style)
			}
		}
	}
}

// marked returns a row with a part of it in another style.
func marked(row string, p hitPart, style ansi.Style) string {
	text := ansi.Strip(ansi.Cut(row, p.from, p.to))
	return ansi.Truncate(row, p.from, "") + style.Styled(text) + ansi.TruncateLeft(row, p.to, "")
}

// GoOn chooses the first hit from a row on, or the first of all.
func (f *Finder) GoOn(top int) {
	f.at, _ = slices.BinarySearchFunc(f.hits, top, func(h hit, row int) int { return h.parts[0].row - row })
	if f.at == len(f.hits) {
		f.at = 0
	}
}

// Step chooses the next hit, or with N the previous one.
func (f *Finder) Step(press string) {
	by := 1
	if press == "N" {
		by = -1
	}
	if len(f.hits) > 0 {
		f.at = (f.at + by + len(f.hits)) % len(f.hits)
	}
}

// Show returns the first row to draw of height rows so that the current hit is visible, and its number in words.
// It moves the columns that are shown.
func (f *Finder) Show(top int, size frame.Size, pan *frame.Pan, theme frame.Theme) (int, string) {
	if len(f.hits) == 0 {
		return top, fmt.Sprintf("%q is not found here", f.Needle)
	}
	const below = 3 // rows for the notice
	first := f.hits[f.at].parts[0]
	if first.row < top || first.row >= top+size.Height-below {
		top = first.row - size.Height/3
	}
	pan.Show(first.from, first.to, size.Width, theme)
	return top, fmt.Sprintf("%q: %d of %d", f.Needle, f.at+1, len(f.hits))
}

// LinePage draws the line of the search below the body of a page.
func (f *Finder) LinePage(p frame.Page, body frame.Size, theme frame.Theme) frame.Page {
	const label = " find: "
	f.Line.SetWidth(body.Width - len(label) - 2)
	rows := frame.Fit(p.Body, frame.Size{Width: body.Width, Height: body.Height - 1})
	p.Body = strings.Join(rows, "\n") + "\n" + theme.Strong.Render(label) + f.Line.View()
	if c := f.Line.Cursor(); c != nil {
		c.X += len(label)
		c.Y = body.Height - 1
		p.Cursor = c
	}
	return p
}
