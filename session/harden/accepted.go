package harden

import (
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/harden"
	"assay/session/prompts"
)

// Accepted returns the tasks that reviewers accepted, with the statement as they edited it, as a benchmark.
// With unreviewed it also has those kept that nobody has rejected yet. Each has its provenance.
func Accepted(s *State, review *prompts.Set, unreviewed bool) (*benchmark.Benchmark, error) {
	b := &benchmark.Benchmark{Version: benchmark.FormatVersion, Name: s.Header.Benchmark + "-hard", Title: s.Header.Benchmark + ": harder tasks",
		Description: "Made by 'assay tasks harden' from the tasks of " + s.Header.Benchmark + "; the field \"provenance\" of each says how."}
	for _, p := range s.Shown() {
		for _, e := range review.Entries(&p.Task, "") {
			kept := slices.Contains(s.Kept, p.Task.ID)
			rejected := slices.ContainsFunc(e.Decisions, func(d prompts.Decision) bool { return d.Verdict == prompts.Reject })
			if e.Stale || e.Review != prompts.Accepted && e.Review != prompts.Edited && !(unreviewed && kept && !rejected && e.Review == prompts.Unreviewed) {
				continue
			}
			t := p.Task
			t.Description = strings.TrimSpace(e.Text)
			t.Published = benchmark.Date(p.At.Format(time.DateOnly))
			if err := s.provenance(p, e).Keep(&t); err != nil {
				return nil, err
			}
			b.Tasks = append(b.Tasks, t)
		}
	}
	return b, nil
}

// provenance says how a task was made and decided on.
func (s *State) provenance(p *Proposed, e prompts.Entry) harden.Provenance {
	made := harden.Provenance{By: "assay tasks harden", Benchmark: s.Header.Benchmark, Tasks: p.From, Hashes: p.Hashes, Change: p.Change, Model: p.Model,
		Definition: p.By, Templates: p.Asked, At: p.At.UTC().Format(time.RFC3339), Mutants: p.Mutants, Killed: p.Killed, OldFails: p.Fails, Second: "not asked", Review: string(e.Review), Edited: e.Text != e.Candidate.Text}
	if second := s.second(p, strings.TrimSpace(e.Text)); second != nil {
		made.Second = second.Model + " agrees"
		if !second.Agrees {
			made.Second = second.Model + " disagrees"
		}
	}
	if solved, answers := s.solved(p.Task.ID); len(answers) > 0 {
		made.Solved, made.Answers = solved, answers
	}
	for _, d := range e.Decisions {
		if !slices.Contains(made.Reviewers, d.Reviewer) {
			made.Reviewers = append(made.Reviewers, d.Reviewer)
		}
	}
	return made
}
