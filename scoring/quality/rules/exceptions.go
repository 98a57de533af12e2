package rules

import (
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func exceptionRules() []rule {
	return []rule{
		{Rule{ID: "raise-non-exception", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "Something is raised that is no exception.", Known: []string{"S5632", "E0702", "E0711", "F901"},
			Bad:  "def f():\n    raise \"not yet\"\n",
			Good: "def f():\n    raise NotImplementedError(\"not yet\")\n"}, raiseNonException},
		{Rule{ID: "except-order", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "An except clause can never be reached: one before it catches its exceptions.", Known: []string{"S1045", "E0701", "B025"},
			Bad:  "def f(g):\n    try:\n        return g()\n    except Exception:\n        return 1\n    except ValueError:\n        return 2\n",
			Good: "def f(g):\n    try:\n        return g()\n    except ValueError:\n        return 2\n    except KeyError:\n        return 1\n"}, exceptOrder},
		{Rule{ID: "except-boolean", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "An except clause joins exceptions by or or and, which names one of them only.", Known: []string{"S5714", "W0711"},
			Bad:  "def f(g):\n    try:\n        return g()\n    except ValueError or TypeError:\n        return 1\n",
			Good: "def f(g):\n    try:\n        return g()\n    except (ValueError, TypeError):\n        return 1\n"}, exceptBoolean},
		{Rule{ID: "except-non-exception", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "An except clause names something that is no exception.", Known: []string{"S5708", "E0712"},
			Bad:  "def f(g):\n    try:\n        return g()\n    except \"error\":\n        return 1\n",
			Good: "def f(g):\n    try:\n        return g()\n    except ValueError:\n        return 1\n"}, exceptNonException},
		{Rule{ID: "exception-not-raised", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "An exception is made and not raised.", Known: []string{"S3984", "W0133"},
			Bad:  "def f(x):\n    if x < 0:\n        ValueError(\"negative\")\n    return x\n",
			Good: "def f(x):\n    if x < 0:\n        raise ValueError(\"negative\")\n    return x\n"}, notRaised},
		{Rule{ID: "stop-iteration-in-generator", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "StopIteration raised in a generator becomes a RuntimeError.", Known: []string{"S8493", "R1708"},
			Bad:  "def f(xs):\n    for x in xs:\n        if x < 0:\n            raise StopIteration\n        yield x\n",
			Good: "def f(xs):\n    for x in xs:\n        if x < 0:\n            return\n        yield x\n"}, stopIteration},
		{Rule{ID: "bare-except", Dimension: quality.Smell, Severity: quality.Critical,
			Title: "An except clause without an exception catches everything, also what ends the program.", Known: []string{"S5754", "W0702", "E722"},
			Bad:  "def f(g):\n    try:\n        return g()\n    except:\n        return 1\n",
			Good: "def f(g):\n    try:\n        return g()\n    except ValueError:\n        return 1\n"}, bareExcept},
		{Rule{ID: "silenced-exception", Dimension: quality.Smell, Severity: quality.Minor,
			Title: "Any exception is caught and ignored.", Known: []string{"S2486", "W0703", "B110"},
			Bad:  "def f(g):\n    try:\n        g()\n    except Exception:\n        pass\n",
			Good: "def f(g):\n    try:\n        g()\n    except KeyError as error:\n        print(error)\n"}, silenced},
	}
}

func raiseNonException(f *file, say sayer) {
	for _, n := range f.kinds["raise_statement"] {
		p := parts(n)
		if len(p) == 0 || p[0].Field == "cause" {
			continue
		}
		raised := bare(p[0])
		switch {
		case f.kind(raised) != "":
			say(n, "%s is no exception", short(f.text(raised)))
		case raised.Kind == "identifier" && f.names[raised] == nil && f.text(raised) == "NotImplemented",
			raised.Kind == "call" && f.target(raised) == "NotImplemented":
			say(n, "NotImplemented is a value: NotImplementedError is meant")
		case raised.Kind == "call" && raised.Child("function").Kind == "identifier" && f.names[raised.Child("function")] == nil &&
			isBuiltin(f.text(raised.Child("function"))) && parents(f.text(raised.Child("function"))) == "" && !strings.HasSuffix(f.text(raised.Child("function")), "Group") && results[f.text(raised.Child("function"))] != "":
			say(n, "%s is no exception", short(f.text(raised)))
		}
	}
}

// caughtBy returns the exceptions that an except clause names, nil for a bare one; certain is false if
// there is anything but built-in names.
func (f *file) caughtBy(clause *syntax.Node) (names []string, certain bool) {
	values := children(clause, "value")
	if len(values) == 0 {
		return nil, true
	}
	v := bare(values[0])
	if v.Kind == "as_pattern" {
		v = bare(parts(v)[0])
	}
	list := []*syntax.Node{v}
	if v.Kind == "tuple" {
		list = parts(v)
	}
	for _, e := range list {
		if e.Kind != "identifier" || f.names[e] != nil {
			return nil, false
		}
		word := f.text(e)
		if word == "IOError" || word == "EnvironmentError" {
			word = "OSError"
		}
		names = append(names, word)
	}
	return names, true
}

func exceptOrder(f *file, say sayer) {
	for _, try := range f.kinds["try_statement"] {
		before := map[string]bool{}
		bareBefore := false
		for _, c := range try.Children {
			if c.Kind != "except_clause" {
				continue
			}
			names, certain := f.caughtBy(c)
			if bareBefore {
				say(c, "the except before this one catches everything")
				continue
			}
			if !certain {
				continue
			}
			if names == nil {
				bareBefore = true
				continue
			}
			if covering := f.covered(names, before); covering != "" {
				say(c, "%s is caught before, by %s", names[0], covering)
			}
			for _, n := range names {
				before[n] = true
			}
		}
	}
}

// covered returns the exception in before that already catches all of names, or "".
func (f *file) covered(names []string, before map[string]bool) string {
	by := ""
	for _, n := range names {
		found := ""
		for at := n; at != ""; at = parents(at) {
			if before[at] {
				found = at
				break
			}
		}
		if found == "" {
			return ""
		}
		by = found
	}
	return by
}

func exceptBoolean(f *file, say sayer) {
	for _, c := range f.kinds["except_clause"] {
		for _, v := range children(c, "value") {
			if v = bare(v); v.Kind == "as_pattern" {
				v = bare(parts(v)[0])
			}
			if v.Kind == "boolean_operator" {
				say(c, "several exceptions are named in parentheses with commas")
			}
		}
	}
}

func exceptNonException(f *file, say sayer) {
	for _, c := range f.kinds["except_clause"] {
		for _, v := range children(c, "value") {
			v = bare(v)
			if v.Kind == "as_pattern" {
				v = bare(parts(v)[0])
			}
			list := []*syntax.Node{v}
			if v.Kind == "tuple" {
				list = parts(v)
			}
			for _, e := range list {
				if k := f.kind(e); k != "" && k != "tuple" || e.Kind == "call" && parents(f.target(e)) != "" {
					say(c, "%s is no class of exceptions", short(f.text(e)))
				}
			}
		}
	}
}

func notRaised(f *file, say sayer) {
	for _, s := range f.kinds["expression_statement"] {
		p := parts(s)
		if len(p) == 1 && p[0].Kind == "call" && parents(f.target(p[0])) != "" {
			say(p[0], "this makes an exception and drops it: raise is missing")
		}
	}
}

func stopIteration(f *file, say sayer) {
	for _, n := range f.kinds["raise_statement"] {
		p := parts(n)
		if len(p) == 0 {
			continue
		}
		raised := bare(p[0])
		if raised.Kind == "call" {
			raised = raised.Child("function")
		}
		fn := function(n)
		if f.text(raised) == "StopIteration" && fn != nil && contains(fn.Child("body"), "yield") {
			say(n, "a generator ends by return")
		}
	}
}

func bareExcept(f *file, say sayer) {
	for _, c := range f.kinds["except_clause"] {
		list := parts(c)
		if len(children(c, "value")) > 0 || len(list) == 0 || contains(c, "raise_statement") {
			continue
		}
		say(c, "this catches everything, also what ends the program")
	}
}

func silenced(f *file, say sayer) {
	for _, c := range f.kinds["except_clause"] {
		names, certain := f.caughtBy(c)
		if !certain || names != nil && names[0] != "Exception" && names[0] != "BaseException" {
			continue
		}
		list := parts(c)
		if len(list) == 0 {
			continue
		}
		if body := statements(list[len(list)-1]); len(body) == 1 && body[0].Kind == "pass_statement" {
			say(c, "whatever goes wrong is ignored")
		}
	}
}
