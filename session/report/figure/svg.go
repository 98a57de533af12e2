package figure

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SVG returns the drawing, a document of its own.
func (f Figure) SVG() []byte {
	view := view{f.elements, 0, 0, f.height}
	id := f.id(view)
	return f.svg("af", id, f.told(id)+"<style>\n"+sheet()+"</style>\n", view)
}

// Inline returns the drawing to stand within HTML, which has the style, see [Sheet], and the
// caption, and after it narrow, the same mark drawn for narrow screens; the style shows one of them.
// They begin where the text above them does, at any scale. Both have one description.
func (f Figure) Inline(narrow Figure) []byte {
	id := f.id(f.inline())
	small := narrow.inline()
	small.elements = slices.Clone(small.elements)
	for i := range small.elements {
		small.elements[i].title = "" // narrow screens have no pointer
	}
	return append(f.svg("af wide", id, f.told(id), f.inline()), narrow.svg("af narrow", id, "", small)...)
}

// view is the part of a figure that is shown.
type view struct {
	elements           []element
	first, top, bottom float64
}

// inline is the drawing without heading and notes.
func (f Figure) inline() view { return view{f.drawing, margin - 3, f.top, f.bottom + 6} }

func (v view) body() []byte {
	var body bytes.Buffer
	for _, e := range v.elements {
		e.svg(&body)
	}
	return body.Bytes()
}

// id identifies a figure on a page.
func (f Figure) id(v view) string {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%s\x00%s\x00%s", f.Title, f.alt, v.body())
	return fmt.Sprintf("%08x", sum.Sum32())
}

// told is the figure's name and description.
func (f Figure) told(id string) string {
	return fmt.Sprintf("<title id=\"t%s\">%s</title>\n<desc id=\"d%s\">%s</desc>\n", id, escape(f.Title), id, escape(f.alt))
}

func (f Figure) svg(class, id, head string, v view) []byte {
	var b bytes.Buffer
	width, height := num(f.width-v.first), num(v.bottom-v.top)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="%s" viewBox="%s %s %s %s" width="%s" height="%s" role="img" aria-labelledby="t%s d%s">`+"\n",
		class, num(v.first), num(v.top), width, height, width, height, id, id)
	b.WriteString(head)
	fmt.Fprintf(&b, `<rect class="page" y="%s" width="%s" height="%s"/>`+"\n", num(v.top), num(f.width), height)
	b.Write(v.body())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// svg writes the element, one to a line.
func (e element) svg(b *bytes.Buffer) {
	at := e.points[0]
	name, inside := "", ""
	switch e.kind {
	case textKind:
		name, inside = "text", escape(e.text)
		fmt.Fprintf(b, `<text x="%s" y="%s" class="%s"`, num(at.x), num(at.y), e.class)
		if e.anchor != left {
			fmt.Fprintf(b, ` text-anchor="%s"`, e.anchor)
		}
	case lineKind:
		name = "line"
		to := e.points[1]
		fmt.Fprintf(b, `<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"`, num(at.x), num(at.y), num(to.x), num(to.y), e.class)
	case rectKind:
		name = "rect"
		to := e.points[1]
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" class="%s"`, num(at.x), num(at.y), num(to.x-at.x), num(to.y-at.y), e.class)
	case circleKind:
		name = "circle"
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" class="%s"`, num(at.x), num(at.y), num(e.r), e.class)
	case pathKind:
		name = "path"
		b.WriteString(`<path d="`)
		for i, p := range e.points {
			op := "L"
			if i == 0 {
				op = "M"
			}
			b.WriteString(op + num(p.x) + " " + num(p.y))
		}
		if e.closed {
			b.WriteString("Z")
		}
		fmt.Fprintf(b, `" class="%s"`, e.class)
	}
	if e.title != "" {
		inside = "<title>" + escape(e.title) + "</title>" + inside
	}
	if inside == "" {
		b.WriteString("/>\n")
		return
	}
	b.WriteString(">" + inside + "</" + name + ">\n")
}

// clean makes text from outside one line without control characters, marks of
// direction, and whatever XML cannot hold.
func clean(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFEFF:
			return -1
		case r == 0xFFFE, r == 0xFFFF, unicode.Is(unicode.Co, r):
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))), " ")
}

// escape is clean text that stands for itself in XML, in elements and in quotes.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(clean(text))
}

// num returns a number in an attribute: at most two decimals, never NaN.
func num(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	v = math.Round(v*100) / 100
	return strconv.FormatFloat(v+0, 'f', -1, 64)
}
