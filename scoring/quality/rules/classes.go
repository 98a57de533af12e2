package rules

import (
	"maps"
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func classRules() []rule {
	return []rule{
		{Rule{ID: "missing-self", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A method takes no parameter for its object.", Known: []string{"S5719", "E0211", "N805"},
			Bad:  "class A:\n    def f():\n        return 1\n",
			Good: "class A:\n    def f(self):\n        return self\n"}, missingSelf},
		{Rule{ID: "self-misnamed", Dimension: quality.Smell, Severity: quality.Critical,
			Title: "A method's first parameter is not called self.", Known: []string{"S5720", "E0213", "N805"},
			Bad:  "class A:\n    def f(x):\n        return x\n",
			Good: "class A:\n    def f(self):\n        return self\n"}, selfMisnamed},
		{Rule{ID: "init-returns", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "__init__ returns a value or yields.", Known: []string{"S2734", "E0100", "E0101"},
			Bad:  "class A:\n    def __init__(self):\n        self.x = 1\n        return self.x\n",
			Good: "class A:\n    def __init__(self):\n        self.x = 1\n"}, initReturns},
		{Rule{ID: "special-method-parameters", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A special method takes another number of parameters than it is called with.", Known: []string{"S5722", "S2733", "E0302"},
			Bad:  "class A:\n    def __len__(self, x):\n        return x\n",
			Good: "class A:\n    def __len__(self):\n        return 1\n"}, specialMethods},
		{Rule{ID: "property-parameters", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A property takes more than its object.", Known: []string{"S5724", "R0206"},
			Bad:  "class A:\n    @property\n    def size(self, n):\n        return n\n",
			Good: "class A:\n    @property\n    def size(self):\n        return 1\n"}, propertyParameters},
		{Rule{ID: "init-misnamed", Dimension: quality.Reliability, Severity: quality.Critical,
			Title: "A method is named like a constructor and is none.", Known: []string{"PLW3201"},
			Bad:  "class A:\n    def _init_(self, x):\n        self.x = x\n",
			Good: "class A:\n    def __init__(self, x):\n        self.x = x\n"}, initMisnamed},
		{Rule{ID: "repeated-method", Dimension: quality.Smell, Severity: quality.Major,
			Title: "A class defines a method twice: the first is lost.", Known: []string{"E0102", "F811"},
			Bad:  "class A:\n    def f(self):\n        return 1\n\n    def f(self, x):\n        return x\n",
			Good: "class A:\n    def f(self):\n        return 1\n\n    def g(self, x):\n        return x\n"}, repeatedMethod},
		{Rule{ID: "unknown-attribute", Dimension: quality.Reliability, Severity: quality.Critical,
			Title: "A method reads an attribute of its object that nothing in the class sets.", Known: []string{"E1101"},
			Bad:  "class A:\n    def __init__(self):\n        self.total = 0\n\n    def f(self):\n        return self.totl\n",
			Good: "class A:\n    def __init__(self):\n        self.total = 0\n\n    def f(self):\n        return self.total\n"}, unknownAttribute},
	}
}

// methods visits the functions of each class. plain reports that the class has no bases, metaclass or
// decorators.
func (f *file) methods(visit func(class, fn *syntax.Node, plain bool)) {
	for _, fn := range f.kinds["function_definition"] {
		if class := classOf(fn); class != nil {
			visit(class, fn, len(f.basesOf(class)) == 0 && len(decorators(class)) == 0)
		}
	}
}

func missingSelf(f *file, say sayer) {
	f.methods(func(class, fn *syntax.Node, plain bool) {
		name := f.text(fn.Child("name"))
		if len(parts(fn.Child("parameters"))) > 0 || len(decorators(fn)) > 0 && !f.isProperty(fn) && !f.decorated(fn, "classmethod") || !plain && !strings.HasPrefix(name, "__") {
			return
		}
		if slices.Contains([]string{"__new__", "__init_subclass__", "__class_getitem__"}, name) || f.calledInClass(class, name) {
			return
		}
		say(fn, "%s takes no self", name)
	})
}

// calledInClass reports whether the class body itself, or A.name(…) elsewhere, calls the function without
// an object.
func (f *file) calledInClass(class *syntax.Node, word string) bool {
	n := f.scopeOf[class].names[word]
	if n != nil && len(n.uses) > 0 {
		return true
	}
	path := f.text(class.Child("name")) + "." + word
	if f.dotted == nil {
		f.dotted = map[string]bool{}
		for _, a := range f.kinds["attribute"] {
			f.dotted[f.text(a)] = true
		}
	}
	return f.dotted[path]
}

func selfMisnamed(f *file, say sayer) {
	f.methods(func(class, fn *syntax.Node, plain bool) {
		list := parts(fn.Child("parameters"))
		if len(list) == 0 || len(decorators(fn)) > 0 || !plain || parameterName(list[0]) == nil || list[0].Kind == "list_splat_pattern" {
			return
		}
		first, name := f.text(parameterName(list[0])), f.text(fn.Child("name"))
		if first == "self" || first == "cls" || first == "mcs" || strings.HasPrefix(first, "_") || f.calledInClass(class, name) ||
			slices.Contains([]string{"__new__", "__init_subclass__", "__class_getitem__"}, name) {
			return
		}
		say(list[0], "the first parameter of %s is %s instead of self", name, first)
	})
}

func initReturns(f *file, say sayer) {
	f.methods(func(_, fn *syntax.Node, _ bool) {
		if f.text(fn.Child("name")) != "__init__" {
			return
		}
		visitOwn(fn.Child("body"), func(n *syntax.Node) {
			p := parts(n)
			if n.Kind == "yield" && n.Named || n.Kind == "return_statement" && len(p) > 0 && bare(p[0]).Kind != "none" && bare(p[0]).Kind != "call" {
				say(n, "__init__ must return nothing")
			}
		})
	})
}

// specials maps special methods to their number of parameters, self included.
var specials = map[string]int{"__len__": 1, "__str__": 1, "__repr__": 1, "__hash__": 1, "__bool__": 1, "__iter__": 1, "__next__": 1,
	"__enter__": 1, "__exit__": 4, "__eq__": 2, "__ne__": 2, "__lt__": 2, "__le__": 2, "__gt__": 2, "__ge__": 2, "__add__": 2,
	"__sub__": 2, "__mul__": 2, "__truediv__": 2, "__floordiv__": 2, "__mod__": 2, "__contains__": 2, "__getitem__": 2,
	"__setitem__": 3, "__delitem__": 2, "__getattr__": 2, "__setattr__": 3, "__del__": 1, "__neg__": 1, "__abs__": 1, "__int__": 1,
	"__float__": 1, "__reversed__": 1}

func specialMethods(f *file, say sayer) {
	f.methods(func(_, fn *syntax.Node, _ bool) {
		want, known := specials[f.text(fn.Child("name"))]
		if !known || len(decorators(fn)) > 0 || len(parts(fn.Child("parameters"))) == 0 {
			return
		}
		s := f.signature(fn, false)
		if want < s.required || want > len(s.names) && !s.any || len(s.onlyRequired) > 0 {
			say(fn, "%s is called with %s", f.text(fn.Child("name")), count(want, "argument"))
		}
	})
}

func propertyParameters(f *file, say sayer) {
	f.methods(func(_, fn *syntax.Node, _ bool) {
		if f.isProperty(fn) && f.signature(fn, true).required > 0 {
			say(fn, "the property %s takes more than self", f.text(fn.Child("name")))
		}
	})
}

func initMisnamed(f *file, say sayer) {
	f.methods(func(class, fn *syntax.Node, _ bool) {
		switch name := f.text(fn.Child("name")); name {
		case "_init_", "__init", "_init__", "init__", "__int__":
			if (name != "__int__" || f.signature(fn, true).required > 0) && f.scopeOf[class].names["__init__"] == nil {
				say(fn, "%s is no constructor: __init__ is meant", name)
			}
		}
	})
}

func repeatedMethod(f *file, say sayer) {
	for _, class := range f.kinds["class_definition"] {
		for _, n := range f.scopeOf[class].order {
			for i, b := range n.bindings[:min(len(n.bindings), manyBindings)] {
				if i == 0 || b.how != defined || len(decorators(b.value)) > 0 {
					continue
				}
				before := n.bindings[i-1]
				if before.how != defined || len(decorators(before.value)) > 0 || before.value.Parent != b.value.Parent || slices.ContainsFunc(n.uses, func(u *syntax.Node) bool { return u.Start > before.from && u.Start < b.at.Start }) {
					continue
				}
				say(b.value, "%s is defined before, in line %d", n.text, f.line(before.value))
			}
		}
	}
}

// unknownAttribute checks only classes that are completely visible: no bases, no decorators, nothing that
// sets attributes by name.
func unknownAttribute(f *file, say sayer) {
	if f.dynamic() || f.mentions("__dict__") || f.mentions("__getattr") || f.mentions("__slots__") {
		return
	}
	set := f.settable()
	f.methods(func(class, fn *syntax.Node, plain bool) {
		self := f.selfName(fn)
		if !plain || self == "" || self == "cls" || f.decorated(fn, "classmethod") || classOf(fn) == nil || above(class, "class_definition", "function_definition") != nil {
			return
		}
		visitOwn(fn.Child("body"), func(n *syntax.Node) {
			if n.Kind != "attribute" || f.assigned(n) || n.Child("object").Kind != "identifier" || f.text(n.Child("object")) != self {
				return
			}
			word := f.text(n.Child("attribute"))
			if set[word] || f.scopeOf[class].names[word] != nil || strings.HasPrefix(word, "__") || guardedAny(n) || f.tested(word) {
				return
			}
			if similar := f.alike(class, word); similar != "" {
				say(n, "nothing in %s sets %s: %s is meant", f.text(class.Child("name")), word, similar)
			}
		})
	})
}

// alike returns a name of the class, or an attribute that the file sets, that differs from word by one
// letter: only then is word certainly a typo, and not an attribute of a subclass.
func (f *file) alike(class *syntax.Node, word string) string {
	for _, n := range f.scopeOf[class].order[:min(len(f.scopeOf[class].order), manyBindings)] {
		if oneOff(n.text, word) {
			return n.text
		}
	}
	known := slices.Sorted(maps.Keys(f.settable()))
	if i := slices.IndexFunc(known, func(k string) bool { return oneOff(k, word) }); i >= 0 && len(known) < 10*manyBindings {
		return known[i]
	}
	return ""
}

// oneOff reports whether two words of four or more letters differ by one letter.
func oneOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// tested reports whether the file tests for an attribute by name: hasattr(x, "word").
func (f *file) tested(word string) bool { return f.mentions(`"`+word+`"`) || f.mentions(`'`+word+`'`) }

// assigned reports whether an attribute is an assignment target.
func (f *file) assigned(a *syntax.Node) bool {
	for n := a; n.Parent != nil; n = n.Parent {
		switch n.Parent.Kind {
		case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target":
			continue
		case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
			return n.Field == "left"
		case "as_pattern":
			return n.Field == "alias"
		case "delete_statement":
			return true
		}
		return false
	}
	return false
}
