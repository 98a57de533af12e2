package figure

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/scoring/stats"
)

// About is what every figure has.
type About struct {
	Title  string // the subject of the finding
	Source string // where the data are from
	N      int    // how many things were observed
	Of     string // what they are: "tasks"
	Note   string // what a reader has to know, below the figure
}

// Axis names one axis.
type Axis struct {
	Name, Unit string
	Log        bool    // base 10; what is not positive is left out
	Zero       bool    // the axis includes 0
	Whole      bool    // only whole numbers are marked: counts
	From, To   float64 // if From < To, this stretch is shown, and more only where values are beyond
}

func (a Axis) title() string {
	if a.Unit == "" {
		return clean(a.Name)
	}
	return clean(a.Name) + ", " + clean(a.Unit)
}

// shows reports whether the axis can show v.
func (a Axis) shows(v float64) bool { return finite(v) && (!a.Log || v > 0) }

// finite reports whether a chart can show v.
func finite(v float64) bool { return math.Abs(v) <= 1e15 }

// Mark is anything that can be drawn, on a page of a width: [Wide] or [Narrow].
type Mark interface{ Draw(width float64) Figure }

// Figure is a finished drawing.
type Figure struct {
	Title, Source string
	N             int

	width, height float64
	elements      []element
	alt           string
	of            string   // N with what it counts
	notes         []string // below the drawing

	// The drawing alone, without heading and notes, and where it begins and ends.
	drawing     []element
	top, bottom float64

	header []string
	rows   [][]string
	texts  []textBox // for the tests
}

// Alt returns what the figure shows, in words.
func (f Figure) Alt() string { return f.alt }

// Caption returns what the figure shows, of how many things, and what a reader has to know.
func (f Figure) Caption() string {
	words := append([]string{f.Title}, f.notes...)
	if f.N > 0 {
		words = slices.Insert(words, 1, "n = "+f.of)
	}
	for i, w := range words {
		if w != "" && !strings.HasSuffix(w, ".") {
			words[i] += "."
		}
	}
	return strings.Join(words, " ")
}

// Size returns the canvas in CSS pixels.
func (f Figure) Size() (width, height float64) { return f.width, f.height }

// Sheet returns the style of all drawings, for a page that has them inline.
func Sheet() string { return sheet() }

// CSV returns the data with a header, as RFC 4180 has it. Cells that begin like a
// formula of a spreadsheet have an apostrophe before them, but for numbers.
func (f Figure) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(f.header) // a buffer takes everything
	_ = w.WriteAll(f.rows)
	return b.Bytes()
}

// cell is text for the CSV.
func cell(text string) string {
	text = clean(text)
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}

// value returns a number for the CSV, empty where there is none.
func value(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// plain returns a number for reading: at most so many decimals, no zeros at the end.
func plain(v float64, decimals int) string {
	if !finite(v) {
		return "–"
	}
	if a := math.Abs(v); a != 0 && a < 0.5*math.Pow(10, -float64(decimals)) {
		return minus(strconv.FormatFloat(v, 'g', 2, 64))
	}
	text := stats.Round(v, decimals) // half away from zero, as in every report
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		text = "0"
	}
	return minus(text)
}

// alike writes values for reading with the same decimals: as few as tell all of
// them, at most two.
func alike(values []float64) func(float64) string {
	decimals := 0
	for _, v := range values {
		if finite(v) && math.Abs(v) < 1e9 {
			_, after, _ := strings.Cut(plain(v, 2), ".")
			decimals = max(decimals, min(len(after), 2))
		}
	}
	return func(v float64) string {
		if !finite(v) || strings.ContainsRune(plain(v, 2), 'e') {
			return plain(v, 2)
		}
		text := stats.Round(v, decimals)
		if v >= 10_000 {
			text = thousands(text)
		}
		return minus(text)
	}
}

// minus sets the sign as a minus, not as a hyphen.
func minus(text string) string {
	if rest, is := strings.CutPrefix(text, "-"); is {
		return "−" + rest
	}
	return text
}

// plural returns a count of things, of which name is the plural.
func plural(n int, name string) string {
	if n == 1 && strings.HasSuffix(name, "s") {
		name = strings.TrimSuffix(name, "s")
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", n, name))
}
