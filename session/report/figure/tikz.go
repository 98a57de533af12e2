package figure

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// textWidth is the width of a drawing on paper in PostScript points, as that of the text in
// the classes of ACM and IEEE.
const textWidth = 480.0

// TikZ returns the drawing without heading and notes, in light colours, for LaTeX's package tikz,
// so that its letters are those of the paper. escape makes a text stand for itself in LaTeX.
func (f Figure) TikZ(escape func(string) string) []byte {
	t := &tikz{looks: newLooks(light()), scale: textWidth / f.width, escape: escape}
	fmt.Fprintf(&t.b, "\\begin{tikzpicture}[x=%sbp,y=-%[1]sbp,inner sep=0,outer sep=0,font=\\sffamily]\n", num4(t.scale))
	fmt.Fprintf(&t.b, "\\path (0,%s) rectangle (%s,%s);\n", num(f.top), num(f.width), num(f.bottom+6))
	for _, e := range f.drawing {
		t.element(e)
	}
	t.b.WriteString("\\end{tikzpicture}\n")
	return t.b.Bytes()
}

type tikz struct {
	b      bytes.Buffer
	looks  looks
	scale  float64 // of a pixel of CSS, in PostScript points
	escape func(string) string
}

func (t *tikz) element(e element) {
	l := t.looks.of(e)
	if e.kind == textKind {
		t.text(e, l)
		return
	}
	var options []string
	if l["fill"] != "none" && l["fill-opacity"] != "0" && e.kind != lineKind {
		options = append(options, "fill="+tikzColour(l["fill"]))
		if l["fill-opacity"] != "1" {
			options = append(options, "fill opacity="+num(l.number("fill-opacity")))
		}
	}
	if l["stroke"] != "none" {
		options = append(options, "draw="+tikzColour(l["stroke"]), "line width="+num(t.scale*l.number("stroke-width"))+"bp")
		if dashes := strings.Fields(l["stroke-dasharray"]); len(dashes) > 1 {
			pattern := ""
			for i, d := range dashes {
				pattern += [...]string{" on ", " off "}[i%2] + num(t.scale*number(d)) + "bp"
			}
			options = append(options, "dash pattern="+strings.TrimSpace(pattern))
		}
	}
	if len(options) == 0 {
		return
	}
	fmt.Fprintf(&t.b, "\\path[%s] ", strings.Join(options, ","))
	switch e.kind {
	case rectKind:
		t.b.WriteString(tikzPoint(e.points[0]) + " rectangle " + tikzPoint(e.points[1]))
	case circleKind:
		fmt.Fprintf(&t.b, "%s circle[radius=%sbp]", tikzPoint(e.points[0]), num(t.scale*e.r))
	default:
		for i, p := range e.points {
			if i > 0 {
				t.b.WriteString(" -- ")
			}
			t.b.WriteString(tikzPoint(p))
		}
		if e.closed {
			t.b.WriteString(" -- cycle")
		}
	}
	t.b.WriteString(";\n")
}

func (t *tikz) text(e element, l look) {
	side := map[anchor]string{left: "base west", middle: "base", right: "base east"}[e.anchor]
	size := t.scale * e.style.size()
	weight := ""
	if e.style.bold() {
		weight = "\\bfseries"
	}
	fmt.Fprintf(&t.b, "\\node[anchor=%s,text=%s] at %s {\\fontsize{%sbp}{%sbp}\\selectfont%s{}%s};\n",
		side, tikzColour(l["fill"]), tikzPoint(e.points[0]), num(size), num(1.2*size), weight, t.escape(clean(e.text)))
}

func tikzPoint(p xy) string { return "(" + num(p.x) + "," + num(p.y) + ")" }

// tikzColour is #rgb or #rrggbb as xcolor has it.
func tikzColour(hex string) string {
	r, g, b, _ := colour(hex, 1).RGBA()
	return fmt.Sprintf("{rgb,255:red,%d;green,%d;blue,%d}", r>>8, g>>8, b>>8)
}

func num4(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }
