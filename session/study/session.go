package study

import (
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/session"
)

// Plan is that of one of a tester's sessions: part is which of them, from 1. The hash
// is that of the frozen study, empty while it is not frozen. The tasks are in the order
// of the plan.
func (s *Study) Plan(b *benchmark.Benchmark, hash string, tester, part int, pseudonym string, model session.Model) (session.Plan, []*benchmark.Task, error) {
	parts := s.Assign(tester)
	if part < 1 || part > len(parts) {
		return session.Plan{}, nil, fmt.Errorf("tester %d of study %q has %d sessions, not a session %d", tester, s.Name, len(parts), part)
	}
	sets, practice, err := s.Sets(b)
	if err != nil {
		return session.Plan{}, nil, err
	}
	arm := s.Arms[parts[part-1].Arm]
	plan := session.Plan{
		Benchmark: b.Name, Scenario: s.Tasks.Filter, K: s.Session.K, Level: s.Session.Level, Context: session.Context(s.Session.Context),
		Seed: s.Design.Seed, Stratify: s.Tasks.Stratify, Tester: pseudonym, Model: model, Criterion: s.Session.Criterion,
		Reference: s.Session.Reference, Tests: s.Session.Tests, IdleMS: 1000 * s.Session.IdleSeconds,
		Study: &session.InStudy{Name: s.Name, Version: s.Version, Hash: hash, Arm: arm.Name, Tester: tester, Part: part, Shown: arm.Shown,
			Instructions: strings.TrimSpace(s.Instructions), Consent: strings.TrimSpace(s.Consent.Text), ConsentVersion: s.Consent.Version},
	}
	for _, a := range s.Attributes {
		plan.Attributes = append(plan.Attributes, session.Attribute{ID: a.ID, Name: a.Name, Meaning: a.Meaning})
	}
	var tasks []*benchmark.Task
	add := func(t *benchmark.Task, set string) {
		plan.Tasks, tasks = append(plan.Tasks, session.PlanTaskOf(t, set)), append(tasks, t)
	}
	if part == 1 {
		for _, t := range practice {
			add(t, "")
		}
	}
	for _, set := range parts[part-1].Sets {
		for _, t := range sets[set] {
			add(t, fmt.Sprintf("T%d", set))
		}
	}
	return plan, tasks, plan.Validate()
}
