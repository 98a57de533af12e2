package statement

import (
	"regexp"
	"strings"
)

var (
	comments = regexp.MustCompile(`(?ms)/\*+(.*?)\*+/|\(\*(?:\*|\s)(.*?)\*+\)|\{-(.*?)-\}|"""(.*?)"""|^[ \t]*(?://+|(?:--|;+|#+|%+)(?:[ \t]|$))([^\n]*)`)
	clojure  = regexp.MustCompile(`(?s)^(.*\(defn\s+\S+\s+)"(.*)"\s*(\[[^\[\]]*\])\s*$`) // a docstring before the parameters
	starred  = regexp.MustCompile(`(?m)^[ \t]*\*(?:[ \t]|$)`)
	imports  = regexp.MustCompile(`(?m)^[ \t]*import \((?s:.*?)^\)|^[ \t]*(?:#include|#lang|#!|using |import |package |use |<\?php|open ).*\n?`)
)

// Comments splits code into the text of the last comment, in the notation of any language, and the declarations to
// complete, without imports. Comments before the last one belong to helpers.
func Comments(code string) (text, declared string) {
	if m := clojure.FindStringSubmatch(code); m != nil {
		return Dedented(m[2]), m[1] + m[3]
	}
	all := comments.FindAllStringSubmatchIndex(code, -1)
	if len(all) == 0 {
		return "", withoutImports(code)
	}
	first := len(all) - 1
	for first > 0 && strings.TrimSpace(code[all[first-1][1]:all[first][0]]) == "" {
		first--
	}
	var parts []string
	for _, m := range all[first:] {
		part := ""
		for at := 2; at < len(m); at += 2 {
			if m[at] >= 0 {
				part = code[m[at]:m[at+1]]
			}
		}
		if lines := strings.Count(strings.TrimSpace(part), "\n") + 1; lines > 2 && len(starred.FindAllString(part, -1)) >= lines-1 {
			part = starred.ReplaceAllString(part, "")
		}
		if !strings.Contains(part, "\n") {
			part = strings.TrimPrefix(part, " ")
		}
		parts = append(parts, part)
	}
	end := all[len(all)-1][1]
	return Dedented(strings.Join(parts, "\n")), withoutImports(strings.TrimRight(code[:all[first][0]], " \t") + strings.TrimPrefix(code[end:], "\n"))
}

func withoutImports(code string) string {
	return strings.TrimRight(strings.TrimLeft(blankLines.ReplaceAllString("\n"+imports.ReplaceAllString(code, ""), "\n\n"), "\n"), " \t\n")
}

// Dedented removes the indentation that all lines but the first share, and space around the text.
func Dedented(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	common := -1
	for i, line := range lines {
		if lines[i] = strings.TrimRight(line, " \t\r"); i > 0 && lines[i] != "" && (common < 0 || indentOf(line) < common) {
			common = indentOf(line)
		}
	}
	for i := 1; i < len(lines); i++ {
		lines[i] = lines[i][min(max(common, 0), len(lines[i])):]
	}
	return strings.Join(lines, "\n")
}
