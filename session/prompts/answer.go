package prompts

import "strings"

// PromptIn extracts the prompt from a model's answer: the text between <prompt> and </prompt>, as the
// templates request, or else the whole answer without surrounding fence or quotes.
func PromptIn(answer string) string {
	if _, after, found := strings.Cut(answer, "<prompt>"); found {
		inside, _, _ := strings.Cut(after, "</prompt>")
		return strings.TrimSpace(inside)
	}
	text := strings.TrimSpace(answer)
	if first, rest, found := strings.Cut(text, "\n"); found && strings.HasPrefix(first, "```") && strings.HasSuffix(rest, "```") && strings.Count(text, "```") == 2 {
		text = strings.TrimSpace(strings.TrimSuffix(rest, "```"))
	}
	for _, quote := range [...]string{`"""`, "'''", `"`} {
		if len(text) > 2*len(quote) && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote) && strings.Count(text, quote) == 2 {
			return strings.TrimSpace(text[len(quote) : len(text)-len(quote)])
		}
	}
	return text
}
