package author

import (
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
	"assay/scoring/syntax"
)

var aSignature = regexp.MustCompile(`(?s)^\s*([\w.$]+)\s*\((.*)\)\s*(?:->\s*(.+?))?\s*$`)

// ParseSignature parses "name(parameter: type, …) -> type" for any language, with types in Python's
// notation or the language's. Types are optional.
func ParseSignature(text string) (entry string, sig benchmark.Signature, err error) {
	m := aSignature.FindStringSubmatch(text)
	if m == nil {
		return "", sig, fmt.Errorf("the signature %q cannot be parsed; write it as merge(shifts: list[int], gap: int) -> int", text)
	}
	for _, part := range source.AtCommas(m[2], "([{<", ")]}>") {
		name, kind, _ := strings.Cut(part, ":")
		kind, _, _ = strings.Cut(kind, "=")
		if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, "*/ ") {
			return "", sig, fmt.Errorf("the parameter %q cannot be parsed; write each as name: type", strings.TrimSpace(part))
		}
		sig.Parameters = append(sig.Parameters, benchmark.Parameter{Name: name, Type: strings.TrimSpace(kind)})
	}
	sig.Returns = strings.TrimSpace(m[3])
	return m[1], sig, nil
}

// SignatureOf finds the main function of a Python program: the named one, or the last one that is not
// private. It returns nothing for other languages.
func SignatureOf(language, source, name string) (entry string, sig benchmark.Signature, err error) {
	if language != "python" {
		return "", sig, fmt.Errorf("the signature cannot be read from a program in %s: give it", language)
	}
	tree, err := syntax.Parse("python", []byte(source))
	if err != nil {
		return "", sig, err
	}
	if !tree.Valid {
		return "", sig, fmt.Errorf("the program does not parse")
	}
	var found *syntax.Node
	for _, n := range tree.Root.Children {
		if n.Kind == "decorated_definition" {
			n = n.Child("definition")
		}
		if n == nil || n.Kind != "function_definition" {
			continue
		}
		if is := tree.Text(n.Child("name")); is == name || name == "" && !strings.HasPrefix(is, "_") {
			found = n
		}
	}
	if found == nil {
		return "", sig, fmt.Errorf("the program defines no function%s at its top level", strings.TrimRight(" "+name, " "))
	}
	text := tree.Text(found.Child("name")) + tree.Text(found.Child("parameters"))
	if r := found.Child("return_type"); r != nil {
		text += " -> " + tree.Text(r)
	}
	return ParseSignature(strings.Join(strings.Fields(text), " "))
}
