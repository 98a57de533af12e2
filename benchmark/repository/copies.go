package repository

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// other returns another literal of the same kind.
func (e expected) other() string {
	switch e.kind {
	case "number":
		if n, err := strconv.ParseInt(strings.ReplaceAll(e.text, "_", ""), 0, 64); err == nil {
			by := 1 + rand.Int64N(7)
			if rand.IntN(2) == 0 && (by <= n || n < 0) {
				by = -by
			}
			return strconv.FormatInt(n+by, 10)
		}
		return "1" + strings.TrimLeft(e.text, "0") // 0.5 → 1.5, 2.5e3 → 12.5e3
	case "text":
		return otherText(e.text)
	}
	return e.kind // the other truth value
}

// otherText changes a letter or digit of a text, none that stands behind \, % or $; a text without any gets one.
func otherText(text string) string {
	var at []int
	for i := range len(text) {
		c := text[i]
		isWord := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if isWord && !strings.ContainsAny(text[max(0, i-1):i], `\%$&`) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return text + string(rune('a'+rand.IntN(26)))
	}
	i := at[rand.IntN(len(at))]
	first, n := byte('a'), 26
	switch c := text[i]; {
	case c >= '0' && c <= '9':
		first, n = '0', 10
	case c >= 'A' && c <= 'Z':
		first = 'A'
	}
	next := first + byte((int(text[i]-first)+1+rand.IntN(n-1))%n)
	return text[:i] + string(next) + text[i+1:]
}

// newName returns the name of a copy, which is like the original's: commands may select tests by the beginning.
func (u unit) newName() string {
	word := randomName(" ")
	switch {
	case strings.Contains(u.name, " "):
		return u.name + " " + word
	case strings.Contains(u.name, "-"):
		return u.name + "-" + strings.ReplaceAll(word, " ", "-")
	case regexp.MustCompile(`^[a-z]*[A-Z]`).MatchString(u.name) && !strings.Contains(u.name, "_"):
		return u.name + camel(word)
	}
	return u.name + "_" + strings.ReplaceAll(word, " ", "_")
}

// copied returns the text of a copy with another name and other values.
func (u unit) copied(name string, change []edit) string {
	all := append([]edit{{u.named[0] - u.start, u.named[1] - u.start, name}}, change...)
	for i := range change {
		all[i+1].start, all[i+1].end = change[i].start-u.start, change[i].end-u.start
	}
	return fmt.Sprintf("\n\n%s", applyEdits(u.source.text[u.start:u.end], all))
}
