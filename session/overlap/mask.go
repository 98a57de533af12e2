package overlap

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay/session"
)

// Masked replaces what is written in place of a model's name.
const Masked = "[model]"

// makers are names by which models speak of themselves, and those of their families with a version. ~ is one separator or none.
var makers = []string{
	`(?:chat~)?gpt(?:~(?:\d+(?:\.\d+)?[a-z]?|mini|nano|turbo|oss|pro|preview))*`, `claude(?:~(?:v?\d+(?:\.\d+)?|instant|sonnet|opus|haiku))*`,
	`gemini~(?:\d+(?:\.\d+)?|pro|flash|ultra|nano)(?:~(?:\d+(?:\.\d+)?|pro|flash|ultra|nano))*`, `(?:code~)?llama~\d+(?:\.\d+)?(?:~\d+b)?`, `code~llama[-\w.]*`,
	`mi[sx]tral~(?:\d+x?\d*b|large|medium|small|nemo|ai)[-\w.]*`, `codestral[-\w.]*`, `deep~?seek[-\w.]*`, `qwen(?:~\d+(?:\.\d+)?)?(?:~coder)?(?:~\d+b)?(?:~instruct)?`,
	`vicuna[-\w.]*`, `star~coder[-\w.]*`, `wizard~?(?:lm|coder)[-\w.]*`, `open~?ai`, `anthropic`, `google bard`, `github copilot`, `mixtral`,
}

// families are words that models are called by, and other things too: they are masked if a model of the list is called so,
// and where a model speaks of itself.
const families = `gemini|llama|mistral|bard|copilot|grok|gemma|falcon|granite|kimi|glm|ernie`

// Mask replaces the names of models: those of a list and those of makers, however they are written.
type Mask struct {
	literal *regexp.Regexp // names of the list that are no identifiers, which are masked everywhere; nil: none
	spelled *regexp.Regexp // all, in prose, comments and strings
	itself  *regexp.Regexp // a family's word where a model speaks of itself
}

// NewMask returns the mask of the makers' names and of a list. Of names of the list the spellings are masked that
// differ in case and in what parts them, and the beginnings that have a version.
func NewMask(models []string) *Mask {
	var literal, spelled []string
	for _, m := range models {
		if len(m) < 3 || strings.EqualFold(m, "model") { // shorter ones are words of programs
			continue
		}
		if strings.IndexFunc(m, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) >= 0 {
			literal = append(literal, regexp.QuoteMeta(m))
		}
		spelled = append(spelled, regexp.QuoteMeta(m))
		if s := spellings(m[strings.LastIndexByte(m, '/')+1:]); s != "" {
			spelled = append(spelled, s)
		}
		if slices.Contains(strings.Split(families, "|"), Family(m)) {
			spelled = append(spelled, Family(m))
		}
	}
	word := func(list []string) *regexp.Regexp {
		names := strings.ReplaceAll(strings.Join(list, "|"), "~", `[-_./: ]?`)
		pattern := regexp.MustCompile(`(?i)(^|[^\w])(` + names + `)($|[^\w])`)
		pattern.Longest()
		return pattern
	}
	mask := &Mask{spelled: word(append(spelled, makers...)),
		itself: regexp.MustCompile(`(?i)(\b(?:as|am|i'm|i’m|called|named|it's|this is|trained by|made by|answer by|yours,) )(` + families + `)($|[^\w])`)}
	if len(literal) > 0 {
		mask.literal = word(literal)
	}
	return mask
}

// parts are the letters and the numbers of a name.
var parts = regexp.MustCompile(`[A-Za-z]+|\d+`)

// spellings returns the pattern of a name's parts with one separator or none between them: the parts up to the first
// number, and as many of the others as are there. "": the name has no number, or is shorter than 3 characters.
func spellings(name string) string {
	tokens := parts.FindAllString(name, -1)
	first := slices.IndexFunc(tokens, func(s string) bool { return s[0] <= '9' })
	if len(tokens) < 2 || first < 0 || len(strings.Join(tokens[:first+1], "")) < 3 {
		return ""
	}
	pattern := strings.Join(tokens[:first+1], "~")
	for _, t := range tokens[first+1:] {
		pattern += "(?:~" + t
	}
	return pattern + strings.Repeat(")?", len(tokens)-first-1)
}

// replace replaces matches of a pattern's second group.
func replace(pattern *regexp.Regexp, text string) (string, int) {
	n := 0
	for range 2 { // a match takes the character between two names
		n += len(pattern.FindAllStringIndex(text, -1))
		text = pattern.ReplaceAllString(text, "${1}"+Masked+"${3}")
	}
	return text, n
}

// prose masks a text without code.
func (m *Mask) prose(text string) (string, int) {
	text, n := replace(m.spelled, text)
	text, more := replace(m.itself, text)
	return text, n + more
}

// Answer masks an answer in Markdown: blocks of code as [Mask.Code] does, all else, spans of code too, as prose.
func (m *Mask) Answer(text string) (masked string, n int) {
	var out strings.Builder
	add := func(text string, code bool) {
		of := m.prose
		if code {
			of = m.Code
		}
		text, more := of(text)
		out.WriteString(text)
		n += more
	}
	var part strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`~"))]
		if opens, closes := fence == "" && len(mark) >= 3, fence != "" && strings.HasPrefix(mark, fence) && mark == trimmed; opens || closes {
			add(part.String(), closes)
			part.Reset()
			out.WriteString(line)
			if fence = ""; opens {
				fence = mark
			}
			continue
		}
		part.WriteString(line)
	}
	add(part.String(), fence != "")
	return out.String(), n
}

// Code masks names in comments and strings of code; elsewhere only names that are no identifiers, so that the code stays
// what it is.
func (m *Mask) Code(text string) (masked string, n int) {
	var out strings.Builder
	add := func(text string, told bool) {
		more := 0
		switch {
		case told:
			text, more = m.prose(text)
		case m.literal != nil:
			text, more = replace(m.literal, text)
		}
		out.WriteString(text)
		n += more
	}
	from, end := 0, "" // what is open, and what ends it; "": code
	for at := 0; at < len(text); {
		rest := text[at:]
		if end != "" {
			switch {
			case strings.HasPrefix(rest, end):
				at += len(end)
				add(text[from:at], true)
				from, end = at, ""
			case rest[0] == '\\' && end != "\n" && end != "*/":
				at += 2
			case rest[0] == '\n' && len(end) == 1:
				add(text[from:at], true) // an open string ends with its line
				from, end = at, ""
			default:
				at++
			}
			continue
		}
		for _, o := range [...][2]string{{`"""`, `"""`}, {"'''", "'''"}, {`"`, `"`}, {"'", "'"}, {"/*", "*/"}, {"//", "\n"}, {"#", "\n"}, {"-- ", "\n"}} {
			if strings.HasPrefix(rest, o[0]) {
				add(text[from:at], false)
				from, end = at, o[1]
				at += len(o[0])
				break
			}
		}
		if end == "" {
			at++
		}
	}
	add(text[min(from, len(text)):], end != "")
	return out.String(), n
}

// Unnamed returns the mask of texts that a tester reads while two models answer and the session goes on; nil: none.
func Unnamed(s *session.State) *Mask {
	if s.Plan.Arena == nil || s.Closed != "" {
		return nil
	}
	var names []string
	for _, m := range s.Plan.Arena.Models {
		names = append(names, m.Name, m.Model)
	}
	return NewMask(names)
}

// masked returns a candidate whose answers, and the code in them, name no model.
func (c *candidate) masked(mask *Mask) (*candidate, int) {
	out, total := *c, 0
	out.item.Attempts, out.item.Texts = slices.Clone(c.item.Attempts), map[session.Ref]string{}
	for ref, text := range c.item.Texts {
		out.item.Texts[ref] = text
	}
	replace := func(ref *session.Ref, by func(string) (string, int)) {
		text, known := c.item.Texts[*ref]
		if !known {
			return
		}
		masked, n := by(text)
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
		replace(&a.Answer, mask.Answer)
		if a.Extracted != nil {
			e := *a.Extracted
			replace(&e.Code, mask.Code)
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
