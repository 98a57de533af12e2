package plain

import (
	"slices"
	"strings"
	"unicode"

	"assay/benchmark/extract"
	"assay/tui/frame"
)

// read prints a text between two lines that name it.
func (p *talk) read(what, text string) {
	p.say("%s:\n%s\nEnd of %s.", what, strings.TrimRight(frame.Plain(p.unnamed(text)), "\n"), strings.ToLower(what[:1])+what[1:])
}

// spoken prepares an answer for reading aloud line by line: what the model thought is marked, code fences become words,
// and rulers and the frames of tables are removed. Lines of code are unchanged.
func spoken(text string) string {
	var lines []string
	for _, part := range slices.Backward(extract.Thinking(text)) {
		text = text[:part[0]] + "Thinking, which is not judged:\n" + strings.TrimSpace(text[part[0]:part[1]]) + "\nEnd of the thinking.\n" + text[part[1]:]
	}
	fence := ""
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimSpace(line)
		mark := bare[:len(bare)-len(strings.TrimLeft(bare, "`~"))]
		switch {
		case fence != "" && strings.HasPrefix(mark, fence) && mark == bare:
			fence = ""
			lines = append(lines, "End of the code.")
		case fence != "":
			lines = append(lines, line)
		case len(mark) >= 3 && !strings.Contains(bare[len(mark):], "`"):
			fence = mark
			language := strings.TrimSpace(bare[len(mark):])
			if language == "" {
				lines = append(lines, "Code:")
			} else {
				lines = append(lines, "Code in "+language+":")
			}
		case bare == "" || strings.ContainsFunc(bare, says):
			lines = append(lines, line)
		}
	}
	if fence != "" {
		lines = append(lines, "The answer ends inside the code.")
	}
	return strings.Join(lines, "\n")
}

// says reports whether a character is part of a word.
func says(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
