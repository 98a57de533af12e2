package source

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// InClass returns a part of a file as the class of a name that tests use. header is the line that opens it. A class of
// another name that defines the entry point gets this name; functions outside of classes are put into it.
func InClass(language, text, entry, class, header string) string {
	f := File{Text: text}
	masked := mask(language, text)
	types := typesIn(masked)
	own := slices.IndexFunc(types, func(t braced) bool { return member(masked[t.open:t.close], entry) })
	named := slices.ContainsFunc(types, func(t braced) bool { return typeName(masked, t) == class })
	switch {
	case own < 0 && named:
		return text
	case own < 0 && strings.Count(masked, "{") < strings.Count(masked, "}"): // the class is closed already
		return header + text
	case own < 0:
		return header + text + "\n}\n"
	}
	name := typeName(masked, types[own])
	if private := regexp.MustCompile(`\bprivate\s+` + name + `\s*\(`).FindStringIndex(masked); private != nil { // tests may derive from it
		f.Text = apply(text, []edit{{private[0], private[0] + len("private"), ""}})
	}
	if name == class {
		return f.Text
	}
	if named {
		f.rename(language, []string{class}, "")
	}
	return renamed(language, f.Text, name, class)
}

// typesIn returns the types outside of others.
func typesIn(masked string) (types []braced) {
	for _, b := range outermost(masked) {
		if typeHeader.MatchString(masked[b.start:b.open]) {
			types = append(types, b)
		}
	}
	return types
}

func typeName(masked string, b braced) string {
	return typeHeader.FindStringSubmatch(masked[b.start:b.open])[1]
}

// member reports whether the body of a type defines a function.
func member(body, name string) bool {
	pattern, err := regexp.Compile(`(?:\bdef\s+|[\w>\])?]\s+)` + regexp.QuoteMeta(name) + `\s*(?:<[^>]*>|\[[^\]]*\])?\s*\(`)
	if err != nil {
		return false
	}
	for _, at := range pattern.FindAllStringIndex(body, -1) {
		line := body[strings.LastIndexByte(body[:at[0]+1], '\n')+1 : at[1]]
		if !strings.Contains(line, "return ") && !strings.Contains(line, "new ") && !strings.Contains(line, "=") {
			return true
		}
	}
	return false
}

// renamed gives a name in a program another one.
func renamed(language, text, name, to string) string {
	pattern, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\b`)
	if err != nil {
		return text
	}
	var edits []edit
	for _, at := range pattern.FindAllStringIndex(mask(language, text), -1) {
		edits = append(edits, edit{at[0], at[1], to})
	}
	return apply(text, edits)
}

// Once returns the text that precedes a part of a file, and the part's: together they import and define nothing twice.
// The imports of both come first, where they must.
func Once(language, head string, part File) (before, text string) {
	text = part.Text
	if patterns[language]["imports"] != nil {
		f := File{Text: head}
		f.imports(language)
		head = f.Text
		separator := " "
		if language == "kotlin" || language == "haskell" {
			separator = "\n"
		} else if language == "go" {
			separator = "; "
		}
		all := f.Imports
		for _, each := range part.Imports {
			if !slices.Contains(all, each) {
				all = append(all, each)
			}
		}
		if len(all) > 0 {
			head = strings.Join(all, separator) + "\n" + head
		}
	}
	for _, first := range []string{"<?php", "#lang"} { // what can only be the first line
		if strings.HasPrefix(strings.TrimSpace(head), first) && strings.HasPrefix(strings.TrimSpace(text), first) {
			line, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
			if first == "<?php" {
				rest = strings.TrimPrefix(line, first) + "\n" + rest
			}
			text = rest
		}
	}
	head = withoutRepeated(language, head, text)
	if language == "rust" {
		head, text = attributesFirst(head, text)
	}
	return head, text
}

// fileAttribute matches an attribute of a whole file in Rust.
var fileAttribute = regexp.MustCompile(`(?m)^[ \t]*#!\[[^\n]*\][ \t]*$`)

// attributesFirst moves Rust's attributes of the whole file to its beginning.
func attributesFirst(head, text string) (string, string) {
	all := fileAttribute.FindAllString(text, -1)
	if len(all) == 0 {
		return head, text
	}
	return strings.Join(all, "\n") + "\n" + head, fileAttribute.ReplaceAllString(text, "")
}

// importLine matches a line that imports, and Rust's, whose last name counts.
var (
	importLine = regexp.MustCompile(`^\s*(?:use|import|using|open|require|library|local\s+\w+\s*=\s*require|const\s+\w+\s*=\s*require|var\s+\w+\s*=\s*require)\b`)
	rustUse    = regexp.MustCompile(`^\s*use\s+.*?(\w+)\s*;`)
)

// withoutRepeated removes the imports and definitions from a text that the program after it has, too.
func withoutRepeated(language, head, text string) string {
	if p, ok := Parse(language, head); ok {
		defined := Names(language, text)
		var edits []edit
		for _, d := range p.Definitions() {
			if !d.Import && !d.Member && slices.Contains(defined, d.Name) {
				edits = append(edits, blank(head, d.Start, d.End))
			}
		}
		head = apply(head, edits)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		lines[strings.TrimSpace(line)] = true
	}
	var b strings.Builder
	for line := range strings.Lines(head) {
		repeated := importLine.MatchString(line) && lines[strings.TrimSpace(line)]
		if m := rustUse.FindStringSubmatch(line); m != nil && language == "rust" {
			again, err := regexp.Compile(`\buse\b[^;]*\b` + m[1] + `\b`)
			repeated = err == nil && again.MatchString(text)
		}
		if !repeated {
			b.WriteString(line)
		} else {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// mains match the main function of a class or object.
var mains = map[string]*regexp.Regexp{"java": regexp.MustCompile(`\bvoid\s+main\s*\(`), "scala": regexp.MustCompile(`\bdef\s+main\s*[(:]`)}

// MainClass returns the name of the class that a program in Java, or object in Scala, is started by: the public one, or
// the one with a main function. It is "" if there is none.
func MainClass(language, text string) string {
	masked, main, app, first := mask(language, text), "", "", ""
	for _, t := range typesIn(masked) {
		header, name := masked[t.start:t.open], typeName(masked, t)
		switch {
		case language == "java" && strings.Contains(header, "public "):
			return name
		case main == "" && mains[language].MatchString(masked[t.open:t.close]):
			main = name
		case app == "" && strings.Contains(header, "extends App"):
			app = name
		case first == "" && strings.Contains(header, "object "):
			first = name
		}
	}
	return cmp.Or(main, app, first)
}

// Alone returns a whole program as the only file of a program: in Java without a package, and with a name that its
// main class gives it.
func Alone(language, text string) string {
	if language != "java" {
		return text
	}
	f := File{Text: text}
	f.without(language, "clause", "its package clause was removed")
	f.unpublic(language)
	return f.Text
}
