package author

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
)

// maxInputs is the largest number of calls of a reference solution.
const maxInputs = 200

// Inputs lists arguments for calls of a function: ordinary ones, and those at the edges of its parameters'
// types. First each parameter varies while the others stay ordinary, then pairs vary together. Parameters
// of unknown type get numbers and strings.
func Inputs(sig benchmark.Signature) [][]json.RawMessage {
	options := make([][]string, len(sig.Parameters))
	for i, p := range sig.Parameters {
		options[i] = values(p.Type, 0)
	}
	seen := map[string]bool{}
	var list [][]json.RawMessage
	add := func(choose func(parameter int) string) {
		args := make([]json.RawMessage, len(options))
		for i := range options {
			args[i] = json.RawMessage(choose(i))
		}
		key := fmt.Sprintf("%s", args)
		if !seen[key] && len(list) < maxInputs {
			seen[key] = true
			list = append(list, args)
		}
	}
	ordinary := func(i int) string { return options[i][0] }
	add(ordinary)
	for p := range options {
		for _, v := range options[p] {
			add(func(i int) string {
				if i == p {
					return v
				}
				return ordinary(i)
			})
		}
	}
	for p := range options {
		for q := range p {
			for a, v := range options[p] {
				for b, w := range options[q] {
					if (a+b)%2 == 1 {
						continue // only half of the pairs
					}
					add(func(i int) string {
						switch i {
						case p:
							return v
						case q:
							return w
						}
						return ordinary(i)
					})
				}
			}
		}
	}
	return list
}

var generic = regexp.MustCompile(`^(?:\w+(?:\.|::))*(\w+)\s*[\[<](.*)[\]>]$`)

// values lists JSON values of a type, the ordinary one first. The type may be in Python, Go, Java or C++
// notation.
func values(kind string, depth int) []string {
	kind = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(kind), "const "), "&"))
	if depth > 3 {
		return []string{"[]"}
	}
	if parts := strings.Split(kind, "|"); len(parts) > 1 && !strings.ContainsAny(kind, "[<") {
		var all []string
		for _, p := range parts {
			all = append(all, values(p, depth+1)...)
		}
		return all
	}
	if rest, ok := strings.CutSuffix(kind, "[]"); ok { // Java
		return lists(rest, depth, "%s")
	}
	if rest, ok := strings.CutPrefix(kind, "[]"); ok { // Go
		return lists(rest, depth, "%s")
	}
	if rest, ok := strings.CutPrefix(kind, "map["); ok {
		if key, value, ok := strings.Cut(rest, "]"); ok {
			return mappings(key, value, depth)
		}
	}
	if m := generic.FindStringSubmatch(kind); m != nil {
		types := source.AtCommas(m[2], "([{<", ")]}>")
		switch strings.ToLower(m[1]) {
		case "list", "sequence", "iterable", "iterator", "collection", "vector", "deque", "arraylist":
			return lists(m[2], depth, "%s")
		case "set", "abstractset", "unordered_set", "hashset":
			return lists(m[2], depth, `{"$set": %s}`)
		case "frozenset":
			return lists(m[2], depth, `{"$frozenset": %s}`)
		case "dict", "mapping", "map", "unordered_map", "defaultdict", "hashmap":
			if len(types) == 2 {
				return mappings(types[0], types[1], depth)
			}
		case "tuple":
			if len(types) == 2 && strings.TrimSpace(types[1]) == "..." {
				return lists(types[0], depth, `{"$tuple": %s}`)
			}
			return tuples(types, depth, `{"$tuple": %s}`)
		case "pair":
			return tuples(types, depth, "%s")
		case "optional":
			return append(values(m[2], depth+1), "null")
		case "union":
			var all []string
			for _, p := range types {
				all = append(all, values(p, depth+1)...)
			}
			return all
		}
	}
	switch strings.ToLower(kind) {
	case "int", "integer", "int64", "int32", "long", "long long", "short", "uint", "size_t":
		return []string{"3", "0", "1", "2", "-1", "7", "10", "100", "-8", "1000000"}
	case "float", "double", "float64", "float32", "number", "numeric":
		return []string{"2.5", "0.0", "1.0", "-1.5", "0.1", "10.0", "100.25", "1e-09", "1e6"}
	case "bool", "boolean", "logical":
		return []string{"true", "false"}
	case "str", "string", "std::string", "text", "character":
		return []string{`"ab cd"`, `""`, `"a"`, `" "`, `"Abc"`, `"aab"`, `"42"`, `"a,b;c"`, `"Grüße 😀"`, `"line\nnext"`, `"  x "`}
	case "char", "rune":
		return []string{`"a"`, `"Z"`, `"0"`, `" "`}
	case "bytes":
		return []string{`{"$bytes": "YWI="}`, `{"$bytes": ""}`}
	case "complex":
		return []string{`{"$complex": [1.0, 2.0]}`, `{"$complex": [0.0, 0.0]}`}
	case "none":
		return []string{"null"}
	case "list", "tuple", "sequence":
		return lists("int", depth, "%s")
	case "dict", "map":
		return mappings("str", "int", depth)
	case "set":
		return lists("int", depth, `{"$set": %s}`)
	}
	return []string{"3", "0", "-1", `"ab"`, `""`, "[1, 2]", "[]"}
}

// lists returns lists of a type: empty, with one element, with several, with duplicates, sorted and
// unsorted.
func lists(elements string, depth int, form string) []string {
	e := values(elements, depth+1)
	at := func(i int) string { return e[i%len(e)] }
	var all []string
	for _, indexes := range [][]int{{0, 1, 2}, {}, {0}, {0, 0}, {2, 1, 0}, {1, 0, 1, 2}, {3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}} {
		if strings.Contains(form, "$set") || strings.Contains(form, "$frozenset") {
			indexes = distinct(indexes, len(e))
		}
		parts := make([]string, len(indexes))
		for i, index := range indexes {
			parts[i] = at(index)
		}
		all = append(all, fmt.Sprintf(form, "["+strings.Join(parts, ", ")+"]"))
	}
	return all
}

func distinct(indexes []int, n int) []int {
	seen := map[int]bool{}
	var unique []int
	for _, i := range indexes {
		if !seen[i%n] {
			seen[i%n] = true
			unique = append(unique, i)
		}
	}
	return unique
}

func tuples(elements []string, depth int, form string) []string {
	var all []string
	for i := range 4 {
		parts := make([]string, len(elements))
		for j, kind := range elements {
			v := values(kind, depth+1)
			parts[j] = v[(i*(j+1))%len(v)]
		}
		all = append(all, fmt.Sprintf(form, "["+strings.Join(parts, ", ")+"]"))
	}
	return all
}

func mappings(key, value string, depth int) []string {
	keys, elements := values(key, depth+1), values(value, depth+1)
	textual := strings.HasPrefix(keys[0], `"`)
	var all []string
	for _, n := range []int{2, 0, 1, 4} {
		var parts []string
		for i := range min(n, len(keys)) {
			if textual {
				parts = append(parts, keys[i]+": "+elements[i%len(elements)])
			} else {
				parts = append(parts, "["+keys[i]+", "+elements[i%len(elements)]+"]")
			}
		}
		if textual {
			all = append(all, "{"+strings.Join(parts, ", ")+"}")
		} else {
			all = append(all, `{"$dict": [`+strings.Join(parts, ", ")+"]}")
		}
	}
	return all
}
