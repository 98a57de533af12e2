package overlap

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"assay/session"
)

// Masked replaces what is written in place of a model's name.
const Masked = "[model]"

// makers are names by which models speak of themselves. They are masked as whole words only.
var makers = []string{`chat ?gpt[-\w.]*`, `gpt-[\w.-]+`, `openai`, `anthropic`, `claude(?:[- ][\d.]+\S*)?`, `google bard`, `deepseek[-\w.]*`, `qwen[-\w.]*`, `code ?llama[-\w.]*`,
	`llama[- ]?\d[-\w.]*`, `mistral ai`, `vicuna[-\w.]*`, `starcoder[-\w.]*`, `wizard(?:lm|coder)[-\w.]*`, `github copilot`}

// Mask returns a function that replaces the names of models in a text, also those of the list, and counts them.
func Mask(models []string) func(text string) (masked string, n int) {
	var names []string
	for _, m := range models {
		if len(m) >= 3 && !strings.EqualFold(m, "model") { // shorter ones are words of programs
			names = append(names, regexp.QuoteMeta(m))
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	pattern := regexp.MustCompile(`(?i)(^|[^\w])(` + strings.Join(append(names, makers...), "|") + `)($|[^\w])`)
	return func(text string) (string, int) {
		n := 0
		for range 2 { // a match takes the character between two names
			text = pattern.ReplaceAllStringFunc(text, func(match string) string {
				n++
				found := pattern.FindStringSubmatch(match)
				return found[1] + Masked + found[3]
			})
		}
		return text, n
	}
}

// Unnamed returns the mask of texts that a tester reads while two models answer and the session goes on; nil: none.
func Unnamed(s *session.State) func(text string) (masked string, n int) {
	if s.Plan.Arena == nil || s.Closed != "" {
		return nil
	}
	var names []string
	for _, m := range s.Plan.Arena.Models {
		names = append(names, m.Name, m.Model)
	}
	return Mask(names)
}

// masked returns a candidate whose answers, and the code in them, name no model.
func (c *candidate) masked(mask func(string) (string, int)) (*candidate, int) {
	out, total := *c, 0
	out.item.Attempts, out.item.Texts = slices.Clone(c.item.Attempts), map[session.Ref]string{}
	for ref, text := range c.item.Texts {
		out.item.Texts[ref] = text
	}
	replace := func(ref *session.Ref) {
		text, known := c.item.Texts[*ref]
		if !known {
			return
		}
		masked, n := mask(text)
		if n == 0 {
			return
		}
		delete(out.item.Texts, *ref)
		*ref = session.RefOf([]byte(masked))
		out.item.Texts[*ref] = masked
		total += n
	}
	for i := range out.item.Attempts {
		a := &out.item.Attempts[i]
		replace(&a.Answer)
		if a.Extracted != nil {
			e := *a.Extracted
			replace(&e.Code)
			a.Extracted = &e
		}
	}
	for i := range out.item.Attempts { // a text that was replaced in one place may be meant in another
		for _, ref := range session.Refs(shownRefs(out.item.Attempts[i])) {
			if text, known := c.item.Texts[ref]; known {
				out.item.Texts[ref] = text
			}
		}
	}
	out.item.ID = out.item.hash()
	out.origins = slices.Clone(c.origins)
	for i := range out.origins {
		out.origins[i].Item = out.item.ID
	}
	return &out, total
}
