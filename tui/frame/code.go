package frame

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// WrapMark begins a row that continues the line of code in the row above.
const WrapMark = "↳ "

// WrapCode breaks a line of code, which may have styles, into rows of width: after a space,
// a comma or a bracket where one is near, else within a word. The rows after the first are
// indented like the line and begin with [WrapMark].
func WrapCode(line string, width int) []string {
	if len(line) <= width || ansi.StringWidth(line) <= width {
		return []string{line}
	}
	width = max(8, width)
	plain := ansi.Strip(line)
	hang := strings.Repeat(" ", min(len(plain)-len(strings.TrimLeft(plain, " ")), width/2)) + WrapMark
	var rows []string
	style, prefix := "", ""
	for rest := ansi.Truncate(line, ansi.StringWidth(strings.TrimRight(plain, " ")), ""); rest != ""; {
		n := rowEnd(rest, width-ansi.StringWidth(prefix))
		row := prefix + style + rest[:n]
		if style = styleAfter(style, rest[:n]); style != "" {
			row += "\x1b[m"
		}
		rows = append(rows, row)
		prefix, rest = hang, rest[n:]
	}
	return rows
}

// rowEnd returns how many bytes of a line stand in a row of width.
func rowEnd(line string, width int) int {
	end, after := 0, 0 // after is where the row may end between words
	for used := 0; end < len(line); {
		seq, w, n, _ := ansi.DecodeSequence(line[end:], ansi.NormalState, nil)
		if next := end + n; w == 1 && next < len(line) && line[next] >= utf8.RuneSelf { // 1️⃣ is wider than its digit
			seq, w = ansi.FirstGraphemeCluster(line[end:], ansi.GraphemeWidth)
			n = len(seq)
		}
		if used += w; used > width {
			if after > 0 {
				end = after
			}
			return max(end, 1)
		}
		end += n
		if w == 1 && used >= width/4 && strings.Contains(" ,;([{", seq) && !strings.HasPrefix(line[end-n:], "  ") {
			if after = end; seq == " " { // several spaces stand where they are seen, before what follows them
				if text := strings.TrimRight(line[:end], " "); end-len(text) > 1 && strings.TrimSpace(ansi.Strip(text)) != "" {
					after = len(text)
				}
			}
		}
	}
	return end
}

// styleAfter returns the style that is in force behind a text that began with one.
func styleAfter(style, text string) string {
	for {
		at := strings.Index(text, "\x1b[")
		if at < 0 {
			return style
		}
		seq, _, n, _ := ansi.DecodeSequence(text[at:], ansi.NormalState, nil)
		switch {
		case seq == "\x1b[m" || seq == "\x1b[0m":
			style = ""
		case strings.HasSuffix(seq, "m"):
			style += seq
		}
		text = text[at+max(n, 2):]
	}
}

// Wrap breaks text, which may have styles, to width: at spaces only, and inside words that are longer.
func Wrap(text string, width int) string {
	width = max(1, width)
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, wrapLine(line, width)...)
	}
	text = strings.Join(rows, "\n")
	if len(rows) == 1 || !strings.Contains(text, "\x1b") {
		return text
	}
	var styled strings.Builder
	w := lipgloss.NewWrapWriter(&styled)
	w.Write([]byte(text))
	w.Close()
	return styled.String()
}

func wrapLine(line string, width int) []string {
	if len(line) <= width {
		return []string{line}
	}
	var rows []string
	from, used := 0, 0 // the row's first byte, its columns
	row := func(text string) {
		if used > width { // with spaces at its end
			text = ansi.Truncate(text, width, "")
		}
		rows = append(rows, text)
	}
	for at := 0; at < len(line); {
		start := at + len(line[at:]) - len(strings.TrimLeft(line[at:], " "))
		end := len(line)
		if i := strings.IndexByte(line[start:], ' '); i >= 0 {
			end = start + i
		}
		word := ansi.StringWidth(line[start:end])
		if used+start-at+word <= width || word == 0 {
			used, at = used+start-at+word, end
			continue
		}
		if from < at {
			row(line[from:at])
		}
		from, used, at = start, word, end
		if word > width {
			pieces := strings.Split(ansi.Hardwrap(line[start:end], width, true), "\n")
			last := len(pieces) - 1
			rows, used, from = append(rows, pieces[:last]...), ansi.StringWidth(pieces[last]), end-len(pieces[last])
		}
	}
	row(line[from:])
	return rows
}

// WrapText wraps prose between words. Lines that are indented by four like code, or have a
// word that is wider than the row, are broken as code is.
func WrapText(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		switch {
		case len(l) <= width:
		case strings.HasPrefix(l, "    ") || widestWord(l) > width:
			lines[i] = strings.Join(WrapCode(l, width), "\n")
		default:
			lines[i] = Wrap(l, width)
		}
	}
	return strings.Join(lines, "\n")
}

func widestWord(line string) int {
	widest := 0
	for word := range strings.FieldsSeq(line) {
		if len(word) > widest { // a word has no more columns than bytes
			widest = max(widest, ansi.StringWidth(word))
		}
	}
	return widest
}

// Pan is how far a text is scrolled to the right where long lines of code run on. The zero
// Pan shows its beginning.
type Pan struct {
	left int
	more bool // a row that is seen goes on at the right
}

// panStep is how many columns a key scrolls to a side.
const panStep = 16

// Keys returns the keys for long lines of code, for the page of keys. Tell shows what one of them did.
func (p *Pan) Keys(theme Theme, tell func(notice string)) []Key {
	return []Key{
		{Press: "w", Does: "break long lines of code, or let them run on", More: true, Fit: func(k *Key) {
			if k.Does = "let long lines of code run on"; theme.Sideways {
				k.Does = "break long lines of code"
			}
		}, Do: func() tea.Cmd {
			if *p = (Pan{}); theme.Sideways {
				tell("Long lines of code are broken.")
			} else {
				tell("Long lines of code run on: < and > scroll sideways.")
			}
			return sideways
		}},
		{Press: "< >", Does: "scroll left, scroll right", More: true, Not: func() string {
			if !theme.Sideways {
				return "long lines are broken; w lets them run on"
			}
			return ""
		}, Run: func(press string) tea.Cmd {
			if press == "<" {
				p.left = max(0, p.left-panStep)
			} else if p.more {
				p.left += panStep
			}
			return nil
		}},
	}
}

// Rows returns what is seen of rows in a column: all of them, or as much as finds room.
func (p *Pan) Rows(rows []string, width int, theme Theme) []string {
	if p.more = false; !theme.Sideways {
		return rows
	}
	rows = slices.Clone(rows)
	for i, row := range rows {
		p.more = p.more || ansi.StringWidth(row) > p.left+width
		rows[i] = crop(row, p.left, width)
	}
	return rows
}

// Show scrolls as far as shows columns of a text, if they are not in view.
func (p *Pan) Show(from, to, width int, theme Theme) {
	if theme.Sideways && (p.left > 0 && from <= p.left || to >= p.left+width) {
		p.left = max(0, to-width*2/3)
	}
}

// crop returns the part of a row from column left on, as wide as width, with a mark at either
// end where the row goes on.
func crop(row string, left, width int) string {
	whole := ansi.StringWidth(row)
	if whole == 0 || left == 0 && whole <= width {
		return row
	}
	from, to, before, behind := left, left+width, "", ""
	if left > 0 {
		from, before = from+1, "‹"
	}
	if whole > to {
		to, behind = to-1, "›"
	}
	return before + ansi.Cut(row, from, to) + behind
}
