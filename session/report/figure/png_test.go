package figure

import (
	"bytes"
	"image"
	"image/png"
	"maps"
	"math"
	"slices"
	"testing"
)

// TestPNG: every figure is an image of its size with something on it, and two
// drawings of it are the same bytes.
func TestPNG(t *testing.T) {
	all := examples()
	maps.Copy(all, extremes())
	for name, mark := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := mark.Draw(Wide)
			text, err := f.PNG()
			if err != nil {
				t.Fatal(err)
			}
			again, err := mark.Draw(Wide).PNG()
			if err != nil || !bytes.Equal(text, again) {
				t.Errorf("two drawings differ: %v", err)
			}
			// 192 pixels per inch, behind the header.
			if size := []byte("\x00\x00\x00\x09pHYs\x00\x00\x1d\x87\x00\x00\x1d\x87\x01"); !bytes.HasPrefix(text[33:], size) {
				t.Errorf("the image does not say how large it is: % x", text[33:54])
			}
			img, err := png.Decode(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			w, h := f.Size()
			if got := img.Bounds().Size(); math.Abs(float64(got.X)-pixels*w) > 1 || math.Abs(float64(got.Y)-pixels*h) > 1 {
				t.Errorf("the image is %v, and the figure %v by %v", got, w, h)
			}
			page := img.At(0, 0)
			if r, g, b, a := page.RGBA(); min(r, g, b, a) != 0xFFFF {
				t.Errorf("the page is %v, not white", page)
			}
			if r := ink(img, 5); r.Dx() < 100 || r.Dy() < 50 {
				t.Errorf("there is only something in %v", r)
			}
		})
	}
}

// ink is the smallest rectangle around all that is not as the first pixel is; of
// every so many pixels one is looked at.
func ink(img image.Image, every int) image.Rectangle {
	var r image.Rectangle
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += every {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += every {
			if img.At(x, y) != img.At(0, 0) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// TestLettersFit: whatever the font's own widths, a text is within the room that the
// layout gave it, and of nearly no character is nothing drawn.
func TestLettersFit(t *testing.T) {
	const x, y = 300, 60
	for _, text := range []string{"Completion time", "WWWMMM@@", "illi.,|", "−12.5 – n = 100…", "שלום", "語語語", "🎉👩‍👩‍👧", "e\u0301", "Ölçü", "<&>\"'"} {
		for _, s := range []style{titleStyle, bodyStyle, tickStyle, smallStyle, strongStyle} {
			for _, a := range []anchor{left, middle, right} {
				p, err := newPainter(600, 100)
				if err != nil {
					t.Fatal(err)
				}
				p.element(element{kind: textKind, points: []xy{{x, y}}, class: s.class(), text: text, anchor: a, style: s})
				if p.err != nil {
					t.Fatal(p.err)
				}
				c := canvas{metrics: newMetrics()}
				room, got := c.box(x, y, a, s, text), ink(p.Image(), 1)
				// Letters may lean out of their advance by a hair.
				if got.Empty() || float64(got.Min.X) < pixels*room.x0-2 || float64(got.Max.X) > pixels*room.x1+2 {
					t.Errorf("%q %s %s: drawn from %d to %d, room from %v to %v", text, s.class(), a, got.Min.X, got.Max.X, pixels*room.x0, pixels*room.x1)
				}
			}
		}
	}
}

// TestLook: the rules win over each other as in CSS.
func TestLook(t *testing.T) {
	p := light()
	for _, c := range []struct {
		kind           kind
		class          string
		property, want string
	}{
		{textKind, "tick", "fill", p.soft},
		{textKind, "tick t7", "fill", p.onRamp[7]}, // for texts before for all
		{rectKind, "fs1", "fill-opacity", "1"},
		{rectKind, "band fs1", "fill-opacity", ".2"}, // two classes before one
		{rectKind, "band fs1", "fill", p.series[1]},
		{lineKind, "ref", "stroke-dasharray", "5 3"},
		{pathKind, "ls0", "fill", "none"},
		{textKind, "tick halo", "stroke", p.page},
		{circleKind, "unknown", "stroke", "none"},
	} {
		if got := lookOf(rules(p), element{kind: c.kind, class: c.class})[c.property]; got != c.want {
			t.Errorf("%s of %q is %s, want %s", c.property, c.class, got, c.want)
		}
	}
}

// TestClassesHaveRules: an element with a class that no rule knows would be black.
func TestClassesHaveRules(t *testing.T) {
	all := examples()
	maps.Copy(all, extremes())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, e := range all[name].Draw(Wide).elements {
			if l := lookOf(rules(light()), e); l["fill"] == "#000" && l["stroke"] == "none" && e.class != "hover" {
				t.Fatalf("%s: nothing is said of class %q", name, e.class)
			}
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	f := eight().Draw(Wide)
	for b.Loop() {
		if _, err := f.PNG(); err != nil {
			b.Fatal(err)
		}
	}
}
