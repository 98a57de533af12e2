package extract

import (
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
	"assay/data/language"
)

// chooser chooses the program among the parts of an answer to a task.
type chooser struct {
	language string
	entry    string // the name that the program must define, or ""
	prompt   string // which the program may complete
	reads    bool   // the program reads its input
	nested   bool   // the block that is looked at may be a part of another
	parsed   map[string]*source.Program
}

// parse parses a text in the task's language, once. The program is nil if that cannot be told.
func (c *chooser) parse(text string) (p *source.Program, known bool) {
	p, known = c.parsed[text]
	if !known {
		p, _ = source.Parse(c.language, text)
		c.parsed[text] = p
	}
	return p, p != nil
}

func newChooser(task *benchmark.Task) *chooser {
	c := &chooser{language: "python", parsed: map[string]*source.Program{}}
	if task != nil {
		c.entry, c.prompt, c.reads = task.EntryPoint, task.Prompt, task.Tests.Style == benchmark.Stdin
		if task.Language != "" {
			c.language = task.Language
		}
	}
	return c
}

// facts are what the choice depends on.
type facts struct {
	marked   bool // labelled with the task's language
	unmarked bool // labelled with no language
	valid    bool // it parses, or completes the prompt; also if there is no grammar to tell
	code     bool // it has what only programs have
	defines  bool // it defines the entry point, or completes it
	whole    bool // the entry point is more than a stub
	reads    bool // it mentions standard input
}

// look finds the facts of a block.
func (c *chooser) look(b *block) facts {
	text := joined(b.lines)
	f := facts{valid: true, whole: true}
	f.marked = b.language == c.language || b.language != "" && language.Named(b.language) == c.language
	f.unmarked = slices.Contains([]string{"", "code", "plaintext", "text", "txt", "plain"}, b.language)
	f.reads = c.reads && readsInput.MatchString(text)
	if code, ok := transcript(text); ok {
		text = code
	}
	p, known := c.parse(text)
	if !known {
		f.code = looksLikeCode(text)
		f.defines = c.entry != "" && c.definesAsText(text)
		return f
	}
	f.valid, f.code = p.Valid(), p.Code() || c.language == "python" && looksLikePython(text)
	for _, d := range p.Definitions() {
		if c.entry != "" && d.Name == c.entry && !d.Import {
			f.defines, f.whole = true, !d.Stub
		}
	}
	switch {
	case f.defines || c.entry == "":
	case c.completes(text):
		f.valid, f.code, f.defines = true, true, true
	case !f.valid: // trees of what does not parse have gaps
		f.defines = c.definesAsText(text)
	}
	return f
}

// completes reports whether a text continues the prompt, as the body of its function.
func (c *chooser) completes(text string) bool {
	if c.prompt == "" || strings.TrimSpace(text) == "" {
		return false
	}
	if c.language == "python" {
		_, ok := source.Body(c.prompt, text, c.entry)
		return ok
	}
	alone, _ := source.Parse(c.language, c.prompt)
	p, known := source.Parse(c.language, c.prompt+text)
	if !known || alone == nil || alone.Valid() || !p.Valid() {
		return false
	}
	_, found := p.Definition(c.entry)
	return found || slices.ContainsFunc(p.Definitions(), func(d source.Definition) bool { return d.Name == c.entry })
}

// readsInput matches how programs read standard input.
var readsInput = regexp.MustCompile(`\b(?:input|stdin|STDIN|scanf|cin|Scanner|BufferedReader|readline|readLine|readlines|gets|getline|ReadLine|read_line|read)\b|open\(0|readFileSync\(0`)

// rank orders blocks as the program to run; 0 rules one out. A block that defines the entry point and parses comes
// first, then one that is complete, then one that is labelled with the language.
func (c *chooser) rank(b *block, f facts) int {
	switch {
	case blank(b.lines), !f.marked && !f.unmarked && !f.defines, f.unmarked && !f.code && !f.defines:
		return 0
	}
	rank := 1
	for _, each := range []struct {
		holds bool
		worth int
	}{{f.defines, 128}, {f.valid, 64}, {f.whole, 32}, {!b.unclosed, 16}, {b.method != MethodBare, 8}, {f.reads, 4}, {f.marked, 2}, {f.unmarked, 1}} {
		if each.holds {
			rank += each.worth
		}
	}
	return rank
}

// parses reports whether a text is a program in the language, and whether that can be told.
func (c *chooser) parses(name, text string) (valid, known bool) {
	var p *source.Program
	if name == c.language {
		p, known = c.parse(text)
	} else {
		p, known = source.Parse(name, text)
	}
	return known && p.Valid(), known
}

// needed returns the other blocks that define names which the chosen one uses and does not define. Blocks that define
// the same names as the chosen one are alternatives to it, and those that call what it defines are examples: neither
// is joined.
func (c *chooser) needed(found []candidate, chosen int) (parts []int) {
	main, known := c.parse(joined(found[chosen].lines))
	if !known || len(found) < 2 {
		return nil
	}
	have, imports := names(main)
	uses := main.Uses()
	for i, f := range found {
		if i == chosen || f.rank == 0 || !f.marked && !f.unmarked || !f.valid {
			continue
		}
		p, _ := c.parse(joined(f.lines))
		defined, imported := names(p)
		if alternative(defined, have) || example(p, have) {
			continue
		}
		for name := range uses {
			if (defined[name] || imported[name]) && !have[name] && !imports[name] {
				parts = append(parts, i)
				break
			}
		}
	}
	return parts
}

// names returns the names that a program defines and imports, without the members of its classes.
func names(p *source.Program) (defined, imported map[string]bool) {
	defined, imported = map[string]bool{}, map[string]bool{}
	for _, d := range p.Definitions() {
		switch {
		case d.Import:
			imported[d.Name] = true
		case !d.Member:
			defined[d.Name] = true
		}
	}
	return defined, imported
}

// alternative reports whether two programs define the same name.
func alternative(one, other map[string]bool) bool {
	for name := range one {
		if other[name] {
			return true
		}
	}
	return false
}

// example reports whether a program calls what another defines, outside of its own functions.
func example(p *source.Program, defined map[string]bool) bool {
	for name := range p.UsesAtTop() {
		if defined[name] {
			return true
		}
	}
	return false
}
