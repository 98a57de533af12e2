package figure

import (
	"slices"
	"strings"
)

// textBox is where a text stands.
type textBox struct {
	x0, y0, x1, y1 float64
	text           string
}

func (t textBox) overlaps(o textBox) bool {
	return t.x0 < o.x1 && o.x0 < t.x1 && t.y0 < o.y1 && o.y0 < t.y1
}

type anchor string

const (
	left   anchor = "start"
	middle anchor = "middle"
	right  anchor = "end"
)

type xy struct{ x, y float64 }

// element is one thing that is drawn. The SVG and the PNG of a figure are both
// written from its elements, so that they cannot show different things.
type element struct {
	kind   kind
	points []xy    // a text's place, a line's ends, corners of a rectangle, a circle's middle, points of a path
	r      float64 // of a circle
	closed bool    // a path that ends where it began
	class  string  // its styles, see rules
	title  string  // its tooltip

	text   string
	anchor anchor
	style  style
}

type kind int

const (
	textKind kind = iota
	lineKind
	rectKind
	circleKind
	pathKind
)

// canvas collects elements.
type canvas struct {
	metrics
	full     float64 // the width of the page
	elements []element
	texts    []textBox
}

func (c *canvas) box(x, y float64, a anchor, s style, text string) textBox {
	w := c.width(text, s)
	switch a {
	case middle:
		x -= w / 2
	case right:
		x -= w
	}
	return textBox{x, y - 0.78*s.size(), x + w, y + 0.22*s.size(), text}
}

// free reports whether a text can stand there without touching another.
func (c *canvas) free(b textBox) bool { return !slices.ContainsFunc(c.texts, b.overlaps) }

// text writes text whose baseline begins, has its middle or ends at x, y; whole is
// its tooltip where it was shortened. class is added to that of the style.
func (c *canvas) text(x, y float64, a anchor, s style, text, whole, class string) {
	if text == "" {
		return
	}
	c.texts = append(c.texts, c.box(x, y, a, s, text))
	if whole == text {
		whole = ""
	}
	c.elements = append(c.elements, element{kind: textKind, points: []xy{{x, y}}, class: strings.TrimSpace(s.class() + " " + class),
		title: whole, text: text, anchor: a, style: s})
}

// label writes one line, cut to the width.
func (c *canvas) label(x, y float64, a anchor, s style, text string, width float64) {
	text = clean(text)
	c.text(x, y, a, s, c.cut(text, s, width), text, "")
}

// lines writes a wrapped text downwards from the baseline y and returns the
// baseline of the line after it.
func (c *canvas) lines(x, y float64, a anchor, s style, text string, width float64, most int) float64 {
	text = clean(text)
	all, _ := c.wrap(text, s, width, most)
	shown := strings.Join(all, " ")
	for _, line := range all {
		whole := ""
		if shown != text {
			whole = text
		}
		c.text(x, y, a, s, line, whole, "")
		y += s.size() * 1.3
	}
	return y
}

func (c *canvas) line(x0, y0, x1, y1 float64, class string) {
	c.elements = append(c.elements, element{kind: lineKind, points: []xy{{x0, y0}, {x1, y1}}, class: class})
}

func (c *canvas) rect(x0, y0, x1, y1 float64, class, title string) {
	corners := []xy{{min(x0, x1), min(y0, y1)}, {max(x0, x1), max(y0, y1)}}
	c.elements = append(c.elements, element{kind: rectKind, points: corners, class: class, title: title})
}

func (c *canvas) circle(x, y, r float64, class, title string) {
	c.elements = append(c.elements, element{kind: circleKind, points: []xy{{x, y}}, r: r, class: class, title: title})
}

// path is a line through points.
func (c *canvas) path(points []xy, closed bool, class, title string) {
	if len(points) > 0 {
		c.elements = append(c.elements, element{kind: pathKind, points: points, closed: closed, class: class, title: title})
	}
}

// shape is a point whose form tells the series where colour does not.
func (c *canvas) shape(x, y, r float64, series int, class, title string) {
	switch series % 4 {
	case 1:
		c.path([]xy{{x, y - 1.3*r}, {x + 1.2*r, y + 0.9*r}, {x - 1.2*r, y + 0.9*r}}, true, class, title)
	case 2:
		c.path([]xy{{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}, true, class, title)
	case 3:
		c.path([]xy{{x, y - 1.4*r}, {x + 1.4*r, y}, {x, y + 1.4*r}, {x - 1.4*r, y}}, true, class, title)
	default:
		c.circle(x, y, r, class, title)
	}
}
