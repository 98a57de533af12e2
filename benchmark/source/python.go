package source

import (
	"slices"
	"strings"

	"assay/scoring/syntax"
)

// Body returns a prompt in Python whose function a text completes, with that text in its place. ok is false if the
// text is no body of that function. Models leave out the indentation of a body, or of its first line.
func Body(prompt, text, entry string) (program string, ok bool) {
	if !strings.Contains(prompt, entry) || WithoutStub(prompt, entry) == prompt {
		return "", false
	}
	end := strings.TrimRight(prompt, " \t\r\n")
	indent := bodyIndent(end)
	forms := []string{prompt + text, end + "\n" + text}
	if alone, parsed := Parse("python", text); parsed && (!alone.Valid() || alone.returns()) {
		forms = append(forms, end+"\n"+indent+strings.TrimLeft(text, " \t\r\n"), end+"\n"+indented(text, indent))
	}
	for _, program := range forms {
		if continued(program, entry, len(end)) {
			return program, true
		}
	}
	return "", false
}

// continued reports whether the definition of the entry point that begins before a position goes on after it, and does
// something there.
func continued(program, entry string, at int) bool {
	p, ok := Parse("python", program)
	if !ok || !p.Valid() || p.returns() {
		return false
	}
	d, found := p.Definition(entry)
	if !found || d.Import || d.Start >= at || d.End <= at {
		return false
	}
	does := false
	syntax.Walk(p.tree.Root, func(n *syntax.Node) bool {
		does = does || n.Start >= at && n.End <= d.End && (p.sign(n) || acts[n.Kind])
		return !does && n.End > at
	})
	return does
}

// acts are statements, besides the signs of code, that make a body.
var acts = set("pass_statement raise_statement assert_statement yield delete_statement")

// returns reports whether there is a return statement outside of functions.
func (p *Program) returns() bool { return slices.ContainsFunc(p.tree.Root.Children, returnsWithin) }

func returnsWithin(n *syntax.Node) bool {
	if n.Kind == "function_definition" || n.Kind == "lambda" {
		return false
	}
	return n.Kind == "return_statement" || slices.ContainsFunc(n.Children, returnsWithin)
}

// bodyIndent returns the indentation of the function's body at the end of a prompt.
func bodyIndent(prompt string) string {
	last := prompt[strings.LastIndexByte(prompt, '\n')+1:]
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	if strings.HasSuffix(last, ":") || indent == "" {
		indent += "    "
	}
	return indent
}

func indented(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(indent)
		}
		b.WriteString(line)
	}
	return b.String()
}

// WithoutStub returns a prompt in Python without its last definition of a name, if that does nothing: what remains are
// imports and helpers. A header without a body is such a definition.
func WithoutStub(prompt, name string) string {
	text := prompt
	if body := strings.TrimRight(prompt, " \t\r\n"); strings.HasSuffix(body, ":") {
		text = body + "\n" + bodyIndent(body) + "pass\n"
	}
	p, ok := Parse("python", text)
	if !ok {
		return prompt
	}
	d, found := p.Definition(name)
	if !found || !d.Stub {
		return prompt
	}
	return text[:d.Start] + strings.TrimLeft(text[d.End:], "\r\n")
}

// LastFuture returns the byte after the line that holds Python's last import from __future__, which must precede all
// other statements, or 0.
func (p *Program) LastFuture() int {
	end := 0
	for _, n := range p.tree.Root.Children {
		if n.Kind == "future_import_statement" {
			end = n.End
		}
	}
	if end == 0 {
		return 0
	}
	if i := strings.IndexByte(string(p.tree.Source[end:]), '\n'); i >= 0 {
		return end + i + 1
	}
	return len(p.tree.Source)
}
