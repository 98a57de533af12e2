package difficulty

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"assay/session/difficulty"
)

// order is how the list is sorted.
type order int

const (
	hardest order = iota
	easiest
	leastTelling
	mostTelling
	lowestScore
	byName
	orders
)

func (o order) String() string {
	return [orders]string{"hardest first", "easiest first", "least discriminating first", "most discriminating first", "lowest score first", "by name"}[o]
}

func (o order) compare(a, b *difficulty.Task) int {
	switch o {
	case hardest:
		return cmp.Compare(b.Difficulty.Value, a.Difficulty.Value)
	case easiest:
		return cmp.Compare(a.Difficulty.Value, b.Difficulty.Value)
	case leastTelling:
		return cmp.Compare(a.Discrimination.Value, b.Discrimination.Value)
	case mostTelling:
		return cmp.Compare(b.Discrimination.Value, a.Discrimination.Value)
	case lowestScore:
		return cmp.Compare(a.Mean, b.Mean)
	}
	return strings.Compare(a.ID, b.ID)
}

// want is a condition of the filter.
type want func(*Model, *difficulty.Task) bool

// parse parses a filter: words of id or title, kind:suspect, topic:WORD, subset:yes,
// difficulty>0.5; a task must match all. A word with an error matches nothing: it may still be
// being typed.
func parse(text string) (wants []want, wrong error) {
	for _, word := range strings.Fields(strings.ToLower(text)) {
		w, err := condition(word)
		if err != nil {
			wrong = cmp.Or(wrong, err)
			continue
		}
		wants = append(wants, w)
	}
	return wants, wrong
}

func condition(word string) (want, error) {
	if at := strings.IndexAny(word, "<>"); at > 0 {
		return comparison(word[:at], word[at:])
	}
	key, value, keyed := strings.Cut(word, ":")
	switch {
	case keyed && key == "kind":
		return kind(value)
	case keyed && key == "topic":
		return func(m *Model, t *difficulty.Task) bool {
			if value == "none" {
				return t.Topic == 0
			}
			return t.Topic > 0 && strings.Contains(strings.ToLower(m.topicName(t.Topic)), value)
		}, nil
	case keyed && key == "subset" && (value == "yes" || value == "no"):
		return func(m *Model, t *difficulty.Task) bool { return (m.subset[t.ID] > 0) == (value == "yes") }, nil
	case keyed && key == "subset":
		return nil, fmt.Errorf("write subset:yes or subset:no")
	}
	return func(_ *Model, t *difficulty.Task) bool {
		return strings.Contains(strings.ToLower(t.ID), word) || strings.Contains(strings.ToLower(t.Title), word)
	}, nil
}

func kind(value string) (want, error) {
	switch value {
	case "suspect":
		return func(_ *Model, t *difficulty.Task) bool { return t.Kind == difficulty.Suspect }, nil
	case "noise":
		return func(_ *Model, t *difficulty.Task) bool { return t.Kind == difficulty.Chance }, nil
	case "alike":
		return func(_ *Model, t *difficulty.Task) bool { return t.Kind == difficulty.Alike }, nil
	case "sure":
		return func(_ *Model, t *difficulty.Task) bool { return t.Sure }, nil
	case "unsure":
		return func(_ *Model, t *difficulty.Task) bool { return !t.Sure }, nil
	}
	return nil, fmt.Errorf("write kind:suspect, noise, alike, sure or unsure")
}

func comparison(name, rest string) (want, error) {
	var of func(*difficulty.Task) float64
	switch name {
	case "difficulty", "d":
		of = func(t *difficulty.Task) float64 { return t.Difficulty.Value }
	case "discrimination", "a":
		of = func(t *difficulty.Task) float64 { return t.Discrimination.Value }
	case "score":
		of = func(t *difficulty.Task) float64 { return t.Mean }
	default:
		return nil, fmt.Errorf("%s cannot be compared: use difficulty, discrimination or score", name)
	}
	number, orEqual := strings.CutPrefix(rest[1:], "=")
	limit, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return nil, fmt.Errorf("%s%c needs a number, such as %s%c0.5", name, rest[0], name, rest[0])
	}
	return func(_ *Model, t *difficulty.Task) bool {
		v := of(t)
		return orEqual && v == limit || rest[0] == '<' && v < limit || rest[0] == '>' && v > limit
	}, nil
}

// topicName returns the name of the topic with a number.
func (m *Model) topicName(number int) string {
	for i := range m.all.Topics {
		if m.all.Topics[i].Number == number {
			return m.all.Topics[i].Name
		}
	}
	return ""
}
