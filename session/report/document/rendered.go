package document

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	markup "golang.org/x/net/html"
)

// markdown reads the Markdown of answers. HTML and definitions of links are text: an answer must neither
// act on the page nor lose what it says.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser())...))),
	goldmark.WithExtensions(extension.Table),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(inert{}, 1))),
)

// without returns the parsers but those of one's type.
func without(parsers []util.PrioritizedValue, one any) (rest []util.PrioritizedValue) {
	for _, p := range parsers {
		if fmt.Sprintf("%T", p.Value) != fmt.Sprintf("%T", one) {
			rest = append(rest, p)
		}
	}
	return rest
}

// rendered returns an answer's Markdown as HTML that loads and opens nothing. It is "" where it would not show
// exactly the letters and digits of the source, in order: then only the source is shown.
func rendered(source string) string {
	var page bytes.Buffer
	if err := markdown.Convert([]byte(source), &page); err != nil || letters(visible(page.Bytes())) != letters(source) {
		return ""
	}
	return page.String()
}

// visible returns the text of a page.
func visible(page []byte) string {
	var text strings.Builder
	for tokens := markup.NewTokenizer(bytes.NewReader(page)); ; {
		switch tokens.Next() {
		case markup.ErrorToken:
			return text.String()
		case markup.TextToken:
			text.WriteString(html.UnescapeString(string(tokens.Raw())))
		}
	}
}

// letters returns the letters and digits of a text.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) && r > unicode.MaxASCII {
			return r
		}
		return -1
	}, text)
}

// inert draws the nodes that would load, open or hide something as their text.
type inert struct{}

// RegisterFuncs registers the drawing of links, pictures, blocks of code and items of numbered lists.
func (inert) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		link := n.(*ast.Link)
		return around(w, entering, string(link.Destination), string(link.Title))
	})
	register.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		image := n.(*ast.Image)
		return around(w, entering, string(image.Destination), string(image.Title))
	})
	register.Register(ast.KindAutoLink, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(html.EscapeString(string(n.(*ast.AutoLink).Label(source))))
		}
		return ast.WalkContinue, nil
	})
	register.Register(ast.KindFencedCodeBlock, codeBlock)
	register.Register(ast.KindCodeBlock, codeBlock)
	register.Register(ast.KindListItem, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		list := n.Parent().(*ast.List)
		switch {
		case !entering:
			_, _ = w.WriteString("</li>\n")
		case list.IsOrdered():
			number := list.Start
			for before := n.PreviousSibling(); before != nil; before = before.PreviousSibling() {
				number++
			}
			_, _ = fmt.Fprintf(w, `<li class="numbered"><span>%d%c</span> `, number, list.Marker)
		default:
			_, _ = w.WriteString("<li>")
		}
		return ast.WalkContinue, nil
	})
}

// codeBlock draws a block of code, under what its fence says.
func codeBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if fenced, is := n.(*ast.FencedCodeBlock); is && fenced.Info != nil {
		_, _ = w.WriteString(`<p class="label">` + html.EscapeString(string(fenced.Info.Value(source))) + "</p>")
	}
	_, err := w.WriteString(`<pre tabindex="0">` + html.EscapeString(string(n.Lines().Value(source))) + "</pre>\n")
	return ast.WalkSkipChildren, err
}

// around draws what a link or a picture says, and after it where it leads.
func around(w util.BufWriter, entering bool, parts ...string) (ast.WalkStatus, error) {
	if entering {
		return ast.WalkContinue, nil
	}
	_, err := w.WriteString(" (" + html.EscapeString(strings.TrimSpace(strings.Join(parts, " "))) + ")")
	return ast.WalkContinue, err
}
