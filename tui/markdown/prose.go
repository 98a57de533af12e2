package markdown

import (
	"bytes"
	"image/color"
	"regexp"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"assay/tui/frame"
)

// prose draws Markdown from its source: the parser says only how each byte looks. Of what lies between the texts
// that the parser found, marks are not drawn, but anything with a letter or a digit is.
type prose struct {
	source []byte
	look   Look
	theme  frame.Theme
	at     int // bytes of the source already drawn
}

// newParser returns the parser of GitHub's Markdown without the constructs whose text is drawn elsewhere or not at
// all: definitions of links and footnotes stay where they are written, and so do the boxes of tasks.
var newParser = sync.OnceValue(func() parser.Parser {
	blocks := parser.DefaultBlockParsers()
	for i, b := range blocks {
		if b.Value == parser.NewBlockquoteParser() {
			blocks[i].Value = quotes{parser.NewBlockquoteParser()}
		}
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(extension.NewStrikethroughParser(), 500), util.Prioritized(extension.NewLinkifyParser(), 999))...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
})

// quotes reads quotes, but no lines that begin like an example in Python, which would be a quote in a quote.
type quotes struct{ parser.BlockParser }

func (q quotes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte(">>>")) {
		return nil, parser.NoChildren
	}
	return q.BlockParser.Open(parent, reader, pc)
}

// narrowest is the width below which nested blocks are not indented further.
const narrowest = 16

// rendered renders prose in rows.
func rendered(source string, look Look) []string {
	p := &prose{source: []byte(source), look: look, theme: look.theme()}
	rows := p.blocks(newParser().Parse(text.NewReader(p.source)), max(8, look.Width-2), false)
	if rest := p.missed(len(p.source)); rest != "" {
		rows = append(rows, p.lines(rest, look.Width-2)...)
	}
	for i, row := range rows {
		if rows[i] = strings.TrimRight(row, " "); rows[i] != "" {
			rows[i] = " " + rows[i]
		}
	}
	return rows
}

// missed returns the text up to a byte of the source that the parser has not reported; "" if it is only marks.
func (p *prose) missed(to int) string {
	gap := string(p.source[p.at:max(p.at, to)])
	p.at = max(p.at, to)
	if letters(gap) == 0 {
		return ""
	}
	return strings.Trim(gap, " \t\n`~>#|")
}

// blocks draws the blocks in a node, with empty rows between them except in a tight list.
func (p *prose) blocks(in ast.Node, width int, tight bool) (rows []string) {
	for n := in.FirstChild(); n != nil; n = n.NextSibling() {
		var head []string
		if lines := p.linesOf(n); lines.Len() > 0 {
			if missed := p.missed(lines.At(0).Start); missed != "" {
				look := p.look
				look.Width = width
				head = fenceRows(missed, look)
			}
		}
		if len(rows) > 0 && !tight {
			rows = append(rows, "")
		}
		rows = append(append(rows, head...), p.block(n, width)...)
		if lines := p.linesOf(n); lines.Len() > 0 {
			p.at = max(p.at, lines.At(lines.Len()-1).Stop)
		}
	}
	return rows
}

// linesOf returns the lines of the source that a block consists of; none if it consists of blocks.
func (p *prose) linesOf(n ast.Node) *text.Segments {
	if n.Type() != ast.TypeBlock {
		return text.NewSegments()
	}
	if html, ok := n.(*ast.HTMLBlock); ok && html.HasClosure() {
		lines := text.NewSegments()
		lines.AppendAll(html.Lines().Sliced(0, html.Lines().Len()))
		lines.Append(html.ClosureLine)
		return lines
	}
	if _, fenced := n.(*ast.FencedCodeBlock); fenced {
		lines := text.NewSegments()
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			before := p.source[bytes.LastIndexByte(p.source[:line.Start], '\n')+1 : line.Start]
			line.Start -= len(bytes.TrimLeft(before, " \t>")) // the parser takes code for indentation if there is a tab in a quote
			lines.Append(line)
		}
		return lines
	}
	return n.Lines()
}

// block draws one block.
func (p *prose) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		style := ink{bold: true, accent: n.Level < 3, underline: n.Level == 1, italic: n.Level > 3}
		return p.lines(p.inline(n, style), width)
	case *ast.Blockquote:
		return p.hang(n, "│ ", "│ ", width, false)
	case *ast.List:
		return p.list(n, width)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		look := p.look
		look.Width = width
		info := ""
		if fenced, ok := n.(*ast.FencedCodeBlock); ok {
			info = string(fenced.Language(p.source))
		}
		return Code(p.verbatim(n), info, look)
	case *ast.HTMLBlock:
		return strings.Split(frame.WrapText(strings.TrimRight(p.verbatim(n), "\n"), width), "\n")
	case *ast.ThematicBreak:
		return []string{p.theme.Dim.Render("────────")}
	case *table.Table:
		return p.table(n, width)
	}
	return p.lines(p.inline(n, ink{}), width)
}

// lines wraps a text between words.
func (p *prose) lines(text string, width int) []string {
	return strings.Split(frame.Wrap(text, width), "\n")
}

// verbatim returns the lines of a block of code as they are.
func (p *prose) verbatim(n ast.Node) string {
	var b strings.Builder
	lines := p.linesOf(n)
	for i := range lines.Len() {
		line := lines.At(i)
		if missed := string(p.source[p.at:max(p.at, line.Start)]); i > 0 && letters(missed) > 0 {
			b.WriteString(strings.TrimLeft(missed, "> \t\n")) // the parser takes it for indentation if there is a tab in a quote
		}
		b.Write(line.Value(p.source))
		p.at = max(p.at, line.Stop)
	}
	return plainTabs(b.String())
}

// hang draws the blocks in a node, the first row behind one mark and the others behind another.
func (p *prose) hang(n ast.Node, first, others string, width int, tight bool) []string {
	if inner := width - ansi.StringWidth(first); inner >= narrowest {
		width = inner
	} else {
		others = ""
	}
	rows := p.blocks(n, width, tight)
	if len(rows) == 0 {
		rows = []string{""}
	}
	for i, row := range rows {
		if i == 0 && others != "" {
			rows[i] = first + row
		} else {
			rows[i] = others + row
		}
	}
	if others == "" { // no room
		rows = append([]string{first}, rows...)
	}
	return rows
}

// number matches the next number of a list.
var number = regexp.MustCompile(`^[^\pL\pN]*(\d{1,9}[.)])`)

// list draws a list with the numbers as they are written.
func (p *prose) list(list *ast.List, width int) (rows []string) {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if list.IsOrdered() {
			if m := number.FindSubmatchIndex(p.source[p.at:]); m != nil {
				mark = string(p.source[p.at+m[2]:p.at+m[3]]) + " "
				p.at += m[3]
			}
		}
		if before := item.PreviousSibling(); before != nil && !list.IsTight && max(before.ChildCount(), item.ChildCount()) > 1 {
			rows = append(rows, "")
		}
		rows = append(rows, p.hang(item, mark, strings.Repeat(" ", ansi.StringWidth(mark)), width, list.IsTight)...)
	}
	return rows
}

// keeps matches the beginning of lines that are not joined with the line before: what a link or a footnote refers to,
// and an example in Python.
var keeps = regexp.MustCompile(`^(\[[^\]\n]+\]:|>>> )`)

// ink is how a text looks.
type ink struct{ bold, italic, underline, strike, accent, code, link bool }

// sgr returns the escape sequence of an ink; "" for plain text.
func (p *prose) sgr(i ink) string {
	style := ansi.NewStyle()
	if i.bold {
		style = style.Bold()
	}
	if p.theme.Color {
		if i.italic {
			style = style.Italic(true)
		}
		if i.underline || i.link {
			style = style.Underline(true)
		}
		if i.strike {
			style = style.Strikethrough(true)
		}
		for _, c := range []struct {
			of    bool
			style lipgloss.Style
		}{{i.accent || i.link, p.theme.Accent}, {i.code, p.theme.Code}} {
			if c.of {
				style = style.ForegroundColor(color.Color(c.style.GetForeground()))
			}
		}
	}
	if len(style) == 0 {
		return ""
	}
	return style.String()
}

// stretch is a part of a line of the source in one ink. Before and after it stand marks that replace colours.
type stretch struct {
	text.Segment
	ink
	escapes, breaks bool // backslashes are escapes; the line ends here
	before, after   string
}

// stretches returns the texts in a node.
func (p *prose) stretches(in ast.Node, style ink) (list []stretch) {
	add := func(inside ast.Node, style ink, before, after string) {
		if of := p.stretches(inside, style); len(of) > 0 {
			of[0].before = before + of[0].before
			of[len(of)-1].after += after
			list = append(list, of...)
		}
	}
	mark := func(text string) string { // where there are no colours
		if p.theme.Color {
			return ""
		}
		return text
	}
	for n := in.FirstChild(); n != nil; n = n.NextSibling() {
		style := style
		switch n := n.(type) {
		case *ast.Text:
			list = append(list, stretch{Segment: n.Segment, ink: style, escapes: !n.IsRaw() && !style.code, breaks: n.HardLineBreak()})
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				list = append(list, stretch{Segment: n.Segments.At(i), ink: style})
			}
		case *ast.CodeSpan:
			style.code = true
			add(n, style, mark("`"), mark("`"))
		case *ast.Emphasis:
			switch marks, inWord := p.inWord(n); {
			case inWord:
				add(n, style, marks, marks)
			case n.Level > 1:
				style.bold = true
				add(n, style, "", "")
			default:
				style.italic = true
				add(n, style, mark("*"), mark("*"))
			}
		case *table.Strikethrough:
			style.strike = true
			add(n, style, mark("~~"), mark("~~"))
		case *ast.Link:
			style.link = true
			add(n, style, "", "")
		case *ast.Image:
			style.link = true
			add(n, style, "Image: ", "")
		default:
			add(n, style, "", "")
		}
	}
	return list
}

// inWord reports whether marks of emphasis join letters or digits, as the stars of 2**n do, and returns the marks.
func (p *prose) inWord(n *ast.Emphasis) (marks string, is bool) {
	first, last := n.FirstChild(), n.LastChild()
	from, ok := first.(*ast.Text)
	to, also := last.(*ast.Text)
	if !ok || !also {
		return "", false
	}
	start, end := from.Segment.Start-n.Level, to.Segment.Stop+n.Level
	word := func(at int) bool {
		return at >= 0 && at < len(p.source) && (p.source[at] >= '0' && p.source[at] <= '9' || p.source[at]|0x20 >= 'a' && p.source[at]|0x20 <= 'z')
	}
	return strings.Repeat("*", n.Level), word(start-1) && word(start+n.Level) || word(end) && word(end-n.Level-1)
}

// inline draws the text of a block, with line breaks only where the source asks for them.
func (p *prose) inline(n ast.Node, base ink) string {
	var b strings.Builder
	write := func(text string, style ink) {
		text = plainTabs(text)
		if sgr := p.sgr(style); sgr != "" && text != "" {
			text = sgr + text + "\x1b[m"
		}
		b.WriteString(text)
	}
	between := base
	between.accent, between.underline = true, false
	list, lines := p.stretches(n, base), n.Lines()
	for i := range lines.Len() {
		line, breaks := lines.At(i), false
		write(unmarked(p.missed(line.Start)), between)
		for len(list) > 0 && list[0].Start < line.Stop {
			s := list[0]
			list = list[1:]
			write(unmarked(p.missed(s.Start)), between)
			shown := p.source[max(p.at, s.Start):max(p.at, s.Stop)]
			if s.escapes {
				shown = util.UnescapePunctuations(shown)
			}
			write(s.before+strings.TrimRight(string(shown), "\n")+s.after, s.ink)
			p.at, breaks = max(p.at, s.Stop), s.breaks
		}
		write(unmarked(p.missed(line.Stop)), between)
		switch {
		case i == lines.Len()-1:
		case breaks || p.look.Breaks || keeps.Match(p.source[line.Start:]) || keeps.Match(p.source[lines.At(i+1).Start:]):
			b.WriteString("\n")
		default:
			b.WriteString(" ")
		}
	}
	return b.String()
}

// unmarked returns what was written between two texts without the brackets of links.
func unmarked(text string) string {
	text = strings.ReplaceAll(strings.TrimRight(strings.TrimLeft(text, "]*_~`"), "[!*_~`"), ")](", ") (")
	if strings.HasPrefix(text, "(") {
		text = " " + text
	}
	return text
}
