package extract

import (
	"regexp"
	"slices"
	"strings"

	"assay/benchmark/source"
)

// Code without fences stands between lines of prose. Which lines are code is guessed by their form, and checked by
// the grammar of the language where there is one.

var pythonStart = regexp.MustCompile(`^(?:(?:async\s+def|def|class)\s+\w+\s*[(:\[]|import\s+[\w.]+(?:\s*,\s*[\w.]+)*(?:\s+as\s+\w+)?\s*(?:#.*)?$|from\s+[\w.]+\s+import\s|@\w|if\s+__name__\s*==)`)

var pythonLine = regexp.MustCompile(`^(?:[\w.\[\], ]+\s*(?::\s*[\w.\[\], ]+)?[-+*/|&%]?=[^=]|[\w.]+\(.*\)\s*$|(?:for|while|with|if|try|return|lambda|print|assert)\b.*[:)\w]$|#|"""|''')`)

// codeStart matches lines with which programs in other languages begin.
var codeStart = regexp.MustCompile(`^\s*(?:#!|#include\b|#define\b|using\s|import\b|package\s+\w+|module\s|public\s|class\s|struct\s|const\s|let\s|var\s|function\b|func\s|fn\s|def\s|sub\s|use\s|int\s+main|void\s|static\s|<\?php|#lang|\(define|local\s|library\(|require\b|read\s|\w+\s*(?:<-|=)\s*\S)`)

// codeLine matches lines that have the form of code in most languages.
var codeLine = regexp.MustCompile(`[;{}()\[\],:\\]\s*$|^\s*(?:#include|import\b|use\b|package\b|//|--|#|end\b|else\b|done\b|fi\b|then\b|do\b|return\b)|<-|[^=!<>]=[^=]|=>|^\s{2,}\S`)

// looksLikeCode reports whether most lines of a text have the form of code. It serves languages without a grammar.
func looksLikeCode(text string) bool {
	code, all := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		all++
		if codeLine.MatchString(strings.TrimRight(line, "\r\n")) {
			code++
		}
	}
	return all > 0 && 10*code >= 6*all
}

// bare returns the programs that stand between lines of prose, in what is outside of an answer's blocks.
func (c *chooser) bare(all []line) (found []block) {
	for len(all) > 0 && blank(all[:1]) {
		all = all[1:]
	}
	for len(all) > 0 && blank(all[len(all)-1:]) {
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return nil
	}
	whole := block{lines: all, method: MethodBare}
	if text := joined(all); c.wholly(text) {
		return []block{whole}
	}
	if c.language == "python" {
		if _, ok := transcript(joined(all)); ok {
			return []block{whole}
		}
	}
	if !source.Known(c.language) {
		return nil
	}
	found = c.ranges(all)
	defined := slices.ContainsFunc(found, func(b block) bool { return c.look(&b).defines })
	if !defined && c.form(joined(all)) {
		return []block{whole}
	}
	return found
}

// form reports whether a text has the form of a program with the entry point in a language whose grammar does not read
// all that compilers do.
func (c *chooser) form(text string) bool {
	return c.language != "python" && looksLikeCode(text) && c.entry != "" && c.definesAsText(text)
}

// wholly reports whether a text is a program from beginning to end.
func (c *chooser) wholly(text string) bool {
	p, known := c.parse(text)
	if !known {
		return looksLikeCode(text) && (c.entry == "" || strings.Contains(text, c.entry))
	}
	return p.Valid() && p.Code() || c.entry != "" && c.completes(text)
}

// Bounds of the search for code in prose: places at which it may begin, ends tried for each, and bytes of text.
const (
	mostStarts = 8
	mostTries  = 60
	mostProse  = 256 << 10
)

// ranges returns the longest runs of lines that are programs.
func (c *chooser) ranges(all []line) (found []block) {
	for i, starts := 0, 0; i < len(all) && starts < mostStarts; i++ {
		if !c.starts(all[i].text) {
			continue
		}
		starts++
		end := i + c.codeLines(all[i:])
		if shorter := c.parsing(all, i, end); shorter > i {
			end = shorter
		} else if c.language != "python" {
			continue
		}
		found = append(found, block{lines: all[i:end], method: MethodBare})
		i = end - 1
	}
	return found
}

// parsing returns the longest end of a program that begins in a line, at or before a given end, or 0.
func (c *chooser) parsing(all []line, from, end int) int {
	for tries := 0; end > from && tries < mostTries; end, tries = end-1, tries+1 {
		if blank(all[end-1 : end]) {
			continue
		}
		text := joined(all[from:end])
		if len(text) > mostProse {
			return 0
		}
		if p, _ := c.parse(text); p != nil && p.Valid() && p.Code() {
			return end
		}
		if c.language == "python" {
			return 0 // what is cut off is judged as it is
		}
	}
	return 0
}

func (c *chooser) starts(text string) bool {
	if c.language == "python" {
		text = strings.TrimRight(text, " \t")
		return pythonStart.MatchString(text) || c.entry == "" && pythonLine.MatchString(text)
	}
	return codeStart.MatchString(text)
}

// codeLines returns the number of lines, from the first on, before prose continues.
func (c *chooser) codeLines(all []line) int {
	if c.language != "python" {
		return len(all)
	}
	end, quote := 0, ""
	for i, l := range all {
		text := strings.TrimRight(l.text, " \t")
		inString := quote != ""
		quote = toggleQuotes(text, quote)
		if text == "" {
			continue
		}
		indented := strings.IndexByte(" \t)]}", text[0]) >= 0
		if !inString && !indented && !pythonStart.MatchString(text) && !pythonLine.MatchString(text) && !continues(text) {
			break
		}
		end = i + 1
	}
	return end
}

// continues reports whether an unindented line continues a compound statement.
func continues(line string) bool {
	for _, w := range []string{"else:", "elif ", "except", "finally:"} {
		if strings.HasPrefix(line, w) {
			return true
		}
	}
	return false
}

// toggleQuotes tracks triple-quoted strings across lines: quote is the one open before the line, and the result the
// one open after it.
func toggleQuotes(line, quote string) string {
	for i := 0; i+3 <= len(line); i++ {
		three := line[i : i+3]
		if three != `"""` && three != "'''" {
			continue
		}
		switch quote {
		case "":
			quote = three
			i += 2
		case three:
			quote = ""
			i += 2
		}
	}
	return quote
}

// looksLikePython reports whether a text has at least one unindented line that is clearly Python.
func looksLikePython(text string) bool {
	least := -1
	for line := range strings.Lines(text) {
		if t := strings.TrimLeft(line, " \t"); strings.TrimSpace(t) != "" && (least < 0 || len(line)-len(t) < least) {
			least = len(line) - len(t)
		}
	}
	for line := range strings.Lines(text) {
		t := strings.TrimRight(strings.TrimLeft(line, " \t"), " \t\r\n")
		if t == "" || len(line)-len(strings.TrimLeft(line, " \t")) > least {
			continue
		}
		if pythonStart.MatchString(t) || pythonLine.MatchString(t) || strings.HasPrefix(t, ">>> ") {
			return true
		}
	}
	return false
}

// transcript extracts what was typed in an interactive session, if that defines something.
func transcript(text string) (string, bool) {
	var typed []string
	first := true
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\r\n")
		if first && bare != "" {
			if !strings.HasPrefix(bare, ">>> ") {
				return "", false
			}
			first = false
		}
		switch {
		case strings.HasPrefix(bare, ">>> ") || strings.HasPrefix(bare, "... "):
			typed = append(typed, strings.TrimRight(line[4:], "\r\n")+"\n")
		case bare == "...":
			typed = append(typed, "\n")
		}
	}
	code := strings.Join(typed, "")
	return code, strings.Contains("\n"+code, "\ndef ") || strings.Contains("\n"+code, "\nclass ")
}

// definesAsText reports whether a text without a tree defines the entry point at any depth: a line has the name after a keyword or
// a type, or begins with it and assigns.
func (c *chooser) definesAsText(text string) bool {
	if c.language == "python" { // and in what models confuse with it
		found, err := regexp.MatchString(`(?m)^\s*(?:async\s+def|def|class|function|func)\s+`+regexp.QuoteMeta(c.entry)+`\b`, text)
		return err == nil && found
	}
	name := c.entry
	header, err := regexp.Compile(`(?m)^\s*(?:[\w<>\[\]?:*&,(]+[\s*&(]+)+` + regexp.QuoteMeta(name) + `\s*(?:<[^>\n]*>)?\s*[(:=]|^\s*` +
		regexp.QuoteMeta(name) + `\s*(?:=[^=]|<-|::)|(?m)^\s*(?:sub|class|struct|fun|def|fn|function|func|let|module|local function)\s+` + regexp.QuoteMeta(name) + `\b`)
	if err != nil {
		return false
	}
	for _, line := range header.FindAllString(text, -1) {
		if !strings.Contains(line, "return ") && !strings.HasPrefix(strings.TrimSpace(line), "print") {
			return true
		}
	}
	return false
}
