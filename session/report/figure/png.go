package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"image/png"
	"strconv"
	"strings"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// pixels are those of the PNG for each pixel of CSS.
const pixels = 2

// PNG returns the drawing as an image, for programs that cannot show SVG: in light colours,
// with two pixels for each of CSS. The same figure gives the same bytes. Its letters
// are those of the Go fonts, made as wide as the layout took them to be; they have
// Latin, Greek and Cyrillic, and a box stands for every other character.
func (f Figure) PNG() ([]byte, error) {
	p, err := newPainter(f.width, f.height)
	if err != nil {
		return nil, fmt.Errorf("cannot draw figure %q: %w", f.Title, err)
	}
	p.element(element{kind: rectKind, points: []xy{{0, 0}, {f.width, f.height}}, class: "page"})
	for _, e := range f.elements {
		p.element(e)
	}
	if p.err != nil {
		return nil, fmt.Errorf("cannot draw figure %q: %w", f.Title, p.err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p.Image()); err != nil {
		return nil, fmt.Errorf("cannot write figure %q: %w", f.Title, err)
	}
	return withSize(b.Bytes()), nil
}

// withSize tells programs that set text how large the image is meant to be: they would
// take each of its pixels for one of CSS. The chunk pHYs has pixels per metre, and
// stands behind the header (PNG specification, 11.3.4.3).
func withSize(image []byte) []byte {
	const header = 8 + 25                    // the signature and IHDR
	const metre = pixels * 96 * 10_000 / 254 // an inch is 96 pixels of CSS and 254 tenths of a millimetre
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, metre)
	chunk = binary.BigEndian.AppendUint32(chunk, metre)
	chunk = append(chunk, 1) // the unit is the metre
	sized := binary.BigEndian.AppendUint32(bytes.Clone(image[:header]), uint32(len(chunk)-4))
	sized = binary.BigEndian.AppendUint32(append(sized, chunk...), crc32.ChecksumIEEE(chunk))
	return append(sized, image[header:]...)
}

// painter draws elements onto an image.
type painter struct {
	*gg.Context
	metrics
	looks         looks
	regular, bold *sfnt.Font
	buffer        sfnt.Buffer
	err           error // the first one
}

func newPainter(width, height float64) (*painter, error) {
	regular, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		return nil, err
	}
	dc := gg.NewContext(int(width*pixels+0.5), int(height*pixels+0.5))
	dc.Scale(pixels, pixels)
	dc.SetLineCapButt()
	return &painter{Context: dc, metrics: newMetrics(), looks: newLooks(light()), regular: regular, bold: bold}, nil
}

func (p *painter) element(e element) {
	at := e.points[0]
	switch e.kind {
	case textKind:
		p.letters(e)
	case rectKind:
		p.DrawRectangle(at.x, at.y, e.points[1].x-at.x, e.points[1].y-at.y)
	case circleKind:
		p.DrawCircle(at.x, at.y, e.r)
	default: // lines and paths
		for _, to := range e.points {
			p.LineTo(to.x, to.y)
		}
		if e.closed {
			p.ClosePath()
		}
	}
	l := p.looks.of(e)
	if l["paint-order"] == "stroke" {
		p.stroke(l)
		p.fill(l)
	} else {
		p.fill(l)
		p.stroke(l)
	}
	p.ClearPath()
}

func (p *painter) fill(l look) {
	if l["fill"] != "none" && l["fill-opacity"] != "0" {
		p.SetColor(colour(l["fill"], l.number("fill-opacity")))
		p.FillPreserve()
	}
}

func (p *painter) stroke(l look) {
	if l["stroke"] == "none" {
		return
	}
	var dashes []float64
	if l["stroke-dasharray"] != "none" {
		for _, d := range strings.Fields(l["stroke-dasharray"]) {
			dashes = append(dashes, pixels*number(d))
		}
	}
	p.SetDash(dashes...)
	p.SetColor(colour(l["stroke"], 1))
	p.SetLineWidth(pixels * l.number("stroke-width"))
	p.StrokePreserve()
}

// letters adds the outlines of a text to the path.
func (p *painter) letters(e element) {
	f := p.regular
	if e.style.bold() {
		f = p.bold
	}
	// Outlines are asked for at a size at which a unit of the font is one of the
	// numbers, so that nothing is rounded to pixels.
	units := fixed.Int26_6(f.UnitsPerEm())
	toSize := e.style.size() / float64(units)
	type glyph struct {
		index sfnt.GlyphIndex
		x     float64
	}
	var glyphs []glyph
	width := 0.0
	for _, r := range clean(e.text) {
		index, err := f.GlyphIndex(&p.buffer, r)
		if err != nil {
			p.fail(err)
			return
		}
		if index == 0 && p.rune(r) == 0 {
			continue // marks and joiners that the font lacks take no room
		}
		advance, err := f.GlyphAdvance(&p.buffer, index, units, font.HintingNone)
		if err != nil {
			p.fail(err)
			return
		}
		glyphs = append(glyphs, glyph{index, width})
		width += float64(advance) * toSize
	}
	squeeze := 1.0
	if room := p.width(e.text, e.style); width > room {
		squeeze = room / width
	}
	x0, y0 := e.points[0].x, e.points[0].y
	switch e.anchor {
	case middle:
		x0 -= width * squeeze / 2
	case right:
		x0 -= width * squeeze
	}
	for _, g := range glyphs {
		outline, err := f.LoadGlyph(&p.buffer, g.index, units, nil)
		if err != nil {
			p.fail(err)
			return
		}
		at := func(v fixed.Point26_6) (x, y float64) {
			return x0 + (g.x+float64(v.X)*toSize)*squeeze, y0 + float64(v.Y)*toSize
		}
		for _, s := range outline {
			x, y := at(s.Args[0])
			x1, y1 := at(s.Args[1])
			x2, y2 := at(s.Args[2])
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				p.ClosePath()
				p.MoveTo(x, y)
			case sfnt.SegmentOpLineTo:
				p.LineTo(x, y)
			case sfnt.SegmentOpQuadTo:
				p.QuadraticTo(x, y, x1, y1)
			case sfnt.SegmentOpCubeTo:
				p.CubicTo(x, y, x1, y1, x2, y2)
			}
		}
	}
	p.ClosePath()
}

// fail keeps the first error.
func (p *painter) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (l look) number(name string) float64 { return number(l[name]) }

// number is one of the style rules, which are ours and so are numbers.
func number(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// colour is #rgb or #rrggbb of the rules.
func colour(hex string, opacity float64) color.Color {
	hex = strings.TrimPrefix(hex, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	v, _ := strconv.ParseUint(hex, 16, 32)
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), uint8(255*opacity + 0.5)}
}
