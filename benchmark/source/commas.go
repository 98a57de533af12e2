package source

import "strings"

// AtCommas splits a text at the commas outside of brackets. What is blank behind the last one is left out.
func AtCommas(text, opening, closing string) []string {
	var parts []string
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case strings.ContainsRune(opening, c):
			depth++
		case strings.ContainsRune(closing, c):
			depth--
		case c == ',' && depth == 0:
			parts, start = append(parts, text[start:i]), i+1
		}
	}
	if rest := text[start:]; strings.TrimSpace(rest) != "" {
		parts = append(parts, rest)
	}
	return parts
}
