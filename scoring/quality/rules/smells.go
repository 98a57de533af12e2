package rules

import (
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func smellRules() []rule {
	return []rule{
		{Rule{ID: "mutable-default", Dimension: quality.Smell, Severity: quality.Critical,
			Title: "A parameter's default is a list, dictionary or set, which all calls share.", Known: []string{"S5717", "W0102", "B006"},
			Bad:  "def f(x, xs=[]):\n    xs.append(x)\n    return xs\n",
			Good: "def f(x, xs=None):\n    xs = xs or []\n    xs.append(x)\n    return xs\n"}, mutableDefault},
		{Rule{ID: "captured-loop-variable", Dimension: quality.Smell, Severity: quality.Major,
			Title: "A function made in a loop uses the loop's variable, which has its last value when the function runs.", Known: []string{"S1515", "W0640", "B023"},
			Bad:  "def f():\n    fs = []\n    for i in range(3):\n        fs.append(lambda: i)\n    return fs\n",
			Good: "def f():\n    fs = []\n    for i in range(3):\n        fs.append(lambda i=i: i)\n    return fs\n"}, capturedVariable},
		{Rule{ID: "resource-not-closed", Dimension: quality.Smell, Severity: quality.Major,
			Title: "A file is opened and never closed.", Known: []string{"S2095", "R1732", "SIM115"},
			Bad:  "def f(path):\n    file = open(path)\n    return file.read()\n",
			Good: "def f(path):\n    with open(path) as file:\n        return file.read()\n"}, notClosed},
	}
}

func mutableDefault(f *file, say sayer) {
	for _, kind := range []string{"default_parameter", "typed_default_parameter"} {
		for _, p := range f.kinds[kind] {
			if v := p.Child("value"); v != nil && f.mutable(v) {
				say(p, "all calls share the default of %s", f.text(p.Child("name")))
			}
		}
	}
}

func capturedVariable(f *file, say sayer) {
	for _, s := range f.scopes {
		if s.kind != "lambda" && s.kind != "function_definition" {
			continue
		}
		for _, u := range s.uses {
			n := f.names[u.at]
			if n == nil || n.scope == s || n.scope.kind == "module" && s.kind == "function_definition" {
				continue
			}
			for _, b := range n.bindings[:min(len(n.bindings), manyBindings)] {
				if b.how != looped || b.value == nil || !inside(s.node, b.value.Child("body")) || b.value.Kind != "for_statement" {
					continue
				}
				if f.escapes(s.node, b.value) {
					say(u.at, "%s has its last value when this runs", n.text)
				}
			}
		}
	}
}

// escapes reports whether a function made in a loop outlives the iteration: it is stored, rather than
// called or passed to a call on the spot.
func (f *file) escapes(fn, loop *syntax.Node) bool {
	if fn.Kind == "function_definition" {
		return false
	}
	switch p := fn.Parent; p.Kind {
	case "argument_list":
		call := p.Parent.Child("function")
		return call.Kind == "attribute" && (f.text(call.Child("attribute")) == "append" || f.text(call.Child("attribute")) == "add")
	case "assignment":
		return p.Child("left").Kind == "subscript"
	}
	return false
}

func notClosed(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		if f.target(call) != "open" || call.Parent.Kind != "assignment" || call.Field != "right" {
			continue
		}
		id := call.Parent.Child("left")
		n := f.names[id]
		if id.Kind != "identifier" || n == nil || n.scope.kind == "class_definition" || f.handedOn(n) {
			continue
		}
		say(call, "%s is never closed", n.text)
	}
}

// handedOn reports whether a file is closed, or passed on to code that may close it.
func (f *file) handedOn(n *name) bool {
	return slices.ContainsFunc(n.uses, func(u *syntax.Node) bool {
		switch p := u.Parent; p.Kind {
		case "attribute":
			return f.text(p.Child("attribute")) == "close" || f.text(p.Child("attribute")) == "__exit__"
		case "for_statement", "for_in_clause":
			return false
		case "argument_list":
			fn := f.text(p.Parent.Child("function"))
			return !strings.HasSuffix(fn, ".load") && !strings.HasSuffix(fn, ".dump") && !strings.HasSuffix(fn, "reader") && !strings.HasSuffix(fn, "writer")
		default:
			return true
		}
	})
}
