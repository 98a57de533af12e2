package harden

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/scoring/syntax"
)

// compose gives the result of one task to another.
func compose(a, b *benchmark.Task) *Proposal {
	at := slices.IndexFunc(b.Signature.Parameters, func(p benchmark.Parameter) bool { return p.Type == a.Signature.Returns })
	if a == b || at < 0 || a.Library != b.Library || collide(a.Reference, b.Reference) {
		return nil
	}
	sig := benchmark.Signature{Parameters: slices.Clone(a.Signature.Parameters), Returns: b.Signature.Returns}
	arguments := make([]string, len(b.Signature.Parameters))
	for i, p := range b.Signature.Parameters {
		if i == at {
			arguments[i] = fmt.Sprintf("%s(%s)", a.EntryPoint, strings.Join(names(a.Signature.Parameters), ", "))
			continue
		}
		p.Name = free(p.Name, names(sig.Parameters))
		arguments[i] = p.Name
		sig.Parameters = append(sig.Parameters, p)
	}
	entry := a.EntryPoint + "_then_" + b.EntryPoint
	code := with(with(a.Reference, b.Reference), header(entry, sig)+fmt.Sprintf("    return %s(%s)\n", b.EntryPoint, strings.Join(arguments, ", ")))
	p := &Proposal{From: []*benchmark.Task{a, b}, Change: Compose, Old: []string{alias(a, entry), alias(b, entry)}, Task: changed(a.ID+"-then-"+b.ID, entry, sig, code, a, b)}
	p.Inputs = composed(a, b, at)
	if len(p.Inputs) == 0 {
		return nil
	}
	arguments[at] = "the result of " + a.EntryPoint
	p.Task.Title = fmt.Sprintf("%s, then: %s", a.Title, b.Title)
	p.Task.Description = fmt.Sprintf("Write a function `%s`. It does two things, one after the other, each described below as a function of its own: it calls `%s` with `%s`, "+
		"gives the result to `%s` as `%s`%s, and returns what that returns.\n\n%s\n\n%s", entry, a.EntryPoint, strings.Join(names(a.Signature.Parameters), "`, `"),
		b.EntryPoint, b.Signature.Parameters[at].Name, rest(arguments, at), quoted(a), quoted(b))
	p.Task.Constraints = append(append(prefixed(a), prefixed(b)...), "An exception of either function is not caught.")
	return p
}

// rest names the other arguments of a composition.
func rest(arguments []string, at int) string {
	others := slices.Delete(slices.Clone(arguments), at, at+1)
	if len(others) == 0 {
		return ""
	}
	return ", with `" + strings.Join(others, "`, `") + "` as the other arguments"
}

// composed pairs the arguments of two tasks' test cases: each with several of the other.
func composed(a, b *benchmark.Task, at int) [][]json.RawMessage {
	first, raising := calls(a)
	first = append(first, raising...)
	second, raising := calls(b)
	second = append(second, raising...)
	var list [][]json.RawMessage
	if len(second) == 0 {
		return nil
	}
	for round := range 6 {
		for i, args := range first {
			other := second[(i+round*7)%len(second)]
			list = append(list, slices.Concat(args, other[:at], other[at+1:]))
		}
		if len(b.Signature.Parameters) == 1 {
			break // all rounds are the same
		}
	}
	return list
}

// collide reports whether two programs define the same name at their top level, other than by an import.
func collide(a, b string) bool {
	x, y := defined(a), defined(b)
	for name := range x {
		if y[name] {
			return true
		}
	}
	return x == nil || y == nil
}

func defined(source string) map[string]bool {
	tree, err := syntax.Parse("python", []byte(source))
	if err != nil || !tree.Valid {
		return nil
	}
	found := map[string]bool{}
	for _, n := range tree.Root.Children {
		if n.Kind == "decorated_definition" {
			n = n.Child("definition")
		}
		switch {
		case n == nil:
		case n.Kind == "function_definition" || n.Kind == "class_definition":
			found[tree.Text(n.Child("name"))] = true
		case n.Kind != "import_statement" && n.Kind != "import_from_statement":
			syntax.Walk(n, func(c *syntax.Node) bool {
				if left := c.Child("left"); c.Kind == "assignment" && left != nil {
					found[tree.Text(left)] = true
				}
				return true
			})
		}
	}
	return found
}
