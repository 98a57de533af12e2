package harden

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/scoring/syntax"
)

// The changes that need no model.
const (
	Compose  = "compose"  // the result of one task is an argument of another
	Distinct = "distinct" // a tighter constraint: equal elements of a list are refused
	General  = "general"  // a number of the statement becomes a parameter
	Chain    = "chain"    // more states: the function is applied to its own results
	Tally    = "tally"    // more states: many calls, their results counted, exceptions too
)

// mostPartners is the largest number of tasks with which one task is composed.
const mostPartners = 2

// Mechanical lists the proposals that can be made of a task without a model. others are the tasks with which
// it may be composed; none of the tasks may be one that [Refusal] refuses.
func Mechanical(t *benchmark.Task, others []*benchmark.Task) []*Proposal {
	var list []*Proposal
	for _, make := range []func(*benchmark.Task) *Proposal{distinct, general, chain, tally} {
		if p := make(t); p != nil {
			list = append(list, p)
		}
	}
	at, partners := slices.Index(others, t), 0
	for i := range others {
		with := others[(at+1+i)%len(others)]
		if p := compose(t, with); p != nil && partners < mostPartners {
			partners++
			list = append(list, p)
		}
	}
	return list
}

// quoted introduces the statement of a task within that of another.
func quoted(t *benchmark.Task) string {
	return fmt.Sprintf("`%s` is described so:\n\n%s", t.SignatureText(), strings.TrimSpace(t.Description))
}

// prefixed returns a task's constraints with the name of the function that they are about.
func prefixed(t *benchmark.Task) []string {
	var list []string
	for _, c := range t.Constraints {
		list = append(list, fmt.Sprintf("Of %s: %s", t.EntryPoint, c))
	}
	return list
}

// with returns a program with another function after it.
func with(program, function string) string {
	return strings.TrimRight(program, "\n") + "\n\n\n" + function
}

// header writes the first line of a function.
func header(name string, sig benchmark.Signature) string {
	t := benchmark.Task{EntryPoint: name, Signature: sig}
	return "def " + t.SignatureText() + ":\n"
}

func names(parameters []benchmark.Parameter) []string {
	var list []string
	for _, p := range parameters {
		list = append(list, p.Name)
	}
	return list
}

// free returns a name that is not taken.
func free(name string, taken []string) string {
	for slices.Contains(taken, name) {
		name += "_2"
	}
	return name
}

// promised matches statements that may promise already that elements differ.
var promised = regexp.MustCompile(`(?i)\b(different from|distinct|unique|no two|differ)\b`)

// distinct refuses lists with equal elements.
func distinct(t *benchmark.Task) *Proposal {
	at := slices.IndexFunc(t.Signature.Parameters, func(p benchmark.Parameter) bool { return strings.HasPrefix(p.Type, "list") })
	if at < 0 || promised.MatchString(t.Description+strings.Join(t.Constraints, "\n")) {
		return nil
	}
	returning, raising := calls(t)
	var inputs, without [][]json.RawMessage
	for _, args := range returning {
		list, ok := elements(args[at])
		if !ok {
			continue
		}
		if !repeats(list) {
			without = append(without, args)
			if len(list) > 0 && len(inputs) < mostApart {
				inputs = append(inputs, replaced(args, at, joined(append(slices.Clone(list), list[0]))), replaced(args, at, joined(append([]json.RawMessage{list[len(list)-1]}, list...))))
			}
		} else {
			inputs = append(inputs, args)
		}
	}
	if 2*len(without) < len(returning) || len(inputs) < 2 {
		return nil
	}
	name := t.Signature.Parameters[at].Name
	tree, err := syntax.Parse("python", []byte(t.Reference))
	body := bodyOf(tree, err, t.EntryPoint)
	if body == nil {
		return nil
	}
	indent := strings.Repeat(" ", body.Column)
	guard := fmt.Sprintf("if any(one in %[2]s[:i] for i, one in enumerate(%[2]s)):\n%[1]s    raise ValueError(\"two elements of %[2]s are equal\")\n%[1]s", indent, name)
	start := body.Start
	if first := body.Children[0]; isText(first) && len(body.Children) > 1 {
		start = body.Children[1].Start
	}
	p := &Proposal{From: []*benchmark.Task{t}, Change: Distinct, Old: []string{t.Reference}, Inputs: slices.Concat(inputs, without, raising),
		Task: changed(t.ID+"-"+Distinct, t.EntryPoint, t.Signature, t.Reference[:start]+guard+t.Reference[start:], t)}
	p.Task.Title += ", each once"
	p.Task.Description = strings.TrimSpace(t.Description) + fmt.Sprintf("\n\nIn addition, raise ValueError if two elements of `%s` are equal. "+
		"This is checked before everything else, and holds whatever the other arguments are.", name)
	p.Task.Constraints = t.Constraints
	return p
}

// bodyOf returns the body of a function at the top level.
func bodyOf(tree *syntax.Tree, err error, name string) *syntax.Node {
	if err != nil || !tree.Valid {
		return nil
	}
	for _, n := range tree.Root.Children {
		if n.Kind == "function_definition" && tree.Text(n.Child("name")) == name {
			if body := n.Child("body"); body != nil && len(body.Children) > 0 {
				return body
			}
		}
	}
	return nil
}

// isText reports whether a statement is a docstring.
func isText(n *syntax.Node) bool {
	return n.Kind == "expression_statement" && len(n.Children) == 1 && n.Children[0].Kind == "string"
}

// general turns a number that statement and solution have once each into a parameter.
func general(t *benchmark.Task) *Proposal {
	tree, err := syntax.Parse("python", []byte(t.Reference))
	body := bodyOf(tree, err, t.EntryPoint)
	if body == nil {
		return nil
	}
	count := map[int64]int{}
	syntax.Walk(tree.Root, func(n *syntax.Node) bool {
		if v, err := strconv.ParseInt(tree.Text(n), 10, 64); n.Kind == "integer" && err == nil {
			count[v]++
		}
		return true
	})
	text := t.Description + "\n" + strings.Join(t.Constraints, "\n")
	var found *syntax.Node
	var value int64
	syntax.Walk(body, func(n *syntax.Node) bool {
		v, err := strconv.ParseInt(tree.Text(n), 10, 64)
		if n.Kind == "integer" && err == nil && found == nil && bound(tree, n) && v >= 3 && v < 1<<30 && count[v] == 1 && numbers(text, v) == 1 && numbers(t.Description, v) == 1 {
			found, value = n, v
		}
		return true
	})
	if found == nil {
		return nil
	}
	name := free("number", names(t.Signature.Parameters))
	sig := t.Signature
	sig.Parameters = append(slices.Clone(sig.Parameters), benchmark.Parameter{Name: name, Type: "int"})
	code := t.Reference[:found.Start] + name + t.Reference[found.End:]
	parameters := body.Parent.Child("parameters")
	inside := strings.TrimRight(strings.TrimSuffix(tree.Text(parameters), ")"), " \n,")
	code = code[:parameters.Start] + inside + ", " + name + ": int)" + code[parameters.End:]
	entry := t.EntryPoint + "_general"
	code = with(code, header(entry, sig)+fmt.Sprintf("    return %s(%s)\n", t.EntryPoint, strings.Join(names(sig.Parameters), ", ")))
	p := &Proposal{From: []*benchmark.Task{t}, Change: General, Old: []string{alias(t, entry)}, Task: changed(t.ID+"-"+General, entry, sig, code, t)}
	returning, raising := calls(t)
	for _, v := range []int64{value, 1, value + 1, value - 1, 2 * value} {
		for _, args := range slices.Concat(returning, raising) {
			p.Inputs = append(p.Inputs, append(slices.Clone(args), json.RawMessage(strconv.FormatInt(v, 10))))
		}
	}
	p.Task.Title += ", for any number"
	p.Task.Description = fmt.Sprintf("Write a function `%s`. It is the function below with one number left open: the last parameter, `%s`, "+
		"takes the place of the number %d, wherever the description has it.\n\n%s", entry, name, value, quoted(t))
	p.Task.Constraints = append(prefixed(t), name+" is an integer of at least 1.")
	return p
}

// bound reports whether a number is compared with something, or is an argument of min or max. Any other number
// may mean something else in the solution than in the statement: a shift by 4 bits is no "bits 4 to 6".
func bound(tree *syntax.Tree, n *syntax.Node) bool {
	switch p := n.Parent; {
	case p == nil:
		return false
	case p.Kind == "argument_list" && p.Parent != nil && p.Parent.Kind == "call":
		name := tree.Text(p.Parent.Child("function"))
		return name == "min" || name == "max"
	default:
		return p.Kind == "comparison_operator"
	}
}

// numbers counts a number in a text.
func numbers(text string, v int64) int {
	return len(regexp.MustCompile(fmt.Sprintf(`(?:^|[^\w.])%d(?:[^\w.]|\.\D|\.?$)`, v)).FindAllString(text, -1))
}

// chain applies a function to its own results.
func chain(t *benchmark.Task) *Proposal {
	at := slices.IndexFunc(t.Signature.Parameters, func(p benchmark.Parameter) bool { return p.Type == t.Signature.Returns })
	if at < 0 || t.Signature.Returns == "" || strings.Contains(t.Signature.Returns, "float") {
		return nil
	}
	own := t.Signature.Parameters[at]
	limit := free("limit", names(t.Signature.Parameters))
	sig := benchmark.Signature{Parameters: append(slices.Clone(t.Signature.Parameters), benchmark.Parameter{Name: limit, Type: "int"}), Returns: "list[" + own.Type + "]"}
	arguments := names(t.Signature.Parameters)
	arguments[at] = "values[-1]"
	entry := t.EntryPoint + "_chain"
	code := header(entry, sig) + fmt.Sprintf("    values = [%s]\n    while len(values) <= %s:\n        value = %s(%s)\n        if value in values:\n            break\n"+
		"        values.append(value)\n    return values\n", own.Name, limit, t.EntryPoint, strings.Join(arguments, ", "))
	p := &Proposal{From: []*benchmark.Task{t}, Change: Chain, Old: []string{alias(t, entry)}, Task: changed(t.ID+"-"+Chain, entry, sig, with(t.Reference, code), t)}
	returning, raising := calls(t)
	for _, v := range []string{"3", "1", "0", "2", "10"} {
		for _, args := range slices.Concat(returning, raising) {
			p.Inputs = append(p.Inputs, append(slices.Clone(args), json.RawMessage(v)))
		}
	}
	p.Task.Title += ", again and again"
	p.Task.Description = fmt.Sprintf("Write a function `%s`. It applies the function below again and again: first to the `%s` that is given, then each time to the result before; "+
		"the other arguments stay the same. It returns the list of all values in this order, which begins with the `%[2]s` that is given. "+
		"It ends when a result is equal to a value that is in the list already, which is not added again, or when `%s` results were added.\n\n%s", entry, own.Name, limit, quoted(t))
	p.Task.Constraints = append(prefixed(t), limit+" is an integer of at least 0.", "An exception of "+t.EntryPoint+" is not caught.")
	return p
}

// tally counts the results of many calls.
func tally(t *benchmark.Task) *Proposal {
	if strings.Contains(t.Signature.Returns, "float") || t.Signature.Returns == "" || strings.Contains(t.Signature.Returns, "Callable") {
		return nil
	}
	var types []string
	for _, p := range t.Signature.Parameters {
		types = append(types, p.Type)
	}
	element := "tuple[" + strings.Join(types, ", ") + "]"
	sig := benchmark.Signature{Parameters: []benchmark.Parameter{{Name: "calls", Type: "list[" + element + "]"}}, Returns: "list[tuple]"}
	entry := t.EntryPoint + "_tally"
	code := header(entry, sig) + fmt.Sprintf("    results, counts = [], []\n    for call in calls:\n        try:\n            result = %s(*call)\n        except Exception as error:\n"+
		"            result = type(error).__name__\n        if result not in results:\n            results.append(result)\n            counts.append(0)\n"+
		"        counts[results.index(result)] += 1\n    return list(zip(results, counts))\n", t.EntryPoint)
	p := &Proposal{From: []*benchmark.Task{t}, Change: Tally, Old: []string{alias(t, entry)}, Task: changed(t.ID+"-"+Tally, entry, sig, with(t.Reference, code), t)}
	returning, raising := calls(t)
	all := slices.Concat(returning, raising)
	window := func(indexes ...int) {
		var list []json.RawMessage
		for _, i := range indexes {
			list = append(list, tuple(all[i%len(all)]))
		}
		p.Inputs = append(p.Inputs, []json.RawMessage{joined(list)})
	}
	if len(all) < 3 {
		return nil
	}
	window()
	for i := range all {
		window(i, i+1, i, len(all)-1-i)
		window(i, i+2)
		window(i)
	}
	p.Task.Title += ", many calls counted"
	p.Task.Description = fmt.Sprintf("Write a function `%s`. It calls the function below with each of many arguments and counts the results: `calls` is a list of tuples, each with the arguments of one call. "+
		"It returns a list of tuples (result, count): every different result once, in the order in which it came first, with the number of calls that had it. "+
		"A call that raises an exception does not end the function: the name of the exception's class, as text, stands for its result.\n\n%s", entry, quoted(t))
	p.Task.Constraints = append(prefixed(t), "calls may be empty; then the result is an empty list.")
	return p
}

// elements returns the elements of a list in a test case.
func elements(value json.RawMessage) (list []json.RawMessage, ok bool) {
	return list, json.Unmarshal(value, &list) == nil
}

// joined writes a list.
func joined(list []json.RawMessage) json.RawMessage {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = string(e)
	}
	return json.RawMessage("[" + strings.Join(parts, ", ") + "]")
}

func tuple(list []json.RawMessage) json.RawMessage {
	return json.RawMessage(`{"$tuple": ` + string(joined(list)) + `}`)
}

// repeats reports whether two elements are written alike.
func repeats(list []json.RawMessage) bool {
	seen := map[string]bool{}
	for _, e := range list {
		text := strings.Join(strings.Fields(string(e)), "")
		if seen[text] {
			return true
		}
		seen[text] = true
	}
	return false
}

// replaced returns arguments with another value at one place.
func replaced(args []json.RawMessage, at int, value json.RawMessage) []json.RawMessage {
	other := slices.Clone(args)
	other[at] = value
	return other
}
