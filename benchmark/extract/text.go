package extract

import (
	"regexp"
	"strings"
)

// thinkingTags are the tags of sections in which models think aloud, which are not part of the answer.
var thinkingTags = []string{"think", "thinking", "reasoning"}

// withoutThinking removes those sections, even unclosed ones. A closing tag without an opening one ends a
// section whose start the provider removed.
func withoutThinking(text string) string {
	for _, tag := range thinkingTags {
		open, closing := "<"+tag+">", "</"+tag+">"
		for {
			lower := lowerASCII(text)
			start, end := strings.Index(lower, open), strings.Index(lower, closing)
			switch {
			case start < 0 && end < 0:
			case start >= 0 && end < 0:
				text = text[:start]
			case start < 0 || end < start:
				text = text[end+len(closing):]
			default:
				text = text[:start] + text[end+len(closing):]
			}
			if start < 0 && end < 0 || start >= 0 && end < 0 {
				break
			}
		}
	}
	return text
}

// lowerASCII keeps all byte offsets, which strings.ToLower does not.
func lowerASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

var pythonStart = regexp.MustCompile(`^(?:(?:async\s+def|def|class)\s+\w+\s*[(:\[]|import\s+[\w.]+(?:\s*,\s*[\w.]+)*(?:\s+as\s+\w+)?\s*(?:#.*)?$|from\s+[\w.]+\s+import\s|@\w|if\s+__name__\s*==)`)

var pythonLine = regexp.MustCompile(`^(?:[\w.\[\], ]+\s*(?::\s*[\w.\[\], ]+)?[-+*/|&%]?=[^=]|[\w.]+\(.*\)\s*$|(?:for|while|with|if|try|return|lambda|print|assert)\b.*[:)\w]$|#|"""|''')`)

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

// bareCode extracts the code of an answer without fences: from the first line that starts a definition or
// an import, to the last line before prose continues.
func bareCode(text string) string {
	all := strings.SplitAfter(text, "\n")
	start := -1
	for i, line := range all {
		if pythonStart.MatchString(strings.TrimRight(line, " \t\r\n")) {
			start = i
			break
		}
	}
	if start < 0 {
		return ""
	}
	end, quote := start, ""
	for i := start; i < len(all); i++ {
		line := strings.TrimRight(all[i], " \t\r\n")
		inString := quote != ""
		quote = toggleQuotes(line, quote)
		if line == "" {
			continue
		}
		indented := line[0] == ' ' || line[0] == '\t' || line[0] == ')' || line[0] == ']' || line[0] == '}'
		if !inString && !indented && !pythonStart.MatchString(line) && !pythonLine.MatchString(line) && !continues(line) {
			break
		}
		end = i + 1
	}
	return strings.Join(all[start:end], "")
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

// toggleQuotes tracks triple-quoted strings across lines: quote is the one open before the line, and the
// result the one open after it.
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
