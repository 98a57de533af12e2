package document

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/stats"
	"assay/session/report/figure"
)

// Document is a titled text of numbered sections.
type Document struct {
	Title    string
	Subtitle string
	Sections []*Section
	Through  bool // tables in folds and asides are numbered with the others
	brief    bool // it is the brief form

	trace trace
	errs  []error
}

// New makes an empty document about data, a pointer to the struct that is exported as
// JSON: numbers are given by pointers to its fields. All of the data must be there
// before the first number is written.
func New(title string, data any) *Document { return &Document{Title: title, trace: trace{data: data}} }

// Section is a part with a heading.
type Section struct {
	ID, Title string
	Aside     bool // only its heading is printed
	Lead      bool // in the brief form, too; see [Document.Brief]

	d      *Document
	blocks []block
}

// block is one of paragraph, anchor, list, *Table, *drawing, passage, fold and *Section.
type block interface{}

type (
	paragraph struct {
		spans []Span
		class string // "note" or "warning"
	}
	// anchor is a place that links lead to.
	anchor  struct{ id string }
	list    struct{ items [][]Span }
	drawing struct {
		number string
		name   string
		figure.Figure
		narrow figure.Figure
	}
	// passage is text from outside, such as a prompt, line by line.
	passage struct {
		label, text string
		markdown    bool
	}
	// fold is closed until a reader opens it.
	fold struct {
		summary []Span
		inside  []block
	}
)

// Section adds a section; its id is unique in the document.
func (d *Document) Section(id, title string) *Section {
	s := &Section{ID: id, Title: title, d: d}
	d.Sections = append(d.Sections, s)
	return s
}

// Aside adds a section of which only the heading is printed.
func (d *Document) Aside(id, title string) *Section {
	s := d.Section(id, title)
	s.Aside = true
	return s
}

// Section adds a section within this one; its id is unique in the document.
func (s *Section) Section(id, title string) *Section {
	inside := &Section{ID: id, Title: title, d: s.d}
	s.blocks = append(s.blocks, inside)
	return inside
}

// EndLead puts the sections so far into the brief form.
func (d *Document) EndLead() {
	for _, s := range d.Sections {
		s.Lead = true
	}
}

// Brief returns a document of the sections that are of the brief form.
func (d *Document) Brief() *Document {
	brief := *d
	brief.Sections, brief.brief = slices.DeleteFunc(slices.Clone(d.Sections), func(s *Section) bool { return !s.Lead }), true
	return &brief
}

// number numbers tables and figures: those that are printed 1, 2, 3, and those in folds and asides S1, S2, S3.
func (d *Document) number() {
	type counted struct {
		aside bool
		table bool
	}
	counts := map[counted]int{}
	next := func(of counted) string {
		of.aside = of.aside && !d.Through
		counts[of]++
		if of.aside {
			return fmt.Sprint("S", counts[of])
		}
		return fmt.Sprint(counts[of])
	}
	var visit func(blocks []block, aside bool)
	visit = func(blocks []block, aside bool) {
		for _, b := range blocks {
			switch b := b.(type) {
			case *Table:
				b.number = next(counted{aside, true})
			case *drawing:
				b.number = next(counted{aside, false})
			case fold:
				visit(b.inside, true)
			case *Section:
				visit(b.blocks, aside || b.Aside)
			}
		}
	}
	for _, s := range d.Sections {
		visit(s.blocks, s.Aside)
	}
}

// Text adds a paragraph. Parts are strings, which are the report's own words, and
// spans.
func (s *Section) Text(parts ...any) {
	s.blocks = append(s.blocks, paragraph{spans: s.d.spans(parts)})
}

// Note adds a paragraph in small print.
func (s *Section) Note(parts ...any) {
	s.blocks = append(s.blocks, paragraph{s.d.spans(parts), "note"})
}

// Warn adds a paragraph that nobody may miss.
func (s *Section) Warn(parts ...any) {
	s.blocks = append(s.blocks, paragraph{s.d.spans(parts), "warning"})
}

// Anchor marks the place that a Link to "#" and the id leads to; it is unique in the
// document, of letters, digits and hyphens.
func (s *Section) Anchor(id string) { s.blocks = append(s.blocks, anchor{id}) }

// List adds a list; Item makes its items.
func (s *Section) List(items ...[]any) {
	l := list{}
	for _, item := range items {
		l.items = append(l.items, s.d.spans(item))
	}
	if len(l.items) > 0 {
		s.blocks = append(s.blocks, l)
	}
}

// Item returns the parts of one item of a list, or of one cell.
func Item(parts ...any) []any { return parts }

// Figure adds a drawing whose files have that name, and the same one for narrow screens.
func (s *Section) Figure(name string, f, narrow figure.Figure) {
	s.blocks = append(s.blocks, &drawing{"", name, f, narrow})
}

// Passage adds text from outside, which keeps its lines.
func (s *Section) Passage(label, text string) {
	s.blocks = append(s.blocks, passage{label: label, text: text})
}

// Answer adds a passage in Markdown, which a reader of the HTML page can switch between as it was written and rendered.
func (s *Section) Answer(label, text string) {
	s.blocks = append(s.blocks, passage{label: label, text: text, markdown: true})
}

// Fold adds what a reader can open; fill adds its content to the section it is given. There is no fold of nothing.
func (s *Section) Fold(summary []any, fill func(*Section)) {
	inside := &Section{d: s.d}
	if fill(inside); len(inside.blocks) > 0 {
		s.blocks = append(s.blocks, fold{s.d.spans(summary), inside.blocks})
	}
}

// Column is one column of a table.
type Column struct {
	Head  string
	Right bool // numbers
}

// Left and Right are columns by their heads.
func Left(head string) Column  { return Column{head, false} }
func Right(head string) Column { return Column{head, true} }

// Table is a numbered table with a caption.
type Table struct {
	ID, Caption string
	Columns     []Column

	d      *Document
	number string
	rows   [][][]Span
	fewest map[int]int // by column: the decimals of its percentages
	notes  [][]Span
}

// Table adds a table; its id names its LaTeX file.
func (s *Section) Table(id, caption string, columns ...Column) *Table {
	t := &Table{ID: id, Caption: caption, Columns: columns, d: s.d}
	s.blocks = append(s.blocks, t)
	return t
}

// Row adds a row: a cell is a string, a Span, or the parts of an Item.
func (t *Table) Row(cells ...any) {
	row := make([][]Span, len(cells))
	for i, c := range cells {
		if parts, several := c.([]any); several {
			row[i] = t.d.spans(parts)
		} else {
			row[i] = t.d.spans([]any{c})
		}
	}
	if len(row) != len(t.Columns) {
		t.d.errs = append(t.d.errs, fmt.Errorf("table %s: a row of %d cells under %d columns", t.ID, len(row), len(t.Columns)))
		return
	}
	t.rows = append(t.rows, row)
	for i := range row {
		t.align(i, row[i])
	}
}

// align gives the percentages of a column, which cell was added to, the decimals of the
// one that has the fewest.
func (t *Table) align(column int, cell []Span) {
	before, seen := t.fewest[column]
	fewest := before
	for _, s := range cell {
		if s.percent() && (!seen || s.round < fewest) {
			fewest, seen = s.round, true
		}
	}
	if !seen {
		return
	}
	if t.fewest == nil {
		t.fewest = map[int]int{}
	}
	t.fewest[column] = fewest
	rows := t.rows
	if fewest == before {
		rows = rows[len(rows)-1:]
	}
	for _, row := range rows {
		for i := range row[column] {
			if s := &row[column][i]; s.percent() {
				s.text, s.round = stats.RoundPercent(s.exact, fewest), fewest
			}
		}
	}
}

// Note adds small print below the table.
func (t *Table) Note(parts ...any) { t.notes = append(t.notes, t.d.spans(parts)) }

// Mentions reports whether a mark stands in the table's caption, head or cells.
func (t *Table) Mentions(mark string) bool {
	found := strings.Contains(t.Caption, mark)
	for _, c := range t.Columns {
		found = found || strings.Contains(c.Head, mark)
	}
	for _, row := range t.rows {
		for _, cell := range row {
			for _, s := range cell {
				found = found || strings.Contains(s.text, mark)
			}
		}
	}
	return found
}

// Tables returns all tables of the document in order.
func (d *Document) Tables() []*Table {
	var all []*Table
	var collect func(blocks []block)
	collect = func(blocks []block) {
		for _, b := range blocks {
			switch b := b.(type) {
			case *Table:
				all = append(all, b)
			case fold:
				collect(b.inside)
			case *Section:
				collect(b.blocks)
			}
		}
	}
	for _, s := range d.Sections {
		collect(s.blocks)
	}
	return all
}

// Err returns what is wrong with how the document was made, such as a number that is not
// in the data.
func (d *Document) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	return fmt.Errorf("%d mistakes in the report's text, the first: %w", len(d.errs), d.errs[0])
}

// Span is a piece of text of one kind.
type Span struct {
	kind  kind
	text  string
	of    []Span  // of strong
	from  string  // of value: the path in the exported data
	scale float64 // of value: 100 for percent
	round int     // of value: decimals
	exact float64 // of value: neither scaled nor rounded; NaN where there is none
	share float64 // of bar, 0 to 1
}

func (s *Span) percent() bool { return s.kind == value && s.scale == 100 && defined(s.exact) }

type kind int

const (
	words  kind = iota
	name        // text from outside
	fixed       // a constant of a definition
	value       // a number of the data
	strong      // emphasis
	bar         // a share, drawn
	code        // an identifier, a command
	link
)

// Name returns a text from outside, such as the id of a task.
func Name(text string) Span { return Span{kind: name, text: text} }

// Fixed returns the report's own words where they hold digits that are no result.
func Fixed(text string) Span { return Span{kind: fixed, text: text} }

// Code returns a name of a file, a column or a command.
func Code(text string) Span { return Span{kind: code, text: text} }

// Link points at a file beside the document.
func Link(text, target string) Span { return Span{kind: link, text: text, from: target} }

// Strong emphasises the parts.
func (d *Document) Strong(parts ...any) Span { return Span{kind: strong, of: d.spans(parts)} }

// Bar draws a share from 0 to 1. It says nothing that a number beside it does not.
func Bar(share float64) Span {
	if !(share > 0) {
		share = 0
	}
	return Span{kind: bar, share: min(share, 1)}
}

// Num returns the number that p, a pointer into the data, points at, with so many decimals.
// A number that is not defined is a dash.
func (d *Document) Num(p any, decimals int) Span { return d.value(p, 1, decimals) }

// Percent is Num times a hundred, without a sign.
func (d *Document) Percent(p any, decimals int) Span { return d.value(p, 100, decimals) }

// Scaled is Num times 1, or 100 for percent.
func (d *Document) Scaled(p any, scale float64, decimals int) Span {
	return d.value(p, scale, decimals)
}

// Count returns the whole number that p points at.
func (d *Document) Count(p any) Span { return d.value(p, 1, 0) }

// Range returns an interval of the data, scaled; nil is a dash.
func (d *Document) Range(iv *stats.Interval, scale float64, decimals int) []any {
	if iv == nil {
		return Item(Undefined)
	}
	between := "–"
	if iv.Low < 0 {
		between = " to "
	}
	return Item(d.value(&iv.Low, scale, decimals), between, d.value(&iv.High, scale, decimals))
}

// Undefined stands for a number that there is none of.
const Undefined = "–"

func (d *Document) value(p any, scale float64, decimals int) Span {
	path, v, whole, err := d.trace.find(p)
	if err != nil {
		d.errs = append(d.errs, err)
		return Fixed("?")
	}
	if whole != "" {
		return Span{kind: value, text: whole, from: path, scale: scale, exact: math.NaN()}
	}
	text := Undefined
	if defined(v) {
		if text = stats.Round(scale*v, decimals); scale == 100 {
			text = stats.RoundPercent(v, decimals)
		}
	}
	return Span{kind: value, text: text, from: path, scale: scale, round: decimals, exact: v}
}

// spans flattens parts.
func (d *Document) spans(parts []any) []Span {
	var all []Span
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			if p != "" {
				all = append(all, Span{kind: words, text: p})
			}
		case Span:
			all = append(all, p)
		case []any:
			all = append(all, d.spans(p)...)
		default:
			d.errs = append(d.errs, fmt.Errorf("%T is no part of a text", p))
		}
	}
	return all
}
