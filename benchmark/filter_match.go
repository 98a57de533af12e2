package benchmark

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Match reports whether the filter selects t.
func (s Filter) Match(t *Task) bool {
	for i := range s.terms {
		if !s.terms[i].match(t) {
			return false
		}
	}
	return true
}

func (m *term) match(t *Task) bool {
	if m.field == nil {
		return m.not != t.mentions(m.values[0].text)
	}
	for _, has := range m.field.of(t) {
		for _, v := range m.values {
			if v.match(m.field.kind, has) {
				return !m.not
			}
		}
	}
	return m.not
}

// mentions searches the texts of a task that people read.
func (t *Task) mentions(word string) bool {
	for _, text := range [...]string{t.ID, t.Title, t.Description, t.Category} {
		if containsFold(text, word) {
			return true
		}
	}
	return slices.ContainsFunc(t.Topics, func(topic string) bool { return containsFold(topic, word) })
}

func (v value) match(k kind, has string) bool {
	switch k {
	case partial:
		return containsFold(has, v.text)
	case words, presence:
		if !strings.Contains(v.text, "*") {
			return len(has) == len(v.text) && containsFold(has, v.text) || normal(has) == v.text
		}
		return glob(v.text, normal(has))
	}
	switch v.op {
	case "..":
		return (v.text == "" || k.compare(has, v.text) >= 0) && (v.to == "" || k.compare(has, v.to) <= 0)
	case ">=":
		return k.compare(has, v.text) >= 0
	case ">":
		return k.compare(has, v.text) > 0
	case "<=":
		return k.compare(has, v.text) <= 0
	case "<":
		return k.compare(has, v.text) < 0
	}
	return k.compare(has, v.text) == 0
}

// compare orders two values of a kind. Dates are compared at the lower of their precisions: 2023-04 is
// neither before nor after 2023.
func (k kind) compare(a, b string) int {
	switch k {
	case ordered:
		return cmp.Compare(slices.Index(Difficulties[:], Difficulty(a)), slices.Index(Difficulties[:], Difficulty(b)))
	case dates:
		n := min(len(a), len(b))
		return strings.Compare(a[:n], b[:n])
	}
	x, _ := strconv.ParseFloat(a, 64) // both are valid
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

// containsFold searches text for word, which must be normalised; text need not be. It does not allocate for
// ASCII text, so that many tasks can be searched at each key press.
func containsFold(text, word string) bool {
	if word == "" {
		return true
	}
	for i := 0; i+len(word) <= len(text); i++ {
		j := 0
		for j < len(word) && word[j] < utf8.RuneSelf && lower(text[i+j]) == word[j] {
			j++
		}
		if j == len(word) {
			return true
		}
		if word[j] >= utf8.RuneSelf || text[i+j] >= utf8.RuneSelf {
			return strings.Contains(normal(text), word)
		}
	}
	return false
}

func lower(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case c == '_':
		return ' '
	}
	return c
}

// glob matches a text with a pattern in which "*" matches any text.
func glob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(text, first) {
		return false
	}
	text = text[len(first):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return len(text) >= len(last) && strings.HasSuffix(text, last)
}
