package work

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// finder is a search in the chosen tab.
type finder struct {
	needle string
	of     *sheet // the sheet of the hits
	hits   []hit
	at     int // the current hit
}

// hit is a match: in one row, or in several where the text is wrapped between words.
type hit struct{ parts []hitPart }

// hitPart is a range of columns of a row.
type hitPart struct{ row, from, to int }

// search finds the needle in the text of a sheet, ignoring styles and case. A space matches any
// white space, also the end of a row.
func (f *finder) search(s *sheet) {
	if f.of == s {
		return
	}
	f.of, f.hits = s, nil
	words := strings.Fields(f.needle)
	if len(words) == 0 {
		return
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	wanted := regexp.MustCompile(`(?i)` + strings.Join(words, `\s+`))
	plain, starts := make([]string, len(s.rows)), make([]int, len(s.rows))
	length := 0
	for i, r := range s.rows {
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

// markHits highlights hits in the visible rows: reversed, the current one also underlined.
func (m *viewer) markHits(s *sheet, top int, rows []string) {
	f := &m.review.find
	if f.needle == "" {
		return
	}
	f.search(s)
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

// findFirst starts a search at the first visible row.
func (m *viewer) findFirst(needle string) {
	f := &m.review.find
	if strings.TrimSpace(needle) == "" {
		m.findNothing()
		return
	}
	m.changed(func() { *f = finder{needle: needle} })
	size := m.textSize()
	s := m.sheet(size)
	f.search(s)
	top := m.top(s, size.Height)
	f.at, _ = slices.BinarySearchFunc(f.hits, top, func(h hit, row int) int { return h.parts[0].row - row })
	if f.at == len(f.hits) {
		f.at = 0
	}
	m.showHit()
}

// findNothing ends a search; what it unfolded is folded again.
func (m *viewer) findNothing() {
	if m.review.find.needle != "" {
		m.changed(func() { m.review.find = finder{} })
	}
}

// findNext goes to the next hit, or with N to the previous one.
func (m *viewer) findNext(press string) tea.Cmd {
	f, by := &m.review.find, 1
	if press == "N" {
		by = -1
	}
	f.search(m.sheet(m.textSize()))
	if len(f.hits) > 0 {
		f.at = (f.at + by + len(f.hits)) % len(f.hits)
	}
	m.showHit()
	return nil
}

// showHit scrolls to the current hit if it is out of view, and tells its number.
func (m *viewer) showHit() {
	f, size := &m.review.find, m.textSize()
	if len(f.hits) == 0 {
		m.notice = fmt.Sprintf("%q is not found here", f.needle)
		return
	}
	s := m.sheet(size)
	const below = 3 // rows for the notice
	top, row := m.top(s, size.Height), f.hits[f.at].parts[0].row
	if row < top || row >= top+size.Height-below {
		m.review.tops[m.review.tab] = row - size.Height/3
	}
	first := f.hits[f.at].parts[0]
	m.review.pan.Show(first.from, first.to, size.Width, m.theme)
	m.notice = fmt.Sprintf("%q: %d of %d", f.needle, f.at+1, len(f.hits))
}
