package document

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Markdown writes the document for reading, with figures linked as files in
// figures/; without them where there are no files.
func (d *Document) Markdown(w io.Writer, figures bool) error {
	d.number()
	m := &markdownWriter{figures: figures}
	m.line("# %s", escapeMarkdown(d.Title))
	if d.Subtitle != "" {
		m.line("\n%s", escapeMarkdown(d.Subtitle))
	}
	for _, s := range d.Sections {
		m.section(s, "##")
	}
	if err := d.Err(); err != nil {
		return err
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

// tags matches what only a browser does something with in the Markdown of a document: anchors, folds and the targets of
// links to anchors.
var tags = regexp.MustCompile(`^<a id="[^"]*"></a>\n$|</?details>|</?summary>|(\])\(#[^)]*\)`)

// entities are those of escapeMarkdown, and the same for renderers that show every letter of the source.
var entities = strings.NewReplacer("&lt;", `\<`, "&amp;", `&`)

// about is an escaped tilde that cannot end what is struck out, which renderers would show with its backslash.
var about = regexp.MustCompile(`(^|[\s(|])\\~(\S)`)

// Untagged returns the Markdown of a document without what only a browser does something with. Passages stay as they are.
func Untagged(text string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		switch mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]; {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence == "":
			line = about.ReplaceAllString(entities.Replace(tags.ReplaceAllString(line, "$1")), "$1~$2")
		}
		b.WriteString(line)
	}
	return b.String()
}

type markdownWriter struct {
	b       strings.Builder
	figures bool
}

func (m *markdownWriter) section(s *Section, heading string) {
	m.line("\n%s %s", heading, escapeMarkdown(s.Title))
	m.blocks(s.blocks)
}

func (m *markdownWriter) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

func (m *markdownWriter) blocks(blocks []block) {
	for _, b := range blocks {
		switch b := b.(type) {
		case paragraph:
			if b.class == "warning" {
				m.line("\n> **Warning.** %s", m.text(b.spans))
				continue
			}
			m.line("\n%s", m.text(b.spans))
		case anchor:
			m.line("\n<a id=\"%s\"></a>", Clean(b.id))
		case list:
			m.line("")
			for _, item := range b.items {
				m.line("- %s", m.text(item))
			}
		case *Table:
			m.table(b)
		case *drawing:
			if m.figures {
				m.line("\n![%s](figures/%s.svg)\n\nFigure %s. %s [Data](figures/%s.csv)", escapeMarkdown(b.Alt()), b.name, b.number, escapeMarkdown(b.Caption()), b.name)
			}
		case *Section:
			m.section(b, "###")
		case passage:
			fence, text := "```", Lines(b.text)
			for strings.Contains(text, fence) {
				fence += "`"
			}
			m.line("\n%s:\n\n%stext\n%s\n%s", escapeMarkdown(b.label), fence, text, fence)
		case fold:
			m.line("\n<details><summary>%s</summary>", m.text(b.summary))
			m.blocks(b.inside)
			m.line("\n</details>")
		}
	}
}

func (m *markdownWriter) table(t *Table) {
	m.line("\nTable %s. %s\n", t.number, escapeMarkdown(t.Caption))
	head, rule := "|", "|"
	for _, c := range t.Columns {
		head += " " + escapeMarkdown(c.Head) + " |"
		if c.Right {
			rule += "--:|"
		} else {
			rule += ":--|"
		}
	}
	m.line("%s\n%s", head, rule)
	for _, row := range t.rows {
		line := "|"
		for _, cell := range row {
			line += " " + m.text(cell) + " |"
		}
		m.line("%s", line)
	}
	for _, n := range t.notes {
		m.line("\n%s", m.text(n))
	}
}

func (m *markdownWriter) text(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		switch s.kind {
		case strong:
			b.WriteString("**" + m.text(s.of) + "**")
		case code:
			b.WriteString("`" + strings.ReplaceAll(Clean(s.text), "`", "'") + "`")
		case bar:
			b.WriteString(blocks(s.share))
		case link:
			b.WriteString("[" + escapeMarkdown(s.text) + "](" + s.from + ")")
		case words, fixed:
			// Clean would take the spaces at the ends, which join the spans.
			inner := strings.TrimSpace(s.text)
			lead, tail, _ := strings.Cut(s.text, inner)
			if inner == "" {
				lead, tail = s.text, ""
			}
			b.WriteString(lead + escapeMarkdown(inner) + tail)
		default:
			b.WriteString(escapeMarkdown(s.text))
		}
	}
	return b.String()
}

// blocks draws a share in at most 20 characters, eighths at its end.
func blocks(share float64) string {
	const width = 20
	if !(share > 0) {
		return ""
	}
	eighths := int(min(share, 1)*width*8 + 0.5)
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return cmp.Or(text, "▏")
}
