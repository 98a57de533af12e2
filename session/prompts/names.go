package prompts

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/benchmark"
	"assay/scoring/syntax"
)

// Names are the identifiers of a task's reference solution that a description of its method must not use.
type Names struct {
	list []string // sorted
	err  error    // why they are unknown
}

// namesOf returns the names in a task's reference solution: its variables, parameters, helpers, and the
// functions it calls. It leaves out types, the entry point, which every prompt names, and like TaskEval the
// names that the statement itself mentions.
func namesOf(t *benchmark.Task) Names {
	tree, err := syntax.Parse(t.Language, []byte(t.Reference))
	if err != nil {
		return Names{err: err}
	}
	stated := map[string]bool{t.EntryPoint: true, "self": true, "cls": true, "this": true, "_": true}
	for _, word := range words(t.Description + " " + strings.Join(t.Constraints, " ")) {
		stated[word.text] = true
	}
	found := map[string]bool{}
	syntax.Walk(tree.Root, func(n *syntax.Node) bool {
		if len(n.Children) == 0 && isName(n) {
			if name := tree.Text(n); !stated[name] && !strings.HasPrefix(name, "__") && !strings.Contains(types, " "+name+" ") {
				found[name] = true
			}
		}
		return true
	})
	return Names{list: slices.Sorted(maps.Keys(found))}
}

// isName reports whether a leaf of a syntax tree is an identifier, in any of the grammars.
func isName(n *syntax.Node) bool {
	return n.Named && (strings.HasSuffix(n.Kind, "identifier") || n.Kind == "variable_name" ||
		n.Kind == "word" && n.Parent != nil && n.Parent.Kind == "function_definition")
}

// In lists the distinct names that a text uses. A name that is also an English word, such as count or
// total, only counts if it is written as code: quoted, before a bracket, or after "the variable" and the
// like. assay has no dictionary.
func (n Names) In(text string) []string {
	var used []string
	for _, w := range words(text) {
		if _, ok := slices.BinarySearch(n.list, w.text); !ok || slices.Contains(used, w.text) {
			continue
		}
		if !english(w.text) || w.asCode(text) {
			used = append(used, w.text)
		}
	}
	return used
}

// Any reports whether a text uses one of the names, even as a word.
func (n Names) Any(text string) bool {
	return slices.ContainsFunc(words(text), func(w word) bool {
		_, ok := slices.BinarySearch(n.list, w.text)
		return ok
	})
}

// word is a run of letters, digits and underscores in a text.
type word struct {
	text     string
	from, to int
}

func words(text string) []word {
	var list []word
	start := -1
	for i, r := range text + " " {
		in := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			// Neither the s of "it's" nor the letters of "i.e." and "n-th" are words.
			if start == 0 || i-start > 1 || !apostrophe(text[:start]) && !abbreviated(text, start, i) {
				list = append(list, word{text[start:i], start, i})
			}
			start = -1
		}
	}
	return list
}

// apostrophe reports whether a text ends in a word and an apostrophe.
func apostrophe(before string) bool {
	cut := strings.TrimSuffix(strings.TrimSuffix(before, "'"), "’")
	last, _ := utf8.DecodeLastRuneInString(cut)
	return len(cut) < len(before) && unicode.IsLetter(last)
}

// abbreviated reports whether a letter is next to another with only a full stop between, or starts a word
// such as x-axis.
func abbreviated(text string, from, to int) bool {
	after := len(text) > to+1 && (text[to] == '.' || text[to] == '-') && unicode.IsLetter(rune(text[to+1]))
	before := from >= 2 && text[from-1] == '.' && unicode.IsLetter(rune(text[from-2]))
	return after || before
}

// asCode reports whether a word is written as code.
func (w word) asCode(text string) bool {
	before, after := text[:w.from], text[w.to:]
	for _, quote := range [...]string{"`", "'", "\"", "‘", "’", "“", "”"} {
		if strings.HasSuffix(before, quote) && !apostrophe(before) {
			return true
		}
	}
	for _, sign := range [...]string{"(", "[", " = ", " += ", " == ", "`"} {
		if strings.HasPrefix(after, sign) {
			return true
		}
	}
	if strings.HasPrefix(after, ".") && len(after) > 1 && (unicode.IsLetter(rune(after[1])) || after[1] == '_') {
		return true
	}
	fields := strings.Fields(before)
	if len(fields) == 0 {
		return false
	}
	switch strings.ToLower(fields[len(fields)-1]) {
	case "variable", "variables", "parameter", "parameters", "argument", "called", "named", "helper", "identifier":
		return true
	}
	return false
}

// english reports whether a name may be an ordinary English word: only letters, pronounceable, and neither
// a usual abbreviation nor the name of a library.
func english(name string) bool {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return false
	}
	rest := name[1:]
	if strings.ToLower(rest) != rest { // camelCase, or CAPITALS
		return false
	}
	lower := strings.ToLower(name)
	switch len(lower) {
	case 1:
		return lower == "a" || name == "I"
	case 2:
		return strings.Contains(" am an as at be by do go he if in is it me my no of on or so to up us we ", " "+lower+" ")
	}
	return strings.ContainsAny(lower, "aeiouyäöü") && !strings.Contains(abbreviations, " "+lower+" ")
}

// abbreviations are names with vowels that are not words.
const abbreviations = " arr idx res acc num nums elem elems vals func curr prev nxt tmp len char chars stmt init params args " +
	"kwargs argv argc ret seq ans isinstance defaultdict itertools functools deque heapq numpy regex ord chr lambda " +
	"mapply sapply lapply vapply strsplit nchar printf malloc println arraylist hashmap hashset typeof parseint stdin " +
	"stdout stderr utf iter ptr addr "

// types are the names of types that descriptions of inputs and outputs need.
const types = " str int float bool dict list set tuple char string double long byte any "
