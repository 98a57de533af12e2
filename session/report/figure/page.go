package figure

import (
	"fmt"
	"strings"
)

// The layout of all figures, in CSS pixels.
const (
	Wide   = 640.0 // the width of drawings on paper, in files, and on most screens
	Narrow = 393.0 // that of drawings for telephones: a screen of 420 pixels shows them at their size

	margin  = 16.0
	maxRows = 60 // rows or columns of a figure; the others are in the CSV alone
)

// page is a figure that grows downwards.
type page struct {
	canvas
	about   About
	y       float64 // the upper edge of what is still free
	notes   []string
	drawing int     // how many elements the heading has
	top     float64 // where the heading ends
	long    bool    // some row's name needs two lines
}

// newPage writes the title and what was observed on a page of the width.
func newPage(a About, width float64) *page {
	p := &page{canvas: canvas{metrics: newMetrics(), full: width}, about: a}
	defer func() { p.drawing, p.top = len(p.elements), p.y }()
	if a.Note != "" {
		p.notes = append(p.notes, clean(a.Note))
	}
	p.y = p.lines(margin, margin+14, left, titleStyle, a.Title, p.inner(), 3)
	if of := clean(a.Of); a.N > 0 || of != "" {
		p.label(margin, p.y, left, bodyStyle, fmt.Sprintf("n = %s", plural(a.N, of)), p.inner())
		p.y += 10
	} else {
		p.y -= 10
	}
	return p
}

func (p *page) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// leftOut notes values that the figure cannot show.
func (p *page) leftOut(n int, a Axis) {
	switch {
	case n == 0:
	case a.Log:
		p.note("Left out: %s without a positive finite value.", plural(n, "values"))
	default:
		p.note("Left out: %s without a finite value.", plural(n, "values"))
	}
}

// finish writes notes and source; alt is the text alternative.
func (p *page) finish(alt string, header []string, rows [][]string) Figure {
	end, bottom := len(p.elements), p.y
	p.y += 18
	for _, n := range p.notes {
		p.y = p.lines(margin, p.y, left, smallStyle, n, p.inner(), 3)
	}
	if p.about.Source != "" {
		p.y = p.lines(margin, p.y, left, smallStyle, "Source: "+p.about.Source, p.inner(), 3)
	}
	title := clean(p.about.Title)
	var words []string
	if title != "" {
		words = append(words, title+".")
	}
	if p.about.N > 0 {
		words = append(words, "n = "+plural(p.about.N, clean(p.about.Of))+".")
	}
	words = append(words, alt)
	words = append(words, p.notes...)
	for i, h := range header {
		header[i] = cell(h)
	}
	return Figure{
		Title: title, Source: clean(p.about.Source), N: p.about.N,
		width: p.full, height: p.y + 2, elements: p.elements, alt: clean(strings.Join(words, " ")),
		notes: p.notes, of: plural(p.about.N, clean(p.about.Of)), drawing: p.elements[p.drawing:end], top: p.top, bottom: bottom,
		header: header, rows: rows, texts: p.texts,
	}
}

// empty returns the figure of a mark without data.
func (p *page) empty(header []string) Figure {
	p.y += 12
	p.rect(margin, p.y, p.full-margin, p.y+80, "empty", "")
	p.text(p.full/2, p.y+44, middle, bodyStyle, "There are no data to draw.", "", "")
	p.y += 84
	return p.finish("There are no data to draw.", header, nil)
}

// key is one entry of a legend.
type key struct {
	name string
	draw func(x, y float64) // a sign of 18 by 10 around x, y
}

// legend writes the keys in as many lines as they need.
func (p *page) legend(keys []key) {
	x := margin
	y := p.y + 14
	for _, k := range keys {
		name := p.cut(clean(k.name), tickStyle, 220)
		w := 24 + p.width(name, tickStyle)
		if x > margin && x+w > p.full-margin {
			x, y = margin, y+18
		}
		k.draw(x+9, y-4)
		p.text(x+24, y, left, tickStyle, name, clean(k.name), "")
		x += w + 18
	}
	p.y = y + 6
}

// seriesKeys returns the keys of some series, drawn as lines, as points, or both: then
// twelve series can be told apart.
func (p *page) seriesKeys(names []string, line, point bool) []key {
	var keys []key
	for i, n := range names {
		keys = append(keys, key{n, func(x, y float64) {
			if line {
				p.line(x-9, y, x+9, y, fmt.Sprintf("ls%d", i%series))
			}
			if point {
				p.shape(x, y, 4, i, fmt.Sprintf("ds%d", i%series), "")
			}
		}})
	}
	return keys
}

// atMost returns the first n of the items, and how many there were more.
func atMost[T any](items []T, n int) ([]T, int) {
	if len(items) <= n {
		return items, 0
	}
	return items[:n], len(items) - n
}

// tooMany notes what is not drawn for want of room.
func (p *page) tooMany(drawn, more int, what string) {
	if more > 0 {
		p.note("Drawn are the first %d of %d %s; the data have all.", drawn, drawn+more, what)
	}
}

// list returns a sentence's list of at most n items.
func list(items []string, n int) string {
	shown, more := atMost(items, n)
	text := strings.Join(shown, "; ")
	if more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// inner is the width between the margins.
func (c *canvas) inner() float64 { return c.full - 2*margin }

// narrow reports whether the page is narrower than drawings on paper.
func (c *canvas) narrow() bool { return c.full < Wide }

// share is so much of a wide page, and the same share of a narrower one.
func (c *canvas) share(width float64) float64 { return width * c.full / Wide }

// rowHeight is the height of rows, at least so much, and what two lines need where names take them.
func (p *page) rowHeight(least float64) float64 {
	if p.narrow() || p.long {
		return max(least, 2.6*tickStyle.size()+2)
	}
	return least
}

// rowName writes the name of a row beside x, in two lines where it needs them.
func (p *page) rowName(x, mid float64, a anchor, s style, name string, width float64) {
	if name = clean(name); !p.narrow() && !p.long || p.width(name, s) <= width {
		p.label(x, mid+4, a, s, name, width)
		return
	}
	if s == bodyStyle {
		s = tickStyle
	}
	all, _ := p.wrap(name, s, width, 2)
	p.lines(x, mid+4-0.65*s.size()*float64(len(all)-1), a, s, name, width, 2)
}

// names is the width of labels at the left of rows, at most so much of a wide page. The fonts of
// readers may be wider than that of the table of widths.
func (p *page) names(all []string, s style, most float64) float64 {
	widest := 0.0
	for _, name := range all {
		widest = max(widest, p.width(clean(name), s))
	}
	p.long = widest > p.share(most)
	return min(1.12*widest, p.share(most))
}
