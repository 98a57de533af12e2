package rules

import (
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func valueRules() []rule {
	return []rule{
		{Rule{ID: "duplicate-key", Dimension: quality.Smell, Severity: quality.Major,
			Title: "A dictionary gives a key twice: the first value is lost.", Known: []string{"S5780", "W0109", "F601"},
			Bad:  "ROMAN = {\"I\": 1, \"V\": 5, \"I\": 10}\n",
			Good: "ROMAN = {\"I\": 1, \"V\": 5, \"X\": 10}\n"}, duplicateKey},
		{Rule{ID: "list-changed-in-loop", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A list is changed while it is iterated over: elements are skipped.", Known: []string{"W4701", "B909"},
			Bad:  "def f(xs):\n    for x in xs:\n        if x < 0:\n            xs.remove(x)\n    return xs\n",
			Good: "def f(xs):\n    for x in list(xs):\n        if x < 0:\n            xs.remove(x)\n    return xs\n"}, listChanged},
		{Rule{ID: "dict-changed-in-loop", Dimension: quality.Reliability, Severity: quality.Critical,
			Title: "A dictionary or set changes its size while it is iterated over: an error.", Known: []string{"E4702", "E4703"},
			Bad:  "def f(d):\n    for k in d.keys():\n        if d[k] == 0:\n            del d[k]\n    return d\n",
			Good: "def f(d):\n    for k in list(d.keys()):\n        if d[k] == 0:\n            del d[k]\n    return d\n"}, dictChanged},
		{Rule{ID: "shared-rows", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "All rows of a table are the same list: changing one changes all.", Known: []string{"B039"},
			Bad:  "def f(n):\n    table = [[0] * n] * n\n    table[0][1] = 1\n    return table\n",
			Good: "def f(n):\n    table = [[0] * n for _ in range(n)]\n    table[0][1] = 1\n    return table\n"}, sharedRows},
		{Rule{ID: "shared-default", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "dict.fromkeys gives every key the same list.", Known: []string{"S8508", "RUF024"},
			Bad:  "def f(keys):\n    return dict.fromkeys(keys, [])\n",
			Good: "def f(keys):\n    return {k: [] for k in keys}\n"}, sharedDefault},
		{Rule{ID: "unhashable-key", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A list, dictionary or set cannot be a key or a member of a set.", Known: []string{"S6662", "E1143"},
			Bad:  "def f():\n    return {[1, 2]: 3}\n",
			Good: "def f():\n    return {(1, 2): 3}\n"}, unhashable},
		{Rule{ID: "no-effect", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A statement computes something and drops it.", Known: []string{"S905", "W0104", "W0106", "B015", "B018"},
			Bad:  "def f(x):\n    x == 1\n    return x\n",
			Good: "def f(x):\n    x = 1 if x else 2\n    return x\n"}, noEffect},
		{Rule{ID: "self-assignment", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A variable is assigned to itself.", Known: []string{"S1656", "W0127", "PLW0127"},
			Bad:  "def f(x):\n    x = x\n    return x\n",
			Good: "def f(x):\n    y = x\n    return y\n"}, selfAssignment},
		{Rule{ID: "reversed-operator", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "=+ and =- assign; += and -= are meant.", Known: []string{"S2757"},
			Bad:  "def f(xs):\n    n = 0\n    for x in xs:\n        n =+ x\n    return n\n",
			Good: "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n"}, reversedOperator},
		{Rule{ID: "overwritten-parameter", Dimension: quality.Reliability, Severity: quality.Minor,
			Title: "A parameter is overwritten before it is read.", Known: []string{"S1226"},
			Bad:  "def f(xs):\n    xs = [1, 2, 3]\n    return sum(xs)\n",
			Good: "def f(xs):\n    return sum(xs)\n"}, overwritten},
		{Rule{ID: "item-of-number", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A number or a set is indexed.", Known: []string{"S5644", "E1136"},
			Bad:  "def f(xs):\n    unique = set(xs)\n    return unique[0]\n",
			Good: "def f(xs):\n    unique = sorted(set(xs))\n    return unique[0]\n"}, itemOfNumber},
		{Rule{ID: "text-assignment", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A character of a text, or an element of a tuple, is assigned: neither can be changed.", Known: []string{"S5644", "E1137"},
			Bad:  "def f():\n    s = \"abc\"\n    s[0] = \"x\"\n    return s\n",
			Good: "def f():\n    s = list(\"abc\")\n    s[0] = \"x\"\n    return s\n"}, textAssignment},
		{Rule{ID: "wrong-method", Dimension: quality.Reliability, Severity: quality.Critical,
			Title: "A method is called that values of this type do not have.", Known: []string{"E1101"},
			Bad:  "def f(x):\n    xs = []\n    xs.push(x)\n    return xs\n",
			Good: "def f(x):\n    xs = []\n    xs.append(x)\n    return xs\n"}, wrongMethod},
		{Rule{ID: "text-index", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A list or text is indexed by a text or a fraction.", Known: []string{"S6663", "E1126"},
			Bad:  "def f():\n    xs = [3, 1]\n    return xs[\"a\"]\n",
			Good: "def f():\n    xs = [3, 1]\n    return xs[0]\n"}, textIndex},
	}
}

func duplicateKey(f *file, say sayer) {
	for _, d := range f.kinds["dictionary"] {
		known := map[string]bool{}
		for _, p := range parts(d) {
			k := p.Child("key")
			if p.Kind != "pair" || k == nil || !constant(k) {
				continue
			}
			text := f.text(k)
			if s, ok := f.literal(k); ok {
				text = "'" + s
			}
			if known[text] {
				say(k, "the key %s is given twice", short(f.text(k)))
			}
			known[text] = true
		}
	}
}

// loopsOver visits the loops over a plain name, and the view that they iterate over: "", "keys", "values",
// "items".
func (f *file) loopsOver(visit func(loop *syntax.Node, over, view string)) {
	for _, loop := range f.kinds["for_statement"] {
		right := bare(loop.Child("right"))
		if right.Kind == "call" && f.target(right) == "enumerate" && f.argument(right, 0, "") != nil {
			right = bare(f.argument(right, 0, ""))
		}
		view := ""
		if right.Kind == "call" && right.Child("function").Kind == "attribute" {
			view = f.text(right.Child("function").Child("attribute"))
			if !slices.Contains([]string{"keys", "values", "items"}, view) {
				continue
			}
			right = right.Child("function").Child("object")
		}
		if right.Kind == "identifier" || right.Kind == "attribute" {
			visit(loop, f.text(right), view)
		}
	}
}

// thenLeaves reports whether a statement is followed by one that leaves the loop.
func (f *file) thenLeaves(n, loop *syntax.Node) bool {
	for s, block := statement(n); block != nil && inside(block, loop) && block != loop; s, block = statement(block.Parent) {
		list := parts(block)
		for _, next := range list {
			if next.Start >= s.Start && leavesFor(next) {
				return true
			}
		}
		if block.Parent == loop || block.Parent == nil {
			return false
		}
	}
	return false
}

func leavesFor(s *syntax.Node) bool {
	return s.Kind == "break_statement" || s.Kind == "return_statement" || s.Kind == "raise_statement"
}

// rebinds reports whether a loop's body assigns a name.
func (f *file) rebinds(loop *syntax.Node, over string) bool {
	found := false
	visitOwn(loop.Child("body"), func(n *syntax.Node) {
		if n.Kind == "assignment" && n.Child("left") != nil && f.text(n.Child("left")) == over {
			found = true
		}
	})
	return found
}

func listChanged(f *file, say sayer) {
	f.loopsOver(func(loop *syntax.Node, over, view string) {
		if view != "" || f.rebinds(loop, over) {
			return
		}
		visitOwn(loop.Child("body"), func(n *syntax.Node) {
			if n.Kind != "call" || n.Child("function").Kind != "attribute" {
				return
			}
			fn := n.Child("function")
			if f.text(fn.Child("object")) != over || f.thenLeaves(n, loop) {
				return
			}
			switch method := f.text(fn.Child("attribute")); method {
			case "remove", "insert", "append":
				if method == "append" && !f.loopVariable(loop, n) {
					return // a work list may grow
				}
				if k := f.kind(fn.Child("object")); k == "" || k == "list" {
					say(n, "%s.%s while %s is iterated over", over, method, over)
				}
			case "pop":
				if f.kind(fn.Child("object")) == "list" {
					say(n, "%s.pop while %s is iterated over", over, over)
				}
			}
		})
	})
}

// loopVariable reports whether a call's argument is the variable of the loop.
func (f *file) loopVariable(loop, call *syntax.Node) bool {
	a := f.argument(call, 0, "")
	return a != nil && f.text(a) == f.text(loop.Child("left"))
}

func dictChanged(f *file, say sayer) {
	f.loopsOver(func(loop *syntax.Node, over, view string) {
		visitOwn(loop.Child("body"), func(n *syntax.Node) {
			known := view != ""
			switch n.Kind {
			case "delete_statement":
				for _, t := range parts(n) {
					if t.Kind == "subscript" && f.text(t.Child("value")) == over && (known || f.kind(t.Child("value")) == "dict") && !f.thenLeaves(n, loop) && !f.rebinds(loop, over) {
						say(n, "%s loses a key while it is iterated over", over)
					}
				}
			case "call":
				fn := n.Child("function")
				if fn.Kind != "attribute" || f.text(fn.Child("object")) != over || f.thenLeaves(n, loop) || f.rebinds(loop, over) {
					return
				}
				k, method := f.kind(fn.Child("object")), f.text(fn.Child("attribute"))
				if (known || k == "dict") && (method == "pop" || method == "popitem" || method == "clear") || k == "set" && changesSet(method) && method != "update" {
					say(n, "%s.%s while %s is iterated over", over, method, over)
				}
			}
		})
	})
}

// mutable reports whether an expression creates a list, dictionary or set.
func (f *file) mutable(n *syntax.Node) bool {
	k := f.kindWithin(n, 2)
	return (k == "list" || k == "dict" || k == "set") && bare(n).Kind != "identifier"
}

func sharedRows(f *file, say sayer) {
	for _, n := range f.kinds["binary_operator"] {
		left := bare(n.Child("left"))
		if f.text(n.Child("operator")) != "*" || left.Kind != "list" || n.Parent.Kind != "assignment" || n.Field != "right" {
			continue
		}
		p := parts(left)
		id := n.Parent.Child("left")
		if len(p) != 1 || !f.mutable(p[0]) || id.Kind != "identifier" || f.names[id] == nil || f.text(n.Child("right")) == "1" {
			continue
		}
		for _, u := range f.names[id].uses {
			if f.rowChanged(u) {
				say(n, "all rows are one list, and a row is changed in line %d", f.line(u))
				break
			}
		}
	}
}

// rowChanged reports whether a use of a table modifies one of its rows: t[i][j] = x, t[i].append(x).
func (f *file) rowChanged(u *syntax.Node) bool {
	row := u.Parent
	if row.Kind != "subscript" || u.Field != "value" {
		return false
	}
	switch p := row.Parent; p.Kind {
	case "subscript":
		return row.Field == "value" && p.Field == "left" && (p.Parent.Kind == "assignment" || p.Parent.Kind == "augmented_assignment")
	case "attribute":
		return p.Field == "function" && (changesList(f.text(p.Child("attribute"))) || changesSet(f.text(p.Child("attribute"))))
	}
	return false
}

func sharedDefault(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		if f.target(call) != "dict.fromkeys" {
			continue
		}
		if v := f.argument(call, 1, ""); v != nil && f.mutable(v) {
			say(call, "every key gets the same %s", f.kind(v))
		}
	}
}

func unhashable(f *file, say sayer) {
	flag := func(n *syntax.Node) {
		if n == nil {
			return
		}
		switch bare(n).Kind {
		case "list", "dictionary", "set", "list_comprehension", "set_comprehension", "dictionary_comprehension":
			say(n, "%s cannot be hashed", short(f.text(n)))
		}
	}
	for _, p := range f.kinds["pair"] {
		flag(p.Child("key"))
	}
	for _, s := range f.kinds["set"] {
		for _, p := range parts(s) {
			flag(p)
		}
	}
	for _, call := range f.kinds["call"] {
		if fn := call.Child("function"); fn.Kind == "attribute" && f.text(fn.Child("attribute")) == "add" && f.kind(fn.Child("object")) == "set" {
			flag(f.argument(call, 0, ""))
		}
	}
}

func noEffect(f *file, say sayer) {
	for _, s := range f.kinds["expression_statement"] {
		p := parts(s)
		if len(p) != 1 || guardedAny(s) {
			continue
		}
		switch n := bare(p[0]); n.Kind {
		case "comparison_operator", "binary_operator", "unary_operator", "not_operator", "integer", "float", "identifier", "attribute", "list", "tuple", "dictionary", "lambda", "true", "false", "none":
			if n.Kind == "attribute" && !changesList(f.text(n.Child("attribute"))) {
				continue // a property may have side effects
			}
			if n.Kind == "binary_operator" && strings.Contains("<<>>|@", f.text(n.Child("operator"))) {
				continue // pipelines of libraries
			}
			if (pure(n) || n.Kind == "comparison_operator") && !f.lastOfNotebook(s) {
				say(n, "%s is computed and dropped", short(f.text(n)))
			}
		}
	}
}

// lastOfNotebook reports whether a statement in a module displays a value, like the last line of a notebook
// cell.
func (f *file) lastOfNotebook(s *syntax.Node) bool {
	list := parts(f.tree.Root)
	return len(list) > 0 && list[len(list)-1] == s
}

func selfAssignment(f *file, say sayer) {
	for _, n := range f.kinds["assignment"] {
		left, right := n.Child("left"), n.Child("right")
		if right != nil && n.Child("type") == nil && pure(left) && f.text(left) == f.text(right) && function(n) != nil {
			say(n, "%s is assigned to itself", short(f.text(left)))
		}
	}
}

func reversedOperator(f *file, say sayer) {
	for _, n := range f.kinds["assignment"] {
		right := n.Child("right")
		if right == nil || right.Kind != "unary_operator" {
			continue
		}
		sign := f.text(right.Child("operator"))
		source := f.tree.Source
		argument := right.Child("argument")
		if right.Start > 0 && source[right.Start-1] == '=' && source[argument.Start-1] == ' ' {
			say(n, "%s= is meant", sign)
		}
	}
}

func overwritten(f *file, say sayer) {
	for _, s := range f.scopes {
		if s.kind != "function_definition" {
			continue
		}
		for _, n := range s.order {
			if len(n.bindings) < 2 || n.bindings[0].how != parameter || n.bindings[1].in != s {
				continue
			}
			second := n.bindings[1]
			at, block := statement(second.at)
			if second.how != assigned && second.how != looped || block != s.node.Child("body") || second.how == looped && at.Child("left") != second.at {
				continue
			}
			if !slices.ContainsFunc(n.uses, func(u *syntax.Node) bool { return u.Start < second.from }) {
				say(second.at, "the parameter %s is overwritten before it is read", n.text)
			}
		}
	}
}

func itemOfNumber(f *file, say sayer) {
	for _, n := range f.kinds["subscript"] {
		switch k := f.kind(n.Child("value")); k {
		case "int", "float", "bool", "None", "set":
			say(n, "%s is of type %s and has no elements by index", short(f.text(n.Child("value"))), k)
		}
	}
}

func textAssignment(f *file, say sayer) {
	for _, n := range f.kinds["subscript"] {
		if n.Field != "left" || n.Parent.Kind != "assignment" && n.Parent.Kind != "augmented_assignment" {
			continue
		}
		if k := f.kind(n.Child("value")); k == "str" || k == "tuple" || k == "range" || k == "bytes" {
			say(n, "a %s cannot be changed", k)
		}
	}
}

// attributes maps types to their attributes in CPython 3.11, without those with double underscores.
var attributes = map[kindOf]func(string) bool{
	"list": wordSet(`append clear copy count extend index insert pop remove reverse sort`),
	"str": wordSet(`capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha
isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower
lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split
splitlines startswith strip swapcase title translate upper zfill`),
	"dict": wordSet(`clear copy fromkeys get items keys pop popitem setdefault update values`),
	"set": wordSet(`add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset
issuperset pop remove symmetric_difference symmetric_difference_update union update`),
	"tuple": wordSet(`count index`),
	"int":   wordSet(`as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes`),
	"float": wordSet(`as_integer_ratio conjugate fromhex hex imag is_integer real`),
	"bool":  wordSet(`as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes`),
	"bytes": wordSet(`capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii isdigit
islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace
rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper
zfill`),
}

func wrongMethod(f *file, say sayer) {
	for _, n := range f.kinds["attribute"] {
		if guardedAny(n) || f.assigned(n) {
			continue
		}
		k, word := f.kind(n.Child("object")), f.text(n.Child("attribute"))
		if known := attributes[k]; known != nil && !known(word) && !strings.HasPrefix(word, "__") && !f.mentions("hasattr") {
			say(n, "a %s has no %s", k, word)
		}
	}
}

func textIndex(f *file, say sayer) {
	for _, n := range f.kinds["subscript"] {
		k := f.kind(n.Child("value"))
		if k != "list" && k != "str" && k != "tuple" {
			continue
		}
		for _, i := range children(n, "subscript") {
			if ki := f.kind(i); ki == "str" || ki == "float" || ki == "tuple" || ki == "list" {
				say(n, "a %s is indexed by a %s", k, ki)
			}
		}
	}
}
