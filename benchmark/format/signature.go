package format

import (
	"regexp"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
)

// describe finds the function's signature and docstring in a HumanEval prompt. It only understands plain
// notation; anything else stays empty, since the prompt itself has everything.
func describe(prompt, entry string) (benchmark.Signature, string) {
	var sig benchmark.Signature
	heads := regexp.MustCompile(`(?m)^def\s+`+regexp.QuoteMeta(entry)+`\s*\(`).FindAllStringIndex(prompt, -1)
	if len(heads) == 0 {
		return sig, ""
	}
	inside, after, ok := closing(prompt[heads[len(heads)-1][1]:])
	if !ok {
		return sig, ""
	}
	if header, _, found := strings.Cut(after, ":"); found {
		sig.Returns = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(header), "->"))
	}
	for _, p := range source.AtCommas(inside, "([{", ")]}") {
		name, kind, _ := strings.Cut(p, ":")
		name = strings.TrimSpace(name)
		if name == "" || strings.ContainsAny(name, "*/=") || strings.Contains(kind, "=") {
			return benchmark.Signature{}, docstring(after)
		}
		sig.Parameters = append(sig.Parameters, benchmark.Parameter{Name: name, Type: strings.TrimSpace(kind)})
	}
	return sig, docstring(after)
}

// closing splits text after an opening parenthesis at the matching one.
func closing(text string) (inside, after string, ok bool) {
	depth := 1
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// docstring returns the first string in the function's body, without common indentation.
func docstring(after string) string {
	at, quote := -1, ""
	for _, q := range []string{`"""`, "'''"} {
		if i := strings.Index(after, q); i >= 0 && (at < 0 || i < at) {
			at, quote = i, q
		}
	}
	if at < 0 {
		return ""
	}
	text, _, found := strings.Cut(after[at+3:], quote)
	if !found {
		return ""
	}
	indent := after[strings.LastIndex(after[:at], "\n")+1 : at]
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = strings.TrimRight(strings.TrimPrefix(all[i], indent), " \t")
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}
