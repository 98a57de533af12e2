package author

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/strength"
	"assay/benchmark/verdicts"
)

// Judge runs the reference solution.
type Judge interface {
	verdicts.Judge
	Values(ctx context.Context, task *benchmark.Task, code string, cases []benchmark.Case) ([]verdicts.Value, error)
}

// Proposal is a test case proposed from the reference solution.
type Proposal struct {
	benchmark.Case
	Shows string // the result of the call, for display
	Own   bool   // the author gave the input
	Kills int    // mutants that this case kills and earlier proposals do not
}

// maxValue is the longest proposed value, in bytes of JSON.
const maxValue = 400

// closeTolerance is the tolerance for floating-point results.
const closeTolerance = 1e-9

// Propose calls the reference solution of a task with the given arguments, of which the first own are the
// author's, and returns at most count test cases: first the author's, then those that kill mutants of the
// solution, each as many new ones as possible, then edge cases. It leaves out calls whose value does not
// fit into a test case or is too long to check, and calls that raise a TypeError.
//
// It also returns the number of mutants; only Python is mutated.
func Propose(ctx context.Context, j Judge, task *benchmark.Task, inputs [][]json.RawMessage, authors, count int) (proposals []Proposal, mutants int, err error) {
	cases := make([]benchmark.Case, len(inputs))
	for i, args := range inputs {
		cases[i].Args = args
	}
	values, err := j.Values(ctx, task, task.Reference, cases)
	if err != nil {
		return nil, 0, err
	}
	var candidates []Proposal
	for i, v := range values {
		p := Proposal{Case: cases[i], Own: i < authors}
		switch {
		case len(v.JSON) > maxValue: // too long for a person to check
			continue
		case v.Failed != "" || slices.Contains(v.Raised, "TypeError") || slices.Contains(v.Raised, "AttributeError") || slices.Contains(v.Raised, "arguments"):
			continue
		case len(v.Raised) > 0:
			p.Raises, p.Shows = v.Raised[0], "raises "+v.Text
		default:
			p.Expected = decimal(v.JSON)
			p.Shows = string(p.Expected)
			if hasFraction.Match(v.JSON) {
				p.Compare, p.Tolerance = benchmark.Close, closeTolerance
			}
		}
		p.Edge = i > 0 && edge(inputs[i])
		candidates = append(candidates, p)
	}
	if len(candidates) == 0 {
		return nil, 0, errors.New("for none of the inputs did the reference solution return a value that a test case can hold; give your own inputs")
	}
	noticed, err := noticing(ctx, j, task, candidates)
	if err != nil {
		return nil, 0, err
	}
	return choose(candidates, noticed, count), len(noticed), nil
}

var hasFraction = regexp.MustCompile(`\d\.\d|\de-?\d`)

// edge reports whether arguments contain anything empty, null, zero or negative.
func edge(args []json.RawMessage) bool {
	return slices.ContainsFunc(args, func(a json.RawMessage) bool {
		switch string(a) {
		case "0", "0.0", `""`, "[]", "{}", "null":
			return true
		}
		return a[0] == '-' || bytes.Contains(a, []byte(": []")) || bytes.Contains(a, []byte(`: ""`))
	})
}

var hexadecimal = regexp.MustCompile(`"\$int": ?"(-?)0x([0-9a-f]+)"`)

// decimal converts large integers to decimal, as in tasks.
func decimal(value json.RawMessage) json.RawMessage {
	return hexadecimal.ReplaceAllFunc(value, func(match []byte) []byte {
		m := hexadecimal.FindSubmatch(match)
		n, ok := new(big.Int).SetString(string(m[2]), 16)
		if !ok {
			return match
		}
		return fmt.Appendf(nil, `"$int": "%s%s"`, m[1], n)
	})
}

// noticing returns, for each mutant of the reference, which candidates kill it.
func noticing(ctx context.Context, j Judge, task *benchmark.Task, candidates []Proposal) ([][]bool, error) {
	if task.Language != "python" {
		return nil, nil
	}
	mutants, err := strength.Mutants(task.Reference)
	if err != nil {
		return nil, err
	}
	whole := *task
	whole.Limits = benchmark.Limits{CPUSeconds: 0.5, CPUTotal: 2}
	whole.Tests = benchmark.Tests{Style: benchmark.Calls}
	for _, c := range candidates {
		whole.Tests.Cases = append(whole.Tests.Cases, c.Case)
	}
	noticed := make([][]bool, len(mutants))
	judging, ctx := errgroup.WithContext(ctx)
	judging.SetLimit(max(j.Workers(), 1))
	for i, m := range mutants {
		judging.Go(func() error {
			r, err := j.Judge(ctx, verdicts.Submission{Task: &whole, Code: m.Source})
			if err != nil || r.Verdict == verdicts.CompileError || r.Verdict == verdicts.SandboxError {
				return err
			}
			noticed[i] = make([]bool, len(candidates))
			for k, c := range r.Cases {
				noticed[i][k] = c.Status != verdicts.Passed && c.Status != verdicts.NotRun
			}
			return nil
		})
	}
	err = judging.Wait()
	return slices.DeleteFunc(noticed, func(n []bool) bool { return n == nil }), err
}

// choose repeatedly takes the candidate that kills most mutants not yet killed; then edge cases and others,
// in order.
func choose(candidates []Proposal, noticed [][]bool, count int) []Proposal {
	left := slices.Clone(noticed)
	taken := make([]bool, len(candidates))
	var chosen []Proposal
	pick := func(i, kills int) {
		taken[i] = true
		candidates[i].Kills = kills
		chosen = append(chosen, candidates[i])
	}
	notice := func(i int) (n int) {
		for _, m := range left {
			if m[i] {
				n++
			}
		}
		return n
	}
	for i := range candidates {
		if candidates[i].Own {
			pick(i, notice(i))
			left = slices.DeleteFunc(slices.Clone(left), func(m []bool) bool { return m[i] })
		}
	}
	for len(chosen) < count {
		best, most := -1, 0
		for i := range candidates {
			if n := notice(i); n > most && !taken[i] {
				best, most = i, n
			}
		}
		if best < 0 {
			break
		}
		pick(best, most)
		left = slices.DeleteFunc(slices.Clone(left), func(m []bool) bool { return m[best] })
	}
	for _, edges := range []bool{true, false} {
		for i := range candidates {
			if len(chosen) < count && !taken[i] && candidates[i].Edge == edges {
				pick(i, 0)
			}
		}
	}
	return chosen
}
