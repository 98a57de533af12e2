package language

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Entry is what is known of a language. Commands may contain placeholders: {0}, {1} … are the paths of the
// programs, {file} the source file, {stem} its name without extension, {options} the options, {memory} the
// memory limit in MB times MemoryPercent, and {dir} a directory that the judge prepared.
type Entry struct {
	Name  string `toml:"-"` // the table's key, as tasks give it
	Title string `toml:"title"`

	// Aliases are other names: those of fences in answers and of other formats, such as MultiPL-E's.
	Aliases    []string `toml:"aliases"`
	Extensions []string `toml:"extensions"` // of source files, with the dot; the first one is for writing
	Lexer      string   `toml:"lexer"`      // chroma's name; empty: the language's own
	Grammar    string   `toml:"grammar"`    // the grammar of scoring/syntax, or ""

	// Function matches a function's header in a prompt; the group is the name.
	Function string `toml:"function"`

	// Programs are commands to find on the PATH, or patterns of absolute paths, of which the first match counts.
	Programs []string `toml:"programs"`
	Version  []string `toml:"version"` // the command that prints the version
	Install  string   `toml:"install"` // how to get the programs
	Binds    []string `toml:"binds"`   // patterns of directories that the programs need besides /usr, if they exist
	Env      []string `toml:"env"`     // NAME=value
	Proc     bool     `toml:"proc"`    // processes that others start need a /proc of their own

	File    string            `toml:"file"`     // the source file
	NamedBy []string          `toml:"named_by"` // patterns whose group, in the source, replaces the file's stem
	Files   map[string]string `toml:"files"`    // further files of every program
	Ends    string            `toml:"ends"`     // text behind every program

	Options string `toml:"options"` // of the compiler

	// Standards are the versions of the language that its compilers may know, the oldest first: the name that
	// tasks give, and the option for {standard}. Standard is the name of the one for tasks that give none.
	Standard  string      `toml:"standard"`
	Standards [][2]string `toml:"standards"`

	Compile string   `toml:"compile"` // a shell command that writes into the directory out; "": not compiled
	Check   []string `toml:"check"`   // a command that fails for a malformed program; none: Compile has checked
	Run     []string `toml:"run"`

	MemoryPercent int `toml:"memory_percent"` // of the limit, for {memory}; 0: 100
	Threads       int `toml:"threads"`        // that the runtime starts itself

	Imports Imports `toml:"imports"` // how programs import modules; none: no module is looked for

	End    End    `toml:"end"`    // how scripts prove that their tests ended; none: only whole programs
	Double string `toml:"double"` // a program that reads a number and writes its double

	Own    bool             `toml:"-"` // from the user's file
	Digest string           `toml:"-"` // SHA-256 of a user's entry; "" of a built-in one
	named  []*regexp.Regexp // NamedBy
	header *regexp.Regexp   // Function; nil: none
}

// End describes how the tests of a script prove their end: text around the program and its tests copies a
// word from descriptor 7 to descriptor 8.
type End struct {
	Options []string    `toml:"options"` // of the interpreter, after its path
	Exits   [][2]string `toml:"exits"`   // patterns in the tests that exit the process, and what replaces them
	Main    [2]string   `toml:"main"`    // what begins the tests, as the header of the main function, and what replaces it
	Before  string      `toml:"before"`  // text before the program, on its first line
	After   string      `toml:"after"`   // text after the tests
	File    string      `toml:"file"`    // a further source file
	Text    string      `toml:"text"`    // its text

	// Assertion matches, in what a failing script wrote, that an assertion failed: the answer is wrong. So is it
	// where the script exits with FailedExit, if that is not 0.
	Assertion  string `toml:"assertion"`
	FailedExit int    `toml:"failed_exit"`

	exits     []rewriting
	main      rewriting
	assertion *regexp.Regexp // nil: none
}

// Imports describes how programs import modules, so that one which is not installed is found before a program runs.
type Imports struct {
	Pattern   string `toml:"pattern"`   // matches the beginning of a statement that imports; its group is the module
	Standard  string `toml:"standard"`  // matches modules that come with the language; "": all are tried
	Statement string `toml:"statement"` // imports $1 and nothing else
	Program   string `toml:"program"`   // a program with {imports}; "": the statements alone

	pattern, standard *regexp.Regexp // nil: none
}

// Of returns the modules that texts import, in their order, except standard ones and those that a text declares.
func (m *Imports) Of(texts []string) (modules []string) {
	if m.pattern == nil {
		return nil
	}
	all := strings.Join(texts, "\n")
	for _, found := range m.pattern.FindAllStringSubmatch(all, -1) {
		module := found[1]
		if slices.Contains(modules, module) || m.standard != nil && m.standard.MatchString(module) {
			continue
		}
		if declared, err := regexp.MatchString(`\b(?:mod|module|namespace|object|package)\s+`+regexp.QuoteMeta(module)+`\b`, all); err == nil && !declared {
			modules = append(modules, module)
		}
	}
	return modules
}

// Importing returns a program that imports modules and does nothing else.
func (m *Imports) Importing(modules []string) string {
	var statements []string
	for _, module := range modules {
		statements = append(statements, strings.ReplaceAll(m.Statement, "$1", module))
	}
	return strings.Replace(cmp.Or(m.Program, "{imports}\n"), "{imports}", strings.Join(statements, "\n"), 1)
}

// rewriting replaces a pattern.
type rewriting struct {
	pattern *regexp.Regexp
	by      string
}

// Proves reports whether scripts in the language can prove their end.
func (e *End) Proves() bool { return e.Before != "" || e.After != "" || e.File != "" }

// Script joins a program and its tests so that they prove their end, and returns the further files.
func (e *End) Script(program, tests string) (source string, files map[string]string) {
	for _, w := range e.exits {
		tests = w.pattern.ReplaceAllString(tests, w.by)
	}
	if w := e.main; w.pattern != nil {
		if w.pattern.MatchString(tests) {
			tests = w.pattern.ReplaceAllString(tests, w.by)
		} else {
			program = w.pattern.ReplaceAllString(program, w.by)
		}
	}
	if e.File != "" {
		files = map[string]string{e.File: e.Text}
	}
	return e.Before + program + tests + e.After, files
}

// Failed returns the line of a failing script's output that reports a failed assertion, or "".
func (e *End) Failed(output string) string {
	if e.assertion == nil {
		return ""
	}
	at := e.assertion.FindStringIndex(output)
	if at == nil {
		return ""
	}
	line, _, _ := strings.Cut(output[strings.LastIndexByte(output[:at[1]], '\n')+1:], "\n")
	return strings.TrimSpace(line)
}

// Option returns the compiler's option for a standard, or false: the language has none of that name.
func (e *Entry) Option(standard string) (string, bool) {
	for _, s := range e.Standards {
		if s[0] == standard {
			return s[1], true
		}
	}
	return "", false
}

func (e *Entry) standardNames() []string {
	var names []string
	for _, s := range e.Standards {
		names = append(names, s[0])
	}
	return names
}

// longestName is the longest name, in bytes, that a source gives its file: file systems allow 255.
const longestName = 200

// FileOf returns the name of the source file for a program.
func (e *Entry) FileOf(source string) string {
	for _, pattern := range e.named {
		if m := pattern.FindStringSubmatch(source); m != nil && m[1] != "" && len(m[1]) <= longestName {
			return m[1] + path.Ext(e.File)
		}
	}
	return e.File
}

// Stem returns a file's name without its extension.
func Stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// Declared returns the last function that a prompt declares, or "".
func (e *Entry) Declared(prompt string) string {
	if e.header == nil {
		return ""
	}
	found := e.header.FindAllStringSubmatch(prompt, -1)
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1][1]
}

// DeclaredAt returns where the last function begins that a prompt leaves open, or the prompt's length.
func (e *Entry) DeclaredAt(prompt string) int {
	if e.header == nil {
		return len(prompt)
	}
	found := e.header.FindAllStringIndex(prompt, -1)
	if len(found) == 0 {
		return len(prompt)
	}
	return found[len(found)-1][0]
}

// problem is a key of an entry and what is wrong with it.
type problem struct{ key, text string }

// prepare checks an entry and compiles its patterns. It returns the first problem, or nil.
func (e *Entry) prepare() *problem {
	for _, required := range []struct {
		key     string
		missing bool
		what    string
	}{
		{"title", e.Title == "", "the key is missing: write the language's name as people write it"},
		{"file", e.File == "", `the key is missing: write the name of the source file, as in "main.zig"`},
		{"programs", len(e.Programs) == 0 && e.Name != "python", `the key is missing: list the commands that are needed, as in ["zig"]`},
		{"run", len(e.Run) == 0, `the key is missing: write the command as a list, as in ["{0}", "{file}"] or ["./main"]`},
		{"extensions", len(e.Extensions) == 0, `the key is missing: list the endings of source files, as in [".zig"]`},
	} {
		if required.missing {
			return &problem{required.key, required.what}
		}
	}
	if path.Base(e.File) != e.File || path.Ext(e.File) == "" || e.File[0] == '.' {
		return &problem{"file", fmt.Sprintf("%q is no file name with an extension", e.File)}
	}
	for _, extension := range e.Extensions {
		if path.Ext(extension) != extension || extension != strings.ToLower(extension) && e.Name != "r" {
			return &problem{"extensions", fmt.Sprintf("%q is no file ending: write a dot and lower-case letters", extension)}
		}
	}
	if _, known := e.Option(e.Standard); !known && (e.Standard != "" || len(e.Standards) > 0) {
		return &problem{"standard", fmt.Sprintf("%q is not in standards: name one of them", e.Standard)}
	}
	if p := e.prepareCommands(); p != nil {
		return p
	}
	return e.preparePatterns()
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// placeholders are the known ones besides numbers of programs.
var placeholders = []string{"file", "stem", "standard", "options", "memory", "dir"}

func (e *Entry) prepareCommands() *problem {
	if len(e.Version) == 0 && len(e.Programs) > 0 {
		e.Version = []string{"{0}", "--version"}
	}
	e.MemoryPercent = cmp.Or(e.MemoryPercent, 100)
	for _, number := range []struct {
		key   string
		value int
	}{{"memory_percent", e.MemoryPercent}, {"threads", e.Threads}} {
		if number.value < 0 || number.value > 1<<16 {
			return &problem{number.key, fmt.Sprintf("%d is out of range: give a number from 0 to %d", number.value, 1<<16)}
		}
	}
	for _, command := range []struct {
		key   string
		words []string
	}{{"compile", []string{e.Compile}}, {"check", e.Check}, {"run", e.Run}, {"version", e.Version}} {
		for _, word := range command.words {
			for _, m := range placeholder.FindAllStringSubmatch(word, -1) {
				n := int(m[1][0] - '0')
				if m[1] == "standard" && command.key != "compile" {
					return &problem{command.key, "{standard} stands in \"compile\" alone"}
				}
				digit := len(m[1]) == 1 && n >= 0 && n <= 9
				if digit && n >= max(len(e.Programs), 1) && e.Name != "go" || !digit && !slices.Contains(placeholders, m[1]) {
					return &problem{command.key, fmt.Sprintf("the placeholder {%s} is not known: there are {0} to {%d} for the programs, {%s}",
						m[1], max(len(e.Programs), 1)-1, strings.Join(placeholders, "}, {"))}
				}
			}
		}
	}
	for _, pair := range e.Env {
		if name, _, found := strings.Cut(pair, "="); !found || name == "" {
			return &problem{"env", fmt.Sprintf("%q has no value: write NAME=value", pair)}
		}
	}
	return nil
}

// preparePatterns compiles the patterns.
func (e *Entry) preparePatterns() (wrong *problem) {
	compile := func(key, text string, groups int) *regexp.Regexp {
		pattern, err := regexp.Compile(text)
		switch {
		case err != nil && wrong == nil:
			wrong = &problem{key, fmt.Sprintf("the pattern cannot be read: %v", err)}
		case err == nil && pattern.NumSubexp() < groups && wrong == nil:
			wrong = &problem{key, fmt.Sprintf("the pattern %s has no group for the name", text)}
		}
		return pattern
	}
	for _, text := range e.NamedBy {
		e.named = append(e.named, compile("named_by", text, 1))
	}
	if e.Function != "" {
		e.header = compile("function", e.Function, 1)
	}
	for _, pair := range e.End.Exits {
		e.End.exits = append(e.End.exits, rewriting{compile("end.exits", pair[0], 0), pair[1]})
	}
	if e.End.Main[0] != "" {
		e.End.main = rewriting{compile("end.main", e.End.Main[0], 0), e.End.Main[1]}
	}
	if m := &e.Imports; m.Pattern != "" {
		if m.pattern = compile("imports.pattern", m.Pattern, 1); !strings.Contains(m.Statement, "$1") && wrong == nil {
			wrong = &problem{"imports.statement", "the statement lacks $1: write how a program imports the module $1"}
		}
		if m.Standard != "" {
			m.standard = compile("imports.standard", m.Standard, 0)
		}
	}
	if e.End.Assertion != "" {
		e.End.assertion = compile("end.assertion", e.End.Assertion, 0)
	}
	return wrong
}
