package figure

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	for name, mark := range examples() {
		if name == "scatter-cloud" {
			continue // large
		}
		f := mark.Draw(Wide)
		for ext, got := range map[string][]byte{".svg": f.SVG(), ".csv": f.CSV(), ".txt": []byte(f.Alt() + "\n")} {
			golden := filepath.Join("testdata", name+ext)
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs; look at it and run the test with -update", golden)
			}
		}
	}
}

// check holds what is true of every figure, at both widths. It returns the wide one.
func check(t interface {
	Errorf(string, ...any)
	Fatalf(string, ...any)
}, name string, m Mark) Figure {
	narrow := checkDrawn(t, name+", narrow", m, Narrow)
	f := checkDrawn(t, name, m, Wide)
	if !bytes.Equal(f.CSV(), narrow.CSV()) || f.Alt() != narrow.Alt() && len(f.notes) == len(narrow.notes) {
		t.Errorf("%s: the narrow drawing tells something else", name)
	}
	wellFormed(t, name+" inline", slices.Concat([]byte("<p>"), f.Inline(narrow), []byte("</p>")))
	return f
}

func checkDrawn(t interface {
	Errorf(string, ...any)
	Fatalf(string, ...any)
}, name string, m Mark, width float64) Figure {
	f := m.Draw(width)
	svg := f.SVG()
	wellFormed(t, name, svg)
	if !bytes.Equal(svg, m.Draw(width).SVG()) {
		t.Errorf("%s: two drawings differ", name)
	}
	w, h := f.Size()
	for i, b := range f.texts {
		if b.x0 < 0 || b.y0 < 0 || b.x1 > w || b.y1 > h {
			t.Errorf("%s: %q at %v,%v to %v,%v leaves the canvas %v by %v", name, b.text, b.x0, b.y0, b.x1, b.y1, w, h)
		}
		for _, o := range f.texts[:i] {
			if b.overlaps(o) {
				t.Errorf("%s: %q at %v,%v overlaps %q at %v,%v", name, b.text, b.x0, b.y1, o.text, o.x0, o.y1)
			}
		}
	}
	if rows, err := csv.NewReader(bytes.NewReader(f.CSV())).ReadAll(); err != nil || len(rows) < 1 {
		t.Errorf("%s: the data are %d rows: %v", name, len(rows), err)
	}
	if f.Alt() == "" {
		t.Errorf("%s has no alternative", name)
	}
	return f
}

func wellFormed(t interface {
	Errorf(string, ...any)
	Fatalf(string, ...any)
}, name string, svg []byte) {
	dec := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s is not well-formed: %v", name, err)
		}
		element, is := token.(xml.StartElement)
		if !is {
			continue
		}
		if element.Name.Local == "script" {
			t.Errorf("%s has a script", name)
		}
		for _, a := range element.Attr {
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Errorf("%s: %s=%q", name, a.Name.Local, a.Value)
			}
			if _, decimals, _ := strings.Cut(a.Value, "."); a.Name.Local == "x" && len(decimals) > 2 {
				t.Errorf("%s: %s=%q has more than two decimals", name, a.Name.Local, a.Value)
			}
			switch a.Name.Local {
			case "width", "height", "r":
				if v, err := strconv.ParseFloat(a.Value, 64); err != nil || v < 0 {
					t.Errorf("%s: %s=%q", name, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestExamples(t *testing.T) {
	all := examples()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if alt := check(t, name, all[name]).Alt(); strings.Contains(alt, "NaN") || strings.Contains(alt, "Inf") {
			t.Errorf("%s: alternative %q", name, alt)
		}
	}
}

// TestAnyFigure: whatever the data, texts stay on the canvas and apart.
func TestAnyFigure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { check(t, "figure", anyMark(t)) })
}

// TestMany: a hundred thousand points are drawn as what can be seen of them.
func TestMany(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var values []float64
	var dots []Dot
	f := Followed{}
	for range 100_000 {
		v := r.ExpFloat64()
		values, dots = append(values, v), append(dots, Dot{X: v, Y: r.NormFloat64()})
		f.Times, f.Event = append(f.Times, v), append(f.Event, r.IntN(2) == 0)
	}
	for name, m := range map[string]Mark{
		"ecdf": ECDF{Samples: []Sample{{"", values}}}, "scatter": Scatter{Points: dots}, "histogram": Histogram{Values: values}, "box": Box{Samples: []Sample{{"", values}}},
	} {
		if size := len(check(t, name, m).SVG()); size > 4_000_000 {
			t.Errorf("%s of 100,000 values has %d bytes", name, size)
		}
	}
}

func TestExtremes(t *testing.T) {
	for name, m := range extremes() {
		check(t, name, m)
	}
	svg := string(extremes()["not a number"].Draw(Wide).SVG())
	if !strings.Contains(svg, "Left out: 2 values without a finite value.") || !strings.Contains(svg, "There are no data to draw.") {
		t.Error("what is left out is not told")
	}
}

func TestNiceTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{105, 543, 5, []float64{100, 200, 300, 400, 500, 600}}, // the example of Heckbert's figure
		{0, 72, 5, []float64{0, 20, 40, 60, 80}},
		{-3, 3, 4, []float64{-4, -2, 0, 2, 4}},
		{0, 1, 6, []float64{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}},
	} {
		if got := niceTicks(c.lo, c.hi, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%v to %v: %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		e := nothing()
		e.add(rapid.SliceOfN(numbers(), 1, 5).Draw(t, "values")...)
		log := rapid.Bool().Draw(t, "log")
		s := scaleOf(Axis{Log: log, Zero: rapid.Bool().Draw(t, "zero")}, e, rapid.IntRange(2, 12).Draw(t, "n"))
		if len(s.ticks) < 2 || len(s.ticks) > 40 || !slices.IsSorted(s.ticks) {
			t.Errorf("%v: ticks %v", e, s.ticks)
		}
		if e.lo <= e.hi && !log && (s.lo > e.lo+1e-6*max(e.hi-e.lo, math.Abs(e.lo)) || s.hi < e.hi-1e-6*max(e.hi-e.lo, math.Abs(e.hi))) {
			t.Errorf("%v is not within %v to %v", e, s.lo, s.hi)
		}
		names := tickNames(s)
		slices.Sort(names)
		if len(slices.Compact(names)) != len(s.ticks) {
			t.Errorf("two ticks of %v have one name: %v", s.ticks, tickNames(s))
		}
	})
}

// TestExactTicks: an axis that says where it ends, ends there while all values fit.
func TestExactTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		n      int
		want   []float64
	}{
		{Axis{To: 5, Zero: true}, 3.2, 4.9, 4, []float64{0, 1, 2, 3, 4, 5}},
		{Axis{To: 5, Zero: true}, 3.2, 5, 6, []float64{0, 1, 2, 3, 4, 5}},
		{Axis{To: 5}, 3.2, 5.1, 4, []float64{0, 2, 4, 6}}, // a value beyond
		{Axis{From: 1, To: 5}, 2, 3, 5, []float64{1, 2, 3, 4, 5}},
		{Axis{From: 1, To: 5, Zero: true}, 2, 3, 4, []float64{0, 2, 4, 6}},
		{Axis{To: 40}, 30, 38, 5, []float64{0, 10, 20, 30, 40}},
		{Axis{To: 100}, 0, 100, 4, []float64{0, 50, 100}},
		{Axis{From: -0.5, To: 0.5}, 0, 0.1, 3, []float64{-0.5, 0, 0.5}},
		{Axis{To: 23}, 1, 2, 5, []float64{0, 5, 10, 15, 20, 25}},            // 23 steps of 1 are too many
		{Axis{Zero: true, Whole: true}, 1, 4, 10, []float64{0, 1, 2, 3, 4}}, // no half attempts
		{Axis{Whole: true}, 3, 3, 6, []float64{2, 3, 4}},
		{Axis{Zero: true, Whole: true}, 1, 40, 5, []float64{0, 10, 20, 30, 40}},
	} {
		e := nothing()
		e.add(c.lo, c.hi)
		if s := scaleOf(c.axis, e, c.n); !slices.Equal(s.ticks, c.want) || s.lo != c.want[0] || s.hi != c.want[len(c.want)-1] {
			t.Errorf("%+v with %v to %v: from %v to %v, ticks %v, want %v", c.axis, c.lo, c.hi, s.lo, s.hi, s.ticks, c.want)
		}
	}
}

func TestWidths(t *testing.T) {
	m := newMetrics()
	for text, want := range map[string]float64{"": 0, " ": 278, "Wi~": 944 + 222 + 584, "0123456789": 5560, "@": 1015, "語": 1000, "e\u0301": 556} {
		if got := m.width(text, bodyStyle) / widest * 1000 / bodyStyle.size(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q is %v wide, want %v", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, width := clean(names().Draw(t, "text")), rapid.Float64Range(0, 300).Draw(t, "width")
		lines, whole := m.wrap(text, tickStyle, width, rapid.IntRange(1, 4).Draw(t, "lines"))
		for _, l := range lines {
			if m.width(l, tickStyle) > width {
				t.Errorf("%q is wider than %v", l, width)
			}
		}
		if whole && strings.Join(lines, " ") != strings.Join(strings.Fields(text), " ") {
			t.Errorf("%q became %q", text, lines)
		}
	})
}

// lightness is CIE L* of an sRGB colour.
func lightness(hex string) float64 {
	y := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, _ := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		y += weight * c
	}
	if y <= 216.0/24389 {
		return y * 24389 / 27
	}
	return 116*math.Cbrt(y) - 16
}

func contrast(a, b string) float64 {
	y := func(hex string) float64 {
		l := lightness(hex)
		if l > 8 {
			return math.Pow((l+16)/116, 3)
		}
		return l * 27 / 24389
	}
	hi, lo := max(y(a), y(b)), min(y(a), y(b))
	return (hi + 0.05) / (lo + 0.05)
}

// TestPalette: the ramp is monotone in lightness, and texts have the contrast that
// WCAG 2.2 asks for.
func TestPalette(t *testing.T) {
	for name, p := range map[string]palette{"light": light(), "dark": dark()} {
		sign := 1.0
		if name == "light" {
			sign = -1
		}
		for i := range p.ramp {
			if i > 0 && sign*(lightness(p.ramp[i])-lightness(p.ramp[i-1])) < 3 {
				t.Errorf("%s: step %d of the ramp is not told from the one before", name, i)
			}
			if c := contrast(p.ramp[i], p.onRamp[i]); c < 4.5 {
				t.Errorf("%s: text on step %d has contrast %.2f", name, i, c)
			}
		}
		for i := range p.likert {
			if c := contrast(p.likert[i], p.onLikert[i]); c < 4.5 {
				t.Errorf("%s: text on level %d has contrast %.2f", name, i, c)
			}
		}
		for _, text := range []string{p.ink, p.soft} {
			if c := contrast(p.page, text); c < 4.5 {
				t.Errorf("%s: text has contrast %.2f", name, c)
			}
		}
		for i := 1; i < series; i++ {
			if d := math.Abs(lightness(p.series[i]) - lightness(p.series[i-1])); d < 4 {
				t.Errorf("%s: series %d and %d differ by %.1f in lightness", name, i-1, i, d)
			}
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"<script>", "a&b", "\x00\x1b[31m", "\u202e", "]]>", "\xff", "\ufffe", "\"'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := escape(s)
		var back struct {
			A    string `xml:"a,attr"`
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal([]byte(`<x a="`+e+`">`+e+`</x>`), &back); err != nil {
			t.Fatalf("%q: %v", e, err)
		}
		if back.A != clean(s) || back.Text != clean(s) {
			t.Errorf("%q came back as %q and %q", clean(s), back.A, back.Text)
		}
		for _, r := range e {
			if unicode.IsControl(r) {
				t.Errorf("%q holds a control character", e)
			}
		}
	})
}
