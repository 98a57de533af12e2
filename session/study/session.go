package study

import (
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/session"
)

// Plan returns the plan of one of a tester's sessions; part numbers them from 1. The hash is that of the
// frozen study, empty if it is not frozen. The models are those of the session's arm. Tasks are in the order of the plan.
func (s *Study) Plan(b *benchmark.Benchmark, hash string, tester, part int, pseudonym string, models ...session.Model) (session.Plan, []*benchmark.Task, error) {
	parts := s.Assign(tester)
	if part < 1 || part > len(parts) {
		return session.Plan{}, nil, fmt.Errorf("tester %d of study %q has %d sessions, not a session %d", tester, s.Name, len(parts), part)
	}
	mine := parts[part-1]
	arm := s.Arms[mine.Arm]
	idle := 1000 * s.Session.IdleSeconds
	if idle == 0 {
		idle = -1 // never
	}
	if n := len(models); n != 1 && (n != 2 || arm.Against == "") || n == 1 && arm.Against != "" {
		return session.Plan{}, nil, fmt.Errorf("arm %q of study %q was given %d models", arm.Name, s.Name, n)
	}
	models = maskedAll(models, arm.Shown)
	rules := s.rules()
	if part < len(parts) {
		rules.Survey = nil // asked only once, at the end
	}
	choice := session.Choice{
		Benchmark: b, Filter: s.Tasks.Filter, Tasks: s.Tasks.PerSet, Sets: s.Tasks.Sets, Stratify: s.Tasks.Stratify, Order: mine.Sets,
		Practice: s.Tasks.Practice && part == 1, K: s.Session.K, Level: s.Session.Level, Context: session.Context(s.Session.Context),
		Seed: s.Design.Seed, Tester: pseudonym, Model: models[0], Criterion: s.Session.Criterion,
		Reference: s.Session.Reference, Tests: s.Session.Tests, IdleMS: idle,
		Attributes: s.attributes(), Rules: rules,
		Study: &session.InStudy{
			Name: s.Name, Version: s.Version, Hash: hash, Arm: arm.Name, Tester: tester, Part: part, Shown: arm.Shown,
			ResultsLater: s.Session.Results == ResultsEnd && part < len(parts),
			Analysis:     s.Declared(),
			ToReview:     s.reviewing(),
			Instructions: strings.TrimSpace(s.Instructions), Consent: strings.TrimSpace(s.Consent.Text), ConsentVersion: s.Consent.Version,
		},
	}
	if len(models) == 2 {
		choice.Against = &models[1]
	}
	if s.Design.Order != ByAbility {
		choice.Checks = s.checks()
		plan, tasks, err := choice.Plan()
		if arm.Shown != "" {
			plan.Model.Name = arm.Shown
		}
		return plan, tasks, err
	}
	plan, tasks, err := choice.Plan()
	if err != nil {
		return session.Plan{}, nil, err
	}
	if err := s.adapt(&plan, tasks, tester, part); err != nil {
		return session.Plan{}, nil, err
	}
	return plan, tasks, plan.Validate()
}

// reviewing returns how reports count resolved answers that a person has to look at, as sessions record it.
func (s *Study) reviewing() string {
	if s.Analysis.ToReview == batch.CountResolved {
		return ""
	}
	return string(s.Analysis.ToReview)
}

// Declared returns the declared analysis as recorded in each session, nil if there is none or nothing to
// compare.
func (s *Study) Declared() *session.Analysis {
	if s.Analysis.Primary == "" || len(s.Arms) < 2 {
		return nil
	}
	return &session.Analysis{Primary: s.Analysis.Primary, Family: s.Analysis.Family, Model: s.Analysis.Model, Margin: s.Analysis.Margin, Looks: s.looks()}
}
