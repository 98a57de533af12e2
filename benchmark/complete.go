package benchmark

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Completion is a completion of a filter.
type Completion struct {
	Filter string // the completed filter
	Label  string // what is added: a field with its colon, or a value
	About  string // description of a field
	Count  int    // for a value: matching tasks among those that the other terms select
}

// Complete proposes completions for the end of a filter: the fields that the last term may be naming, or
// the values of its field with the number of matching tasks among those that the other terms select, the
// most frequent first. Terms that are still invalid do not prevent it.
func Complete(filter string, tasks []*Task) []Completion {
	tokens, _ := tokenize(filter)
	var last token
	if n := len(tokens); n > 0 && tokens[n-1].end == len(filter) {
		last, tokens = tokens[n-1], tokens[:n-1]
	} else {
		last = token{start: len(filter), end: len(filter)}
	}
	before := filter[:last.start]
	not, name, typed, found := last.split()
	sign := ""
	if not {
		sign = "-"
	}
	if !found {
		var list []Completion
		for i := range fields {
			if f := &fields[i]; strings.HasPrefix(f.name, normalField(typed)) {
				list = append(list, Completion{Filter: before + sign + f.name + ":", Label: f.name + ":", About: f.about})
			}
		}
		return list
	}
	f := fieldNamed(name)
	if f == nil || f.kind == partial || f.kind == numbers {
		return nil
	}
	chosen := splitValues(typed)
	prefix := chosen[len(chosen)-1]
	head := strings.TrimSuffix(typed, prefix)
	for _, op := range [...]string{">=", "<=", ">", "<"} {
		if rest, ok := strings.CutPrefix(prefix, op); ok {
			head, prefix = head+op, rest
			break
		}
	}
	var others Filter
	for _, t := range tokens {
		if parsed, err := t.term(); err == nil {
			others.terms = append(others.terms, parsed)
		}
	}
	prefix = normal(strings.ReplaceAll(prefix, `"`, ""))
	counts := map[string]int{}
	spelled := map[string]string{}
	for _, t := range tasks {
		if !others.Match(t) {
			continue
		}
		for _, v := range f.of(t) {
			n := normal(v)
			if strings.HasPrefix(n, prefix) {
				counts[n]++
				spelled[n] = cmp.Or(spelled[n], v)
			}
		}
	}
	var list []Completion
	for _, n := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(-cmp.Compare(counts[a], counts[b]), cmp.Compare(a, b))
	}) {
		list = append(list, Completion{
			Filter: before + sign + name + ":" + head + quoted(spelled[n]), Label: spelled[n], Count: counts[n],
		})
	}
	return list
}

// normalField normalises the typed name of a field.
func normalField(typed string) string { return strings.ToLower(strings.Trim(typed, `"`)) }

// quoted returns a value as it can be written in a filter.
func quoted(v string) string {
	v = strings.ReplaceAll(v, `"`, "*") // no value can contain quotes
	if strings.ContainsAny(v, " ,\t\"") {
		return `"` + v + `"`
	}
	return v
}
