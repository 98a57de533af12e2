package harden

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/author"
	"assay/benchmark/scenario"
	"assay/benchmark/strength"
	"assay/benchmark/verdicts"
)

// Stage is a check that can remove a proposal.
type Stage string

// The stages, in the order in which a proposal meets them.
const (
	Answered  Stage = "answer"    // the model's answer has a solution that parses
	Returns   Stage = "returns"   // the solution returns enough different values
	OldFails  Stage = "old"       // the old solution fails the new tests
	NoFault   Stage = "faults"    // references five of five, examples, clock
	Strong    Stage = "strength"  // mutants
	Stated    Stage = "statement" // the model's answer has a statement
	Different Stage = "duplicate" // no statement is nearly the same
	Consensus Stage = "consensus" // a second solution, written from the statement alone, passes
)

// Stages lists the stages in order.
func Stages() []Stage {
	return []Stage{Answered, Returns, OldFails, NoFault, Strong, Stated, Different, Consensus}
}

// Bounds of what a new solution must show.
const (
	mostInputs    = 80
	mostCases     = 24
	mostApart     = 6 // test cases taken because the old solution fails them
	leastCases    = 6
	leastValues   = 4   // different results
	mostRaising   = 0.6 // share of the calls that raise an exception
	mostExamples  = 3
	longestCall   = 100 // characters of an example's call and result
	nearDuplicate = 0.8
)

// Checker tests proposals.
type Checker struct {
	Judge    author.Judge
	Examiner strength.Examiner // with Mutate set
}

// Outcome is what the tests of a proposal came to.
type Outcome struct {
	Task    benchmark.Task `json:"task"`              // with tests and examples
	Removed Stage          `json:"removed,omitempty"` // "" while it is still in
	Why     string         `json:"why,omitempty"`
	Mutants int            `json:"mutants,omitempty"`
	Killed  int            `json:"killed,omitempty"`
	Fails   int            `json:"old_fails,omitempty"` // test cases that the old solution fails; the fewest of several
}

func (o *Outcome) remove(s Stage, format string, args ...any) {
	o.Removed, o.Why = s, fmt.Sprintf(format, args...)
}

// Test derives test cases and examples from what the new solution does, and checks them. The error means
// that nothing could be run.
func (c *Checker) Test(ctx context.Context, p *Proposal) (*Outcome, error) {
	o := &Outcome{Task: p.Task}
	proposals, problem, err := c.propose(ctx, p)
	if err != nil {
		return nil, err
	}
	if problem != "" {
		o.remove(Returns, "%s", problem)
		return o, nil
	}
	o.Task.Tests = benchmark.Tests{Style: benchmark.Calls}
	for i, q := range proposals {
		q.Name = fmt.Sprintf("case %d", i+1)
		o.Task.Tests.Cases = append(o.Task.Tests.Cases, q.Case)
	}
	o.Task.Examples = examples(&o.Task, proposals)
	if err := o.Task.Check(); err != nil {
		o.remove(Returns, "%v", err)
		return o, nil
	}
	if err := c.old(ctx, o, p.Old); err != nil || o.Removed != "" {
		return o, err
	}
	x, err := c.Examiner.Examine(ctx, &o.Task, nil)
	if err != nil {
		return nil, err
	}
	if s := x.Strength; s != nil {
		o.Mutants, o.Killed = s.Mutants, s.Killed
	}
	for _, f := range x.Findings {
		switch {
		case f.Weight != strength.Fault:
		case f.What == "strength":
			o.remove(Strong, "%s", f.Text)
		default:
			o.remove(NoFault, "%s: %s", f.What, f.Text)
			return o, nil
		}
	}
	return o, nil
}

// propose calls the new solution, or returns why it shows too little.
func (c *Checker) propose(ctx context.Context, p *Proposal) (proposals []author.Proposal, problem string, err error) {
	t := p.Task
	if _, err := strength.Mutants(t.Reference); err != nil {
		return nil, err.Error(), nil
	}
	inputs, own, err := c.inputs(ctx, p)
	if err == nil {
		proposals, _, err = author.Propose(ctx, c.Judge, &t, inputs, own, mostCases)
	}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil { // it does not load, or returns nothing that a test case can hold
		return nil, err.Error(), nil
	}
	values, raising := map[string]bool{}, 0
	for _, q := range proposals {
		values[q.Shows] = true
		if q.Raises != "" {
			raising++
		}
	}
	switch {
	case len(proposals) < leastCases:
		return nil, fmt.Sprintf("only %d calls have a result that a test case can hold; at least %d are needed", len(proposals), leastCases), nil
	case len(values) < leastValues:
		return nil, fmt.Sprintf("its calls have only %d different results; at least %d are needed", len(values), leastValues), nil
	case float64(raising) > mostRaising*float64(len(proposals)):
		return nil, fmt.Sprintf("%d of %d calls raise an exception", raising, len(proposals)), nil
	}
	return proposals, "", nil
}

// generated matches values that only the checker can make of a test case.
var generated = regexp.MustCompile(`"\$(repeat|range)"`)

// inputs returns the arguments to call the new solution with, and the number of those that must become test
// cases. There are twice as many that return a value as that raise an exception. If the old solutions do the same for most arguments, those that tell them apart come first.
func (c *Checker) inputs(ctx context.Context, p *Proposal) (inputs [][]json.RawMessage, own int, err error) {
	var all []benchmark.Case
	for _, args := range p.Inputs {
		if len(all) < mostInputs && !slices.ContainsFunc(args, func(a json.RawMessage) bool { return generated.Match(a) }) {
			all = append(all, benchmark.Case{Args: args})
		}
	}
	news, err := c.Judge.Values(ctx, &p.Task, p.Task.Reference, all)
	if err != nil {
		return nil, 0, err
	}
	same := make([]bool, len(all)) // as one of the old solutions
	for _, program := range p.Old {
		olds, err := c.Judge.Values(ctx, &p.Task, program, all)
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		for i := range olds {
			same[i] = same[i] || err == nil && slices.Equal(olds[i].Raised, news[i].Raised) && string(olds[i].JSON) == string(news[i].JSON)
		}
	}
	returning := 0
	for _, v := range news {
		if v.JSON != nil {
			returning++
		}
	}
	var apart, alike [][]json.RawMessage
	raising := max(leastCases-1, returning/2) // the most
	for i, one := range all {
		if slices.Contains(news[i].Raised, "TypeError") {
			continue // of arguments that are no such thing
		}
		if news[i].JSON == nil {
			if raising--; raising < 0 {
				continue
			}
		}
		if same[i] {
			alike = append(alike, one.Args)
		} else {
			apart = append(apart, one.Args)
		}
	}
	if len(apart) > len(all)/2 {
		return slices.Concat(apart, alike), 0, nil // any choice has some
	}
	own = min(len(apart), mostApart)
	return slices.Concat(apart[:own], alike, apart[own:]), own, nil
}

// examples writes some of the test cases as examples: short ones with different results, and one that
// raises an exception if there is any.
func examples(t *benchmark.Task, proposals []author.Proposal) []benchmark.Example {
	var list []benchmark.Example
	seen := map[string]bool{}
	for _, raising := range []bool{false, true} {
		for _, p := range proposals {
			call, ok := scenario.Call(t.EntryPoint, p.Case)
			output := p.Raises
			if p.Raises == "" {
				var known bool
				output, known = scenario.Literal(p.Expected)
				ok = ok && known
			}
			room := mostExamples
			if raising {
				room++
			}
			switch {
			case !ok || raising != (p.Raises != "") || seen[output] || len(list) >= room:
			case p.Compare == benchmark.Close || len(call)+len(output) > longestCall || strings.Contains(call+output, `\u`):
			default:
				seen[output] = true
				list = append(list, benchmark.Example{Input: call, Output: output})
			}
		}
	}
	return list
}

// old runs the old solutions on the new tests: each must fail.
func (c *Checker) old(ctx context.Context, o *Outcome, programs []string) error {
	o.Fails = len(o.Task.Tests.Cases)
	for _, program := range programs {
		r, err := c.Judge.Judge(ctx, verdicts.Submission{Task: &o.Task, Code: program})
		if err != nil {
			return err
		}
		if r.Verdict == verdicts.Accepted {
			o.remove(OldFails, "the old solution passes all %d tests", r.Total)
			return nil
		}
		o.Fails = min(o.Fails, len(o.Task.Tests.Cases)-r.Passed)
	}
	return nil
}

// Duplicate returns which task has nearly the same statement, or "". The tasks from which it was made may
// resemble it, since they are told apart by their tests, but not be stated alike.
func Duplicate(t *benchmark.Task, from []*benchmark.Task, others []benchmark.Task) string {
	all := &benchmark.Benchmark{Tasks: append([]benchmark.Task{*t}, others...)}
	for _, s := range benchmark.FindSimilar([]*benchmark.Benchmark{all}, nearDuplicate) {
		other := s.A
		if other == &all.Tasks[0] {
			other = s.B
		} else if s.B != &all.Tasks[0] {
			continue
		}
		isFrom := slices.ContainsFunc(from, func(f *benchmark.Task) bool { return f.ID == other.ID })
		if !isFrom || s.Jaccard == 1 {
			return fmt.Sprintf("%.0f %% of its words in a row are those of %s", 100*s.Jaccard, other.ID)
		}
	}
	return ""
}

// Provenance says how a task was made of others. It is the field "provenance" of a task's "extra".
type Provenance struct {
	By         string         `json:"by"` // "assay tasks harden"
	Benchmark  string         `json:"benchmark"`
	Tasks      []string       `json:"tasks"`
	Hashes     []string       `json:"hashes"` // of these tasks, as sessions record them
	Change     string         `json:"change"`
	Model      string         `json:"model,omitempty"` // none: a change by syntax tree
	Definition string         `json:"definition,omitempty"`
	Templates  string         `json:"templates,omitempty"`
	At         string         `json:"at"`
	Mutants    int            `json:"mutants"`
	Killed     int            `json:"killed"`
	OldFails   int            `json:"old_fails"` // of the new test cases
	Second     string         `json:"second"`    // what a second solution came to
	Answers    map[string]int `json:"answers,omitempty"`
	Solved     map[string]int `json:"solved,omitempty"`
	Review     string         `json:"review,omitempty"`
	Reviewers  []string       `json:"reviewers,omitempty"`
	Edited     bool           `json:"edited,omitempty"` // the statement, by a reviewer
}

// ProvenanceKey is the name of the field in a task's "extra".
const ProvenanceKey = "provenance"

// Keep writes the provenance into a task.
func (p Provenance) Keep(t *benchmark.Task) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	extra := map[string]json.RawMessage{ProvenanceKey: text}
	for name, value := range t.Extra {
		if name != ProvenanceKey {
			extra[name] = value
		}
	}
	t.Extra = extra
	return nil
}
