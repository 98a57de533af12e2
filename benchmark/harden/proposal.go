package harden

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/author"
)

// Proposal is a new solution with its statement, before there are tests.
type Proposal struct {
	Task   benchmark.Task // without tests and examples
	From   []*benchmark.Task
	Change string // "compose", "tally", … or what a model was asked for
	Inputs [][]json.RawMessage
	Old    []string // the old solutions, each as a program that defines the new entry point
}

// Refusal returns why no task is made of this one, or "".
func Refusal(t *benchmark.Task) string {
	switch {
	case t.Repository != nil:
		return "it is a repository"
	case t.Language != "python":
		return "its language is " + t.Language + ": only solutions in Python are changed"
	case t.Practice:
		return "it is for practice"
	case t.Tests.Style != benchmark.Calls && t.Tests.Style != benchmark.NoTests:
		return fmt.Sprintf("its tests are of style %q: only those of style %q can be derived from what a solution returns", t.Tests.Style, benchmark.Calls)
	case t.Tests.Style == benchmark.NoTests:
		return "it has no tests"
	case len(t.Tests.Cases) == 0:
		return "its tests are properties alone"
	case t.Reference == "":
		return "it has no reference solution"
	case len(t.Signature.Parameters) == 0:
		return "its signature names no parameters"
	case t.Tests.Checker != "":
		return "its tests have a checker of their own"
	}
	if _, _, err := author.SignatureOf(t.Language, t.Reference, t.EntryPoint); err != nil {
		return "its reference solution: " + err.Error()
	}
	return ""
}

// changed returns a task that is made of others: metadata of the first, the hardest difficulty, and no
// statement, tests or context levels.
func changed(id, entry string, sig benchmark.Signature, reference string, from ...*benchmark.Task) benchmark.Task {
	first := from[0]
	t := benchmark.Task{
		ID: id, Title: first.Title, Language: first.Language, EntryPoint: entry, Signature: sig, Reference: reference,
		Type: first.Type, Category: first.Category, Library: first.Library, Limits: first.Limits,
		Source: benchmark.Source{Title: first.Source.Title, Year: first.Source.Year, Licence: first.Source.Licence},
	}
	for _, f := range from {
		if slices.Index(benchmark.Difficulties[:], f.Difficulty) > slices.Index(benchmark.Difficulties[:], t.Difficulty) {
			t.Difficulty = f.Difficulty
		}
		for _, topic := range f.Topics {
			if !slices.Contains(t.Topics, topic) {
				t.Topics = append(t.Topics, topic)
			}
		}
	}
	return t
}

// calls lists the arguments of a task's test cases: first of those that return a value, then of those that
// raise an exception.
func calls(t *benchmark.Task) (returning, raising [][]json.RawMessage) {
	for _, c := range t.Tests.Cases {
		switch {
		case len(c.Kwargs) > 0 || len(c.Args) != len(t.Signature.Parameters):
		case c.Raises != "":
			raising = append(raising, c.Args)
		default:
			returning = append(returning, c.Args)
		}
	}
	return returning, raising
}

// alias returns a solution as a program that also defines another name: it is called with the first
// arguments, as many as the solution takes.
func alias(t *benchmark.Task, name string) string {
	if t.EntryPoint == name {
		return t.Reference
	}
	return fmt.Sprintf("%s\n\n\ndef %s(*args):\n    return %s(*args[:%d])\n", strings.TrimRight(t.Reference, "\n"), name, t.EntryPoint, len(t.Signature.Parameters))
}

// FromModel returns a proposal of a model: a program that it wrote, with arguments at the edges of what
// changed. The statement is still missing.
func FromModel(t *benchmark.Task, id, change, code string, inputs [][]json.RawMessage) (*Proposal, error) {
	entry, sig, err := author.SignatureOf(t.Language, code, t.EntryPoint)
	if err != nil {
		if entry, sig, err = author.SignatureOf(t.Language, code, ""); err != nil {
			return nil, err
		}
	}
	if len(sig.Parameters) == 0 {
		return nil, fmt.Errorf("%s has no parameters", entry)
	}
	p := &Proposal{From: []*benchmark.Task{t}, Change: change, Old: []string{alias(t, entry)},
		Task: changed(id, entry, sig, strings.TrimRight(code, "\n")+"\n", t)}
	p.Task.Description = t.Description
	for _, args := range inputs {
		if len(args) == len(sig.Parameters) {
			p.Inputs = append(p.Inputs, args)
		}
	}
	if len(sig.Parameters) == len(t.Signature.Parameters) {
		returning, raising := calls(t)
		p.Inputs = append(p.Inputs, slices.Concat(returning, raising)...)
	}
	p.Inputs = append(p.Inputs, author.Inputs(sig)...)
	return p, nil
}
