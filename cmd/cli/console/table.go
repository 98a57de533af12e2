package console

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"assay/tui/frame"
)

// Columns of a table are tableGap apart, and are shortened to leastColumn at least.
const (
	tableGap    = 2
	leastColumn = 8
)

// Table aligns lines whose cells end with tabs, as tabwriter does. A terminal that is too narrow for them gets
// fewer and shorter columns.
type Table struct {
	out   io.Writer
	align uint
	rare  []string // headings of columns that are left out first
	text  bytes.Buffer
}

// NewTable returns a table with columns aligned to the left. A narrow terminal does without the rare columns,
// the first of them first.
func NewTable(out io.Writer, rare ...string) *Table { return &Table{out: out, rare: rare} }

// NewNumbers returns a table with columns aligned to the right; the last cell of a line ends with a tab, too.
func NewNumbers(out io.Writer, rare ...string) *Table {
	return &Table{out: out, align: tabwriter.AlignRight, rare: rare}
}

// Write implements io.Writer; lines are printed by Flush.
func (t *Table) Write(p []byte) (int, error) { return t.text.Write(p) }

// Row adds a line of cells, whatever they say: each is one line, and one cell.
func (t *Table) Row(cells ...string) {
	for i, cell := range cells {
		cells[i] = frame.OneLine(cell)
	}
	if t.align == tabwriter.AlignRight {
		cells = append(cells, "")
	}
	fmt.Fprintln(t, strings.Join(cells, "\t"))
}

// Flush prints the lines and empties the table.
func (t *Table) Flush() error {
	text := t.text.String()
	t.text.Reset()
	if width, _, ok := terminalSize(t.out); ok {
		text = t.narrowed(text, width)
	}
	lines := text
	var drawn bytes.Buffer
	w := tabwriter.NewWriter(&drawn, 0, 0, tableGap, ' ', t.align)
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	to, text := t.out, drawn.String()
	if o, ok := to.(*output); ok && o.colored {
		to, text = data{o}, headed(lines, painted(harmless(text)))
	}
	_, err := io.WriteString(to, text)
	return err
}

// headed makes the headings in a drawn text bold: the first lines of the tables in the lines that it was drawn from.
func headed(lines, drawn string) string {
	rows, table := strings.Split(drawn, "\n"), false
	for i, line := range strings.Split(lines, "\n") {
		is := strings.Contains(line, "\t")
		if is && !table && i < len(rows) {
			rows[i] = ansi.NewStyle().Bold().Styled(ansi.Strip(rows[i])) // a heading such as "accepted" is no outcome
		}
		table = is
	}
	return strings.Join(rows, "\n")
}

// Say prints a paragraph, wrapped on a terminal and, where colours are shown, in the colour of what it means.
func Say(out io.Writer, means Meaning, text string) {
	text = Wrapped(out, text)
	if o, ok := out.(*output); ok && o.colored && means != Neutral {
		style := ansi.NewStyle().Bold().ForegroundColor(map[Meaning]ansi.Color{Good: ansi.Green, Unsure: ansi.Yellow}[means])
		lines := strings.Split(harmless(text), "\n")
		for i := range lines {
			lines[i] = style.Styled(lines[i])
		}
		fmt.Fprintln(data{o}, strings.Join(lines, "\n"))
		return
	}
	fmt.Fprintln(out, text)
}

// Meaning is what a paragraph means to its reader.
type Meaning int

// The meanings.
const (
	Neutral Meaning = iota
	Good
	Unsure
)

// outcomes matches the cells of a table that name what became of something: well, badly, or not yet.
var outcomes = regexp.MustCompile(`(?m)(^|  )(?:(accepted|satisfied|finished)|(wrong[_ ]answer|runtime[_ ]error|(?:time|memory|output)[_ ]limit|compile[_ ]error|no[_ ]code|gave[_ ]up|exhausted|abandoned)|(open|paused|sandbox[_ ]error))(  |$)`)

// painted colours the outcomes in a table, with the terminal's own colours.
func painted(table string) string {
	for range 2 { // a match takes the gap to the next cell, which is found the second time
		table = outcomes.ReplaceAllStringFunc(table, paintedCell)
	}
	return table
}

func paintedCell(cell string) string {
	m := outcomes.FindStringSubmatch(cell)
	word, colour := m[2]+m[3]+m[4], ansi.Green
	switch word {
	case m[3]:
		colour = ansi.Red
	case m[4]:
		colour = ansi.Yellow
	}
	return m[1] + ansi.NewStyle().ForegroundColor(colour).Styled(word) + m[5]
}

// narrowed makes lines fit into a width. Lines without tabs are between tables.
func (t *Table) narrowed(text string, width int) string {
	var b strings.Builder
	var rows [][]string
	for line := range strings.Lines(text + "\n") { // the empty line ends the last table
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) > 1 {
			rows = append(rows, cells)
			continue
		}
		t.fit(&b, rows, width)
		b.WriteString(line)
		rows = nil
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fit writes the rows of a table, of which the first has the headings, with columns left out and shortened.
func (t *Table) fit(b *strings.Builder, rows [][]string, width int) {
	var missing []string
	for _, name := range t.rare {
		if total(columnWidths(rows)) <= width {
			break
		}
		i := slices.Index(rows[0], name)
		if i < 0 {
			continue
		}
		missing = append(missing, name)
		for n, row := range rows {
			if i < len(row) {
				rows[n] = slices.Delete(row, i, i+1)
			}
		}
	}
	for i, to := range t.shortened(columnWidths(rows), width) {
		for _, row := range rows {
			if i < len(row) {
				row[i] = ansi.Truncate(row[i], to, "…")
			}
		}
	}
	for _, row := range rows {
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	if len(missing) > 0 {
		note := fmt.Sprintf("(a wider terminal also shows: %s)", strings.Join(missing, ", "))
		b.WriteString(ansi.Wordwrap(note, max(width, 2*leastColumn), "") + "\n")
	}
}

// shortened returns the widths of columns after the widest ones gave up what does not fit. Numbers are not
// shortened, only what stands before them.
func (t *Table) shortened(widths []int, width int) []int {
	may := widths
	if t.align == tabwriter.AlignRight {
		may = widths[:min(1, len(widths))]
	}
	for over := total(widths) - width; over > 0 && len(may) > 0 && slices.Max(may) > leastColumn; over-- {
		may[slices.Index(may, slices.Max(may))]--
	}
	return widths
}

// columnWidths returns the width of each column.
func columnWidths(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	return widths
}

// total returns the width of a table with columns of these widths.
func total(widths []int) int {
	width := -tableGap
	for _, w := range widths {
		width += w + tableGap
	}
	return width
}

// Wrapped returns text with its lines wrapped between words if the stream is a terminal, and as it is otherwise.
func Wrapped(out io.Writer, text string) string {
	if width, _, ok := terminalSize(out); ok {
		return frame.WrapText(text, width)
	}
	return text
}

// terminalSize returns the size of the terminal that a stream is on; ok is false if it is on none.
func terminalSize(out io.Writer) (width, height int, ok bool) {
	f, isFile := Raw(out).(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, 0, false
	}
	if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 1 {
		return w, h, true
	}
	return 80, 24, true
}
