package chart

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strings"

	"charm.land/lipgloss/v2"

	"assay/session/report/figure"
	"assay/tui/frame"
)

// Look is everything that a drawing depends on except its data.
type Look struct {
	Width  int // columns; no line is wider
	Height int // available rows, 0 for the best number; rows of data are never dropped to fit
	Theme  frame.Theme
	ASCII  bool
}

// Draw draws a mark, one line for each row of the terminal. A mark without a form for terminals
// is described in words.
func Draw(mark figure.Mark, look Look) []string {
	switch m := mark.(type) {
	case figure.Bar:
		return bar(m, look)
	case figure.Histogram:
		return histogram(m, look)
	case figure.Survival:
		return survival(m, look)
	case figure.ECDF:
		return ecdf(m, look)
	case figure.Likert:
		return likert(m, look)
	case figure.Heatmap:
		return heatmap(m, look)
	}
	p, _ := told(mark, look)
	return p.done("")
}

// told starts a page with the text alternative of a figure.
func told(mark figure.Mark, look Look) (*page, figure.Figure) {
	drawn := mark.Draw(figure.Wide)
	p := newPage(figure.About{Title: drawn.Title}, look)
	p.paragraph(strings.TrimPrefix(drawn.Alt(), drawn.Title+". "), look.Theme.Text)
	return p, drawn
}

// Words describes a figure in words and writes its data as a table.
func Words(mark figure.Mark, look Look) []string {
	p, drawn := told(mark, look)
	rows, err := csv.NewReader(bytes.NewReader(drawn.CSV())).ReadAll()
	if err != nil || len(rows) == 0 {
		return p.done("")
	}
	p.add("")
	p.table(rows)
	return p.done("")
}

// table writes rows, the first of which names the columns. Empty columns are dropped. Where the
// others do not fit side by side, each row becomes a sentence.
func (p *page) table(rows [][]string) {
	widths, all := make([]int, len(rows[0])), 0
	for i := range rows {
		for j, cell := range rows[i] {
			rows[i][j] = short(frame.OneLine(cell))
			if i > 0 && cell != "" {
				widths[j] = max(widths[j], frame.Width(rows[i][j]), frame.Width(rows[0][j]))
			}
		}
	}
	for _, w := range widths {
		if w > 0 {
			all += w + 2
		}
	}
	for i, row := range rows {
		var cells, words []string
		for j, cell := range row {
			if widths[j] > 0 {
				cells = append(cells, " "+frame.Cell(cell, widths[j]))
				words = append(words, strings.TrimSpace(rows[0][j]+" "+cell))
			}
		}
		switch line := strings.TrimRight(strings.Join(cells, " "), " "); {
		case all > p.Width && i == 0:
		case all > p.Width:
			p.paragraph(strings.Join(words, "; "), p.Theme.Text)
		case i == 0:
			p.add(p.Theme.Dim.Render(line))
		default:
			p.add(line)
		}
	}
}

// short rounds a number of the data for reading.
func short(cell string) string {
	var v float64
	if n, err := fmt.Sscanf(cell, "%g", &v); n == 1 && err == nil && strings.Contains(cell, ".") && len(cell) > 7 {
		return figure.Plain(v, 3)
	}
	return cell
}

// page collects the lines of one drawing.
type page struct {
	Look
	lines []string
}

// newPage starts with the title and n.
func newPage(about figure.About, look Look) *page {
	p := &page{Look: look}
	n := ""
	if of := frame.OneLine(about.Of); about.N > 0 {
		if about.N == 1 {
			of = strings.TrimSuffix(of, "s")
		}
		n = strings.TrimSpace(fmt.Sprintf("n = %d %s", about.N, of))
	}
	room := look.Width - frame.Width(n) - 3
	title := frame.OneLine(about.Title)
	if frame.Width(title) > room {
		title = strings.TrimRight(frame.Cell(title, room), " ")
	}
	p.add(frame.Spread(" "+look.Theme.Strong.Render(title), look.Theme.Dim.Render(n)+" ", max(0, look.Width)))
	return p
}

func (p *page) add(line string) { p.lines = append(p.lines, line) }

// empty reports that there is no data.
func (p *page) empty() []string {
	p.add("")
	p.add("   " + p.Theme.Dim.Render("There is no data for this figure yet."))
	return p.done("")
}

// paragraph adds text over several lines.
func (p *page) paragraph(text string, style lipgloss.Style) {
	if text = frame.OneLine(text); text == "" || p.Width < 4 {
		return
	}
	for line := range strings.SplitSeq(frame.Wrap(text, p.Width-2), "\n") {
		p.add(" " + style.Render(line))
	}
}

// done ends the drawing with a note, and cuts lines that are too wide.
func (p *page) done(note string) []string {
	if note != "" {
		p.add("")
		p.paragraph(note, p.Theme.Dim)
	}
	if p.Width < 1 {
		return nil
	}
	lines := frame.Fit(strings.Join(p.lines, "\n"), frame.Size{Width: p.Width, Height: len(p.lines)})
	if p.ASCII {
		for i := range lines {
			lines[i] = plainly(lines[i])
		}
	}
	return lines
}

// plainly replaces the non-ASCII characters of this package. Names keep theirs.
func plainly(line string) string {
	return strings.NewReplacer("…", "~", "–", "-", "−", "-", "·", ".", "†", "*").Replace(line)
}

// glyphs are the characters of a drawing.
type glyphs struct {
	across, down   string   // lines of the axes
	corner, tick   string   // of the axis below, of the axis at the left
	full           string   // a cell of a bar
	eighths, rises []string // parts of a cell, from the left and from the bottom; the first is empty, and ASCII has none
	band, loose    string
	marks          []string // of references
}

func (p *page) glyphs() glyphs {
	if p.ASCII {
		return glyphs{
			across: "-", down: "|", corner: "+", tick: "+", full: "#",
			band: ".", loose: "x", marks: []string{"^", "*", "%", "&"},
		}
	}
	return glyphs{
		across: "─", down: "│", corner: "└", tick: "┬", full: "█",
		eighths: []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}, rises: []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇"},
		band: "░", loose: "+", marks: []string{"▲", "△", "◆", "◇"},
	}
}

// along maps lo to hi onto the columns 0 to width-1.
func along(v, lo, hi float64, width int) int {
	if !(hi > lo) || width < 2 {
		return 0
	}
	return min(max(int(math.Round((v-lo)/(hi-lo)*float64(width-1))), 0), width-1)
}

// axis draws the line below a drawing whose cells start after indent columns, with a tick at each
// of the columns, and names below them where they fit.
func (p *page) axis(indent, width int, columns []int, names []string, title string) {
	g := p.glyphs()
	line := make([]string, max(0, width))
	for i := range line {
		line[i] = g.across
	}
	for _, c := range columns {
		if c >= 0 && c < len(line) {
			line[c] = g.tick
		}
	}
	p.add(p.Theme.Dim.Render(strings.Repeat(" ", max(0, indent-1)) + g.corner + strings.Join(line, "")))
	row := p.under(indent, columns, names)
	if title != "" {
		title = frame.OneLine(title)
		if room := p.Width - frame.Width(row) - 2; frame.Width(title) <= room {
			row += "  " + title
		} else {
			p.add(p.Theme.Dim.Render(row))
			row = strings.Repeat(" ", max(0, min(indent, p.Width-frame.Width(title)-1))) + title
		}
	}
	p.add(p.Theme.Dim.Render(row))
}

// under writes texts centred below columns, without those that would touch others.
func (p *page) under(indent int, columns []int, texts []string) string {
	row, end := "", 0
	for i, c := range columns {
		text := frame.OneLine(texts[i])
		w := frame.Width(text)
		from := max(0, indent+c-w/2)
		if i > 0 && from < end+1 || from+w > p.Width {
			continue
		}
		row += strings.Repeat(" ", max(0, from-end)) + text
		end = from + w
	}
	return row
}

// namesOf returns texts for the left of rows, and the width of the widest, up to most.
func namesOf(texts []string, most int) (names []string, width int) {
	for _, t := range texts {
		t = frame.OneLine(t)
		names = append(names, t)
		width = max(width, frame.Width(t))
	}
	return names, max(1, min(width, most))
}

// right aligns text to the right of width columns.
func right(text string, width int) string {
	if frame.Width(text) > width {
		return frame.Cell(text, width)
	}
	return strings.Repeat(" ", width-frame.Width(text)) + text
}
