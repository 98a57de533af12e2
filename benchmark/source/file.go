package source

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A chat model answers with a whole file: with a package clause, imports, classes, tests and a main function of its own.
// Tests are joined with the functions in it, so what can stand only once in a file, or only at its beginning, is taken
// out of it or renamed. Line numbers stay as they are.

// File is a program that other text can precede and follow.
type File struct {
	Text    string
	Imports []string // what the file imports, in languages whose imports precede all else
	Did     []string // what was changed, in words
}

// shape says what a file in a language has besides functions, as patterns of masked text.
type shape struct {
	clause  string // a clause of a package or module, which begins a file
	imports string // imports that must precede all else; the group is empty or "(" for a list in parentheses
	main    string // the main function, with its name as the group
	renamed string // its new name; "": assay_answer_main
	end     string // the end of a file, behind which nothing is run
}

// exitAtEnd are patterns of a call behind all else by which a program exits successfully.
const exitAtEnd = `(?:\n|\A)[ \t]*(?:(?:sys\.|os\.|process\.)?exit(?:[ \t]*\([ \t]*(?:0|true|status)?[ \t]*\)|[ \t]+0)?|quit\((?:[^()\n]*)\)|q\(\))[ \t]*;?\s*\z`

var shapes = map[string]shape{
	"go":         {clause: `(?m)^[ \t]*package[ \t]+\w+[ \t]*;?`, imports: `(?m)^[ \t]*import\b[ \t]*(\(?)`, main: `(?m)^func[ \t]+(main)[ \t]*\(`, renamed: "_"},
	"java":       {clause: `(?m)^[ \t]*package[ \t]+[\w.]+[ \t]*;`, imports: `(?m)^[ \t]*import\b()`, main: `\bvoid\s+(main)\s*\(`},
	"csharp":     {imports: `(?m)^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?[\w.]+[ \t]*(?:=[^;({\n]*)?;()`, main: `\b(?:void|int|Task(?:<int>)?)\s+(Main)\s*\(`},
	"kotlin":     {clause: `(?m)^[ \t]*package[ \t]+[\w.]+[ \t]*;?`, imports: `(?m)^[ \t]*import\b()`, main: `\bfun\s+(main)\s*\(`},
	"scala":      {clause: `(?m)^[ \t]*package[ \t]+[\w.]+[ \t]*;?[ \t]*$`, main: `\bdef\s+(main)\s*\(`},
	"haskell":    {clause: `(?m)^[ \t]*module\s+[\w.]+\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*where\b`, imports: `(?m)^import\b()`, main: `(?m)^(main)\b`, renamed: "assay_answer_main"},
	"c":          {main: `\b(main)\s*\([^(){};]*\)\s*\{`},
	"cpp":        {main: `\b(main)\s*\([^(){};]*\)[^(){};]*\{`},
	"d":          {clause: `(?m)^[ \t]*module[ \t]+[\w.]+[ \t]*;`, main: `\b(?:void|int)\s+(main)\s*\(`},
	"rust":       {main: `\bfn\s+(main)\s*\(`},
	"php":        {end: `\?>\s*\z`},
	"perl":       {end: `(?m)^__(?:END|DATA)__[ \t]*$(?s:.*)|` + exitAtEnd},
	"ruby":       {end: `(?m)^__END__[ \t]*$(?s:.*)|` + exitAtEnd},
	"bash":       {end: exitAtEnd},
	"r":          {end: exitAtEnd},
	"lua":        {end: exitAtEnd},
	"python":     {end: exitAtEnd},
	"javascript": {end: exitAtEnd},
	"typescript": {end: exitAtEnd},
}

// patterns are the compiled shapes.
var patterns = func() map[string]map[string]*regexp.Regexp {
	all := map[string]map[string]*regexp.Regexp{}
	for name, s := range shapes {
		all[name] = map[string]*regexp.Regexp{}
		for part, text := range map[string]string{"clause": s.clause, "imports": s.imports, "main": s.main, "end": s.end} {
			if text != "" {
				all[name][part] = regexp.MustCompile(text)
			}
		}
	}
	return all
}()

// edit replaces a part of a text.
type edit struct {
	start, end int
	text       string
}

// apply makes edits that do not overlap.
func apply(text string, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue
		}
		b.WriteString(text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// blank returns an edit that replaces a part by its line ends.
func blank(text string, start, end int) edit {
	return edit{start, end, strings.Repeat("\n", strings.Count(text[start:end], "\n"))}
}

// Part returns a file as a part of another: without its package clause, with its imports apart, and with a main
// function that is not the other's. It goes on defining entry, which may be empty. taken are names that the other file
// defines.
func Part(language, text, entry string, taken []string) File {
	f := File{Text: text}
	f.without(language, "clause", "its package clause was removed")
	f.imports(language)
	f.main(language)
	f.without(language, "end", "its end was removed, behind which nothing is run")
	switch language {
	case "javascript":
		if script, changed := script(f.Text, entry); changed {
			f.Text = script
			f.did("its statements of a module became those of a script")
		}
	case "lua":
		f.returned(entry)
	case "ruby":
		f.Text = strings.ReplaceAll(strings.ReplaceAll(f.Text, "__FILE__ == $0", "false           "), "$0 == __FILE__", "false           ")
	case "java", "csharp", "scala":
		f.namespaces(language)
		f.unpublic(language)
	case "rust":
		f.rename(language, []string{"tests", "test"}, `\bmod\s+`)
	}
	f.rename(language, slices.DeleteFunc(slices.Clone(taken), func(name string) bool {
		return name == entry || !f.defines(language, name)
	}), "")
	return f
}

func (f *File) did(what string) {
	if !slices.Contains(f.Did, what) {
		f.Did = append(f.Did, what)
	}
}

// without blanks the first match of a kind of pattern of the language, and notes what was done.
func (f *File) without(language, kind, done string) {
	pattern := patterns[language][kind]
	if pattern == nil {
		return
	}
	if at := pattern.FindStringIndex(mask(language, f.Text)); at != nil {
		f.Text = apply(f.Text, []edit{blank(f.Text, at[0], at[1])})
		f.did(done)
	}
}

// imports moves imports out of the text.
func (f *File) imports(language string) {
	pattern := patterns[language]["imports"]
	if pattern == nil {
		return
	}
	masked := mask(language, f.Text)
	limit := len(masked)
	if all := outermost(masked); len(all) > 0 && language != "go" {
		limit = all[0].open // what a class or function contains is no import of the file
	}
	var edits []edit
	for _, at := range pattern.FindAllStringSubmatchIndex(masked, -1) {
		if at[0] >= limit && language != "csharp" {
			break
		}
		end := at[1] + lineEnd(masked[at[1]:])
		if at[2] < at[3] { // a list in parentheses
			close := strings.IndexByte(masked[at[1]:], ')')
			if close < 0 {
				continue
			}
			end = at[1] + close + 1
			for spec := range strings.Lines(f.Text[at[1] : end-1]) {
				f.addImports("import ", strings.Split(spec, ";"))
			}
		} else {
			for language == "haskell" && end+1 < len(masked) && (masked[end+1] == ' ' || masked[end+1] == '\t') {
				end += 1 + lineEnd(masked[end+1:])
			}
			statement := f.Text[at[0]:end]
			if semicolon := strings.IndexByte(masked[at[0]:end], ';'); semicolon >= 0 && language != "haskell" {
				end = at[0] + semicolon + 1
				statement = f.Text[at[0]:end]
			}
			f.addImports("", []string{strings.Join(strings.Fields(withoutComment(language, statement)), " ")})
		}
		edits = append(edits, blank(f.Text, at[0], end))
	}
	f.Text = apply(f.Text, edits)
}

func lineEnd(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

func withoutComment(language, statement string) string {
	for _, mark := range lexes[language].line {
		statement, _, _ = strings.Cut(statement, mark)
	}
	return statement
}

func (f *File) addImports(prefix string, specs []string) {
	for _, spec := range specs {
		if spec = strings.TrimSpace(withoutComment("go", spec)); spec != "" && !slices.Contains(f.Imports, prefix+spec) {
			f.Imports = append(f.Imports, prefix+spec)
		}
	}
}

// main renames the main function.
func (f *File) main(language string) {
	pattern := patterns[language]["main"]
	if pattern == nil {
		return
	}
	name := cmp.Or(shapes[language].renamed, "assay_answer_main")
	var edits []edit
	for _, at := range pattern.FindAllStringSubmatchIndex(mask(language, f.Text), -1) {
		edits = append(edits, edit{at[2], at[3], name})
	}
	if len(edits) > 0 {
		f.Text = apply(f.Text, edits)
		f.did("its main function is not called")
	}
}

// luaReturn matches a return statement of Lua.
var luaReturn = regexp.MustCompile(`(?m)^[ \t]*return\b`)

// returned makes a variable of what a file in Lua returns: nothing may follow a return. A function may be only a field
// of that.
func (f *File) returned(entry string) {
	masked := mask("lua", f.Text)
	all := luaReturn.FindAllStringIndex(masked, -1)
	if len(all) == 0 {
		return
	}
	at := all[len(all)-1]
	if rest := masked[at[1]:]; strings.Contains(rest, "end") && !strings.Contains(rest, "function") {
		return // it is in a function
	}
	value := strings.TrimRight(strings.TrimSpace(f.Text[at[1]:]), ";")
	f.Text = f.Text[:at[0]] + "local assay_returned = " + value + "\n"
	if entry != "" {
		f.Text += "if " + entry + " == nil then " + entry + " = type(assay_returned) == 'table' and assay_returned." + entry + " or assay_returned end\n"
	}
	f.did("what it returns became a variable")
}

// namespaces takes the content of namespaces and of packages in braces out of them.
func (f *File) namespaces(language string) {
	for range 8 {
		masked := mask(language, f.Text)
		at := namespace.FindStringSubmatchIndex(masked)
		if at == nil {
			return
		}
		edits := []edit{blank(f.Text, at[0], at[1])}
		if masked[at[2]] == '{' {
			for _, b := range outermost(masked) {
				if b.open == at[2] && b.close < len(masked) {
					edits = append(edits, blank(f.Text, b.close, b.close+1))
				}
			}
		}
		f.Text = apply(f.Text, edits)
		f.did("its package clause was removed")
	}
}

// unpublic makes types visible in their file only: a file of Java has one public class, the tests'. A static class of
// C# cannot be derived from.
func (f *File) unpublic(language string) {
	masked := mask(language, f.Text)
	var edits []edit
	for _, b := range outermost(masked) {
		if !typeHeader.MatchString(masked[b.start:b.open]) {
			continue
		}
		for _, at := range modifier.FindAllStringIndex(masked[b.start:b.open], -1) {
			edits = append(edits, edit{b.start + at[0], b.start + at[1], ""})
		}
	}
	f.Text = apply(f.Text, edits)
}

// namespace matches the header of a namespace or package, and modifier a word before a type in Java, C# and Scala.
var (
	namespace = regexp.MustCompile(`(?m)^[ \t]*(?:namespace|package)[ \t]+[\w.]+\s*([;{])`)
	modifier  = regexp.MustCompile(`\b(?:public|private|static|sealed|final|internal)[ \t]+`)
)

// typeHeader matches the header of a type; the group is its name.
var typeHeader = regexp.MustCompile(`\b(?:class|record|enum|interface|struct|object|trait)\s+(\w+)`)

// rename gives names that the other file has other names, wherever they do not follow a dot.
func (f *File) rename(language string, names []string, before string) {
	if len(names) == 0 {
		return
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	pattern, err := regexp.Compile(before + `(?:^|[^\w.$]|\.\.\.)(` + strings.Join(quoted, "|") + `)\b`)
	if before != "" {
		pattern, err = regexp.Compile(before + `(` + strings.Join(quoted, "|") + `)\b`)
	}
	if err != nil {
		return
	}
	masked := mask(language, f.Text)
	var edits []edit
	for at := 0; at < len(masked); {
		m := pattern.FindStringSubmatchIndex(masked[at:])
		if m == nil {
			break
		}
		edits = append(edits, edit{at + m[2], at + m[3], "assay_answer_" + masked[at+m[2]:at+m[3]]})
		at += m[3]
	}
	if len(edits) > 0 {
		f.Text = apply(f.Text, edits)
		f.did("names that the tests define were renamed in it")
	}
}

// declaration matches a definition outside of functions in languages without a grammar; the group is its name.
var declaration = regexp.MustCompile(`(?m)^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+|export[ \t]+(?:default[ \t]+)?|async[ \t]+|const[ \t]+|unsafe[ \t]+|data[ \t]+|sealed[ \t]+|abstract[ \t]+|final[ \t]+|open[ \t]+|private[ \t]+|public[ \t]+|internal[ \t]+|static[ \t]+|case[ \t]+)*` +
	`(?:fn|func|fun|def|function\*?|local[ \t]+function|sub|class|struct|enum|trait|object|interface|record|type|mod|val|var|let|const|static)[ \t]+(?:mut[ \t]+)?(\w+)`)

// Names returns the names that a program defines at its top level, as far as that can be told.
func Names(language, text string) (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if p, ok := Parse(language, text); ok {
		for _, d := range p.Definitions() {
			if !d.Import && !d.Member {
				add(d.Name)
			}
		}
		return names
	}
	masked := mask(language, text)
	depth := 0
	for line := range strings.Lines(masked) {
		if m := declaration.FindStringSubmatch(line); m != nil && depth <= 0 {
			add(m[1])
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
	}
	return names
}

func (f *File) defines(language, name string) bool {
	return slices.Contains(Names(language, f.Text), name)
}
