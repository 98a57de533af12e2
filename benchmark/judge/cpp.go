package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
)

// cppEntry returns the expression by which a program's function in C++ is called. That is its name, except where a name
// has no one type: of overloads that one is taken which the tests call by its number of arguments, and the types of a
// template are those of the arguments.
func cppEntry(program string, task *benchmark.Task) string {
	entry := task.EntryPoint
	overloads := source.Overloads(program, entry)
	if len(task.Tests.Typed()) == 0 || len(overloads) == 0 {
		return entry
	}
	args := task.Tests.Typed()[0].Args
	plain := len(overloads) == 1 && !overloads[0].Template && len(overloads[0].Parameters) == len(args)
	for _, o := range overloads {
		if plain || len(o.Parameters) < len(args) || o.Required > len(args) {
			continue
		}
		var parameters, names []string
		for i, kind := range o.Parameters[:len(args)] {
			name := fmt.Sprintf("assay_%d", i)
			if kind == "" {
				kind = cppType(task, i)
			}
			parameters, names = append(parameters, kind+" "+name), append(names, name)
		}
		return fmt.Sprintf("+[](%s) { return %s(%s); }", strings.Join(parameters, ", "), entry, strings.Join(names, ", "))
	}
	return entry
}

// cppType returns the type of C++ that holds an argument of all test cases.
func cppType(task *benchmark.Task, i int) string {
	found := ""
	for _, c := range task.Tests.Typed() {
		if i < len(c.Args) {
			var value any
			decoder := json.NewDecoder(strings.NewReader(string(c.Args[i])))
			decoder.UseNumber()
			if decoder.Decode(&value) == nil {
				found = wider(found, cppTypeOf(value))
			}
		}
	}
	return found
}

func cppTypeOf(value any) string {
	switch v := value.(type) {
	case bool:
		return "bool"
	case string:
		return "std::string"
	case json.Number:
		if n, err := v.Int64(); err != nil {
			return "double"
		} else if n != int64(int32(n)) {
			return "long long"
		}
		return "int"
	case []any:
		inner := ""
		for _, each := range v {
			inner = wider(inner, cppTypeOf(each))
		}
		if inner == "" {
			return ""
		}
		return "std::vector<" + inner + ">"
	}
	return ""
}

// wider returns the one of two types that holds the values of both; "" is any.
func wider(a, b string) string {
	for _, kind := range []string{"double", "long long", "int"} {
		for _, open := range []string{kind, "std::vector<" + kind + ">", "std::vector<std::vector<" + kind + ">>"} {
			if a == open || b == open {
				return open
			}
		}
	}
	return cmp.Or(a, b)
}
