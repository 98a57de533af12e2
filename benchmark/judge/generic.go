package judge

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
)

// The entry point of a task may be a generic function, which a program can call with values only for certain types.
// They are those of the tests' arguments, here in Go's notation: int, float64, string, bool, []T, map[string]T, and
// "" for what an argument does not tell.

// goInstance returns the type arguments of a generic function in Go, as "[int, string]", or "".
func goInstance(source, entry string, cases []benchmark.Case) string {
	if !regexp.MustCompile(`\bfunc\s+` + regexp.QuoteMeta(entry) + `\s*\[`).MatchString(source) {
		return ""
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", goWhole(source), parser.SkipObjectResolution)
	if file == nil || err != nil {
		return ""
	}
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Recv != nil || f.Name.Name != entry || f.Type.TypeParams == nil {
			continue
		}
		var names, parameters []string
		for _, field := range f.Type.TypeParams.List {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		for _, field := range f.Type.Params.List {
			for range max(len(field.Names), 1) {
				parameters = append(parameters, types.ExprString(field.Type))
			}
		}
		return "[" + strings.Join(instance(names, parameters, cases), ", ") + "]"
	}
	return ""
}

var (
	rustReference = regexp.MustCompile(`&\s*(?:'\w+\s+)?(?:mut\s+)?`)
	rustList      = regexp.MustCompile(`\b(?:Vec|VecDeque|HashSet|BTreeSet)<([\w@{}]+)>|\[([\w@]+?)(?:;\s*\w+)?\]`)
	rustMap       = regexp.MustCompile(`\b(?:HashMap|BTreeMap)<([\w@]+),([\w@{}]+)>`)
	rustWrapper   = regexp.MustCompile(`\b(?:Option|Box)<([\w@{}]+)>`)
)

// rustInstance returns the type arguments of a generic function in Rust, as "::<i64, String>", or "".
func rustInstance(source, entry string, cases []benchmark.Case) string {
	m := regexp.MustCompile(`\bfn\s+` + regexp.QuoteMeta(entry) + `\s*<([^()]*)>\s*\(([^()]*)\)`).FindStringSubmatch(source)
	if m == nil {
		return ""
	}
	var names, parameters []string
	for _, declared := range strings.Split(m[1], ",") {
		name, _, _ := strings.Cut(declared, ":")
		if name = strings.TrimSpace(name); name != "" && name[0] != '\'' && !strings.Contains(name, " ") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	for _, declared := range regexp.MustCompile(`(?:^|,)\s*(?:mut\s+)?\w+\s*:`).Split(m[2], -1)[1:] {
		text := strings.ReplaceAll(rustReference.ReplaceAllString(declared, ""), " ", "")
		for before := ""; before != text; {
			before = text
			text = rustWrapper.ReplaceAllString(rustMap.ReplaceAllString(rustList.ReplaceAllString(text, "@$1$2"), "map{$1}$2"), "$1")
		}
		parameters = append(parameters, strings.NewReplacer("@", "[]", "{", "[", "}", "]").Replace(text))
	}
	var in []string
	for _, t := range instance(names, parameters, cases) {
		in = append(in, inRust(t))
	}
	return "::<" + strings.Join(in, ", ") + ">"
}

// inRust translates a type of Go's notation.
func inRust(t string) string {
	switch {
	case strings.HasPrefix(t, "[]"):
		return "Vec<" + inRust(t[2:]) + ">"
	case strings.HasPrefix(t, "map[string]"):
		return "std::collections::HashMap<String, " + inRust(t[len("map[string]"):]) + ">"
	}
	return map[string]string{"int": "i64", "float64": "f64", "string": "String", "bool": "bool"}[t]
}

// instance returns a type for each type parameter, as the arguments of the cases tell; int where they do not.
func instance(names, parameters []string, cases []benchmark.Case) []string {
	bound := map[string]string{}
	for _, c := range cases {
		for i, arg := range c.Args {
			if n := min(i, len(parameters)-1); n >= 0 && (i < len(parameters) || strings.HasPrefix(parameters[n], "...")) {
				bind(strings.TrimPrefix(parameters[n], "..."), typeOf(arg), names, bound)
			}
		}
	}
	list := make([]string, len(names))
	for i, name := range names {
		if list[i] = bound[name]; list[i] == "" {
			list[i] = "int"
		}
	}
	return list
}

// bind notes the type parameters of a parameter's type that a given type tells.
func bind(parameter, given string, names []string, bound map[string]string) {
	parameter = strings.TrimPrefix(parameter, "*")
	switch {
	case slices.Contains(names, parameter):
		bound[parameter] = common(bound[parameter], given)
	case strings.HasPrefix(parameter, "[]") && strings.HasPrefix(given, "[]"):
		bind(parameter[2:], given[2:], names, bound)
	case strings.HasPrefix(parameter, "map[") && strings.HasPrefix(given, "map[string]"):
		if key, value, closed := strings.Cut(parameter[len("map["):], "]"); closed {
			bind(key, "string", names, bound)
			bind(value, given[len("map[string]"):], names, bound)
		}
	}
}

// typeOf returns the type of a JSON value.
func typeOf(raw json.RawMessage) string {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
		return ""
	}
	return typeOfValue(v)
}

func typeOfValue(v any) string {
	switch v := v.(type) {
	case bool:
		return "bool"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "float64"
		}
		return "int"
	case []any:
		element := ""
		for _, e := range v {
			element = common(element, typeOfValue(e))
		}
		return "[]" + element
	case map[string]any:
		for name, inner := range v {
			switch {
			case len(v) == 1 && name == "$int":
				return "int"
			case len(v) == 1 && name == "$float":
				return "float64"
			case len(v) == 1 && (name == "$tuple" || name == "$set" || name == "$frozenset"):
				return typeOfValue(inner)
			}
		}
		value := ""
		for _, inner := range v {
			value = common(value, typeOfValue(inner))
		}
		return "map[string]" + value
	}
	return ""
}

// common returns a type of values of two types.
func common(a, b string) string {
	switch {
	case a == "" || a == "[]" && strings.HasPrefix(b, "[]"):
		return b
	case b == "" || b == "[]" || a == b:
		return a
	case strings.HasPrefix(a, "[]") && strings.HasPrefix(b, "[]"):
		return "[]" + common(a[2:], b[2:])
	case a == "float64" || b == "float64":
		return "float64"
	}
	return a
}
