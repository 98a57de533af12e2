package document

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"assay/session/report/figure"
)

// script sorts and searches tables and links drawings with them. All can be read without it.
//
//go:embed page.js
var script string

// ScriptTag stands before the script, behind all that is shown.
const ScriptTag = `<script type="module">`

// policy lets a page load nothing and run its own script alone.
var policy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
})

// HTML writes the document as one file that needs no other: styles, drawings and a short
// script are inside, and it loads nothing.
func (d *Document) HTML(w io.Writer) error {
	if err := d.Err(); err != nil {
		return err
	}
	d.number()
	h := &htmlWriter{w: bufio.NewWriterSize(w, 64<<10)}
	h.put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="`, policy(), `">
<title>`, plainHTML(d.Title), `</title>
<style>
`, sheet, figure.Sheet(), "@page{@top-left{content:", cssString(d.Title), "}}\n", d.small(), `</style>
</head>
<body>
<header><h1>`, nameHTML(d.Title), "</h1>\n")
	if d.Subtitle != "" {
		h.put(`<p class="subtitle">`, nameHTML(d.Subtitle), "</p>\n")
	}
	h.put("</header>\n")
	if len(d.Sections) > 1 {
		h.put("<nav aria-label=\"Contents\"><h2>Contents</h2><ol>\n")
		for _, s := range d.Sections {
			h.put(`<li><a href="#`, plainHTML(s.ID), `">`, nameHTML(s.Title), "</a></li>\n")
		}
		h.put("</ol></nav>\n")
	}
	h.put("<main>\n")
	for _, s := range d.Sections {
		h.section(s, "h2")
	}
	h.put("</main>\n", ScriptTag, script, "</script>\n</body>\n</html>\n")
	return h.w.Flush() // which keeps the first error
}

// small sets the brief form in smaller print, so that it takes two pages.
func (d *Document) small() string {
	if !d.brief {
		return ""
	}
	return "@media print{html{font-size:8.5pt}}\n"
}

type htmlWriter struct{ w *bufio.Writer }

func (h *htmlWriter) section(s *Section, heading string) {
	class := ""
	if s.Aside {
		class = ` class="aside"`
	}
	h.put(`<section id="`, plainHTML(s.ID), `"`, class, "><", heading, ">", nameHTML(s.Title), "</", heading, ">\n")
	h.blocks(s.blocks)
	h.put("</section>\n")
}

// cssString is text as a string of CSS.
func cssString(text string) string {
	return `"` + strings.NewReplacer(`"`, `\22 `, `\`, `\5c `, "<", `\3c `, "\n", " ").Replace(Clean(text)) + `"`
}

func (h *htmlWriter) put(parts ...string) {
	for _, p := range parts {
		h.w.WriteString(p)
	}
}

func (h *htmlWriter) blocks(blocks []block) {
	for _, b := range blocks {
		switch b := b.(type) {
		case paragraph:
			class := ""
			if b.class != "" {
				class = ` class="` + b.class + `"`
			}
			h.put("<p", class, ">")
			if b.class == "warning" {
				h.put("<strong>Warning.</strong> ")
			}
			h.text(b.spans)
			h.put("</p>\n")
		case anchor:
			h.put(`<a id="`, plainHTML(b.id), `"></a>`, "\n")
		case list:
			h.put("<ul>\n")
			for _, item := range b.items {
				h.put("<li>")
				h.text(item)
				h.put("</li>\n")
			}
			h.put("</ul>\n")
		case *Table:
			h.table(b)
		case *drawing:
			id := plainHTML(b.name)
			h.put(`<figure id="figure-`, id, `">`)
			h.put(string(b.Inline(b.narrow)))
			fmt.Fprintf(h.w, `<figcaption id="caption-figure-%s"><b>Figure <span class="no">%s</span>.</b> %s</figcaption></figure>`+"\n", id, b.number, nameHTML(b.Caption()))
		case *Section:
			h.section(b, "h3")
		case passage:
			text := Lines(b.text)
			h.put(`<p class="label">`, nameHTML(b.label), `</p><pre dir="auto" tabindex="0">`, html.EscapeString(text), "</pre>\n")
			if b.markdown {
				if page := rendered(text); page != "" {
					h.put(`<div class="rendered" dir="auto" hidden>`, page, "</div>\n")
				}
			}
		case fold:
			h.put("<details><summary>")
			h.text(b.summary)
			h.put("</summary>\n")
			h.blocks(b.inside)
			h.put("</details>\n")
		}
	}
}

// shortTable is the number of rows up to which a table is not split between pages.
const shortTable = 24

func (h *htmlWriter) table(t *Table) {
	id, class := plainHTML(t.ID), "tab"
	if len(t.rows) <= shortTable {
		class = "tab short"
	}
	fmt.Fprintf(h.w, `<figure class="%s" id="table-%s"><figcaption id="caption-table-%s"><b>Table <span class="no">%s</span>.</b> %s</figcaption>`,
		class, id, id, t.number, nameHTML(t.Caption))
	h.scroll("caption-table-"+id, func() { h.grid(t) })
	for _, n := range t.notes {
		h.put(`<p class="note">`)
		h.text(n)
		h.put("</p>\n")
	}
	h.put("</figure>\n")
}

// scroll puts something where it scrolls on screens that are too narrow for it. One
// gets there by keyboard too, and the caption tells what it is.
func (h *htmlWriter) scroll(caption string, inside func()) {
	h.put(`<div class="scroll" tabindex="0" role="region" aria-labelledby="`, caption, `">`)
	inside()
	h.put("</div>\n")
}

// grid is the table itself. Its rows are named by the first column that has no numbers.
func (h *htmlWriter) grid(t *Table) {
	h.put("<table>\n<thead><tr>")
	heading := 0
	if t.Columns[0].Right {
		heading = slices.IndexFunc(t.Columns, func(c Column) bool { return !c.Right && c.Head != "" })
	}
	for i, c := range t.Columns {
		class := rightClass(c)
		if i == heading {
			class = ` class="k"`
		}
		if c.Head == "" {
			h.put("<td></td>") // of the bars, which show the number beside them
			continue
		}
		h.put(`<th scope="col"`, class, ">", nameHTML(c.Head), "</th>")
	}
	h.put("</tr></thead>\n<tbody>\n")
	for _, row := range t.rows {
		h.put("<tr>")
		for i, cell := range row {
			if i == heading {
				h.put(`<th scope="row">`)
				h.text(cell)
				h.put("</th>")
				continue
			}
			h.put("<td", rightClass(t.Columns[min(i, len(t.Columns)-1)]), ">")
			h.text(cell)
			h.put("</td>")
		}
		h.put("</tr>\n")
	}
	h.put("</tbody></table>")
}

func rightClass(c Column) string {
	if c.Right {
		return ` class="r"`
	}
	return ""
}

func (h *htmlWriter) text(spans []Span) {
	for _, s := range spans {
		switch s.kind {
		case value:
			h.put(`<data value="`, plainHTML(s.from), `"`)
			if s.scale != 1 {
				fmt.Fprintf(h.w, ` data-times="%g"`, s.scale)
			}
			if s.round != 0 {
				fmt.Fprintf(h.w, ` data-decimals="%d"`, s.round)
			}
			h.put(">", withMinus(s.text), "</data>")
		case strong:
			h.put("<strong>")
			h.text(s.of)
			h.put("</strong>")
		case code:
			h.put("<code>", plainHTML(s.text), "</code>")
		case bar:
			fmt.Fprintf(h.w, `<span class="bar" aria-hidden="true"><span style="width:%.1f%%"></span></span>`, 100*s.share)
		case link:
			h.put(`<a href="`, plainHTML(s.from), `">`, nameHTML(s.text), "</a>")
		case words:
			h.put(html.EscapeString(unbroken(s.text)))
		case name:
			h.put(keptHTML(Clean(s.text)))
		default:
			h.put(nameHTML(s.text))
		}
	}
}

// withMinus is a number with a minus sign in place of the hyphen.
func withMinus(number string) string {
	if rest, negative := strings.CutPrefix(number, "-"); negative {
		return "−" + rest
	}
	return number
}

// unbroken keeps a number and the percent sign after it on one line, and the two ends of an interval.
func unbroken(text string) string {
	switch {
	case text == "–":
		return "\u2060–\u2060"
	case text == " to ":
		return "\u00a0to\u00a0"
	case strings.HasPrefix(text, " %"):
		return "\u00a0" + text[1:]
	}
	return text
}

// nameHTML is text that may hold digits which are no results, with its own reading
// direction.
func nameHTML(text string) string {
	text = Clean(text)
	return marked(text, html.EscapeString(text))
}

// shortName is the length up to which a name is not broken between its words, and a word is not broken.
const shortName = 20

// keptHTML returns a name, on one line if it is short.
func keptHTML(text string) string {
	inside := html.EscapeString(text)
	if len(text) <= shortName {
		inside = strings.ReplaceAll(inside, " ", "&nbsp;")
	}
	return marked(text, inside)
}

// marked puts text that needs it into an element; inside is the text as HTML.
func marked(text, inside string) string {
	ascii := strings.IndexFunc(text, func(r rune) bool { return r > '~' }) < 0
	long := ""
	if slices.ContainsFunc(strings.Fields(text), func(word string) bool { return len(word) > shortName }) {
		long = " data-long" // it may break anywhere, so that a table is not as wide as it
	}
	switch {
	case !ascii:
		return `<bdi class="n"` + long + `>` + inside + "</bdi>"
	case long != "" || strings.ContainsAny(text, "0123456789"):
		return `<span class="n"` + long + `>` + inside + "</span>"
	}
	return inside
}

func plainHTML(text string) string { return html.EscapeString(Clean(text)) }

// dress is what a page looks like and does, which changes between builds: its style, script, policy and boxes, the names
// by which the style knows elements, and the drawings.
var dress = regexp.MustCompile(`(?s)<style>.*?</style>|` + regexp.QuoteMeta(ScriptTag) + `.*?</script>|<meta http-equiv="Content-Security-Policy"[^>]*>|` +
	`<svg .*?</svg>|</?div[^>]*>| class="[^"]*"|\n`)

// bound are the characters that keep words on one line, with what stands for them otherwise, and minus signs.
var bound = strings.NewReplacer("−", "-", "\u2060", "", "\u00a0", " ", "&nbsp;", " ")

// Said returns what a page says: the page without its style, script and policy, however its words are kept together.
func Said(page []byte) []byte {
	return []byte(bound.Replace(string(dress.ReplaceAll(page, nil))))
}
