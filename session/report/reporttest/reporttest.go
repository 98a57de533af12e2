// Package reporttest makes up the logs of whole studies, for tests and measurements
// of what reads them. Their numbers say nothing about any model or person.
package reporttest

import (
	"fmt"

	"assay/benchmark"
	"assay/session"
	"assay/session/simulate"
)

// Study is a made-up study: the same Seed gives the same logs.
type Study struct {
	Tasks   int      // of each session
	K       int      // attempts allowed
	Testers []string // the sessions' in turn
	Models  []string // likewise; all work with the same tasks
	Levels  []int    // likewise; nil: 0
	Types   []string // of the tasks in turn

	// Feedback are the policies of the sessions in turn; "": of a human's.
	Feedback []session.Feedback

	Seed uint64

	// Prompt and Answer are the texts of an attempt; nil: some words.
	Prompt, Answer func(task, attempt int) string
	Unrated        bool // half of the ratings are missing, as when a session is left in the middle
	Hopeless       bool // every task is given up
	Arena          bool // each prompt is answered by both of the two models
}

// Log returns the log of session i, sealed, with the texts that it refers to.
func (s Study) Log(i int) ([]session.Event, map[session.Ref][]byte, error) {
	plan := session.Plan{
		Benchmark: "made-up", K: s.K, Context: session.Fresh, Seed: s.Seed, Tester: turn(s.Testers, i),
		Model: session.Model{Name: turn(s.Models, i), Provider: "replay", Recorded: true}, Criterion: session.DefaultCriterion, Attributes: session.MiahZhuAttributes(),
	}
	if s.Arena {
		plan.Context, plan.Arena = session.Conversation, &session.Arena{Models: [2]session.Model{{Name: s.Models[0]}, {Name: s.Models[1]}}, Seed: s.Seed}
		plan.Model = plan.Arena.Model()
	}
	if len(s.Levels) > 0 {
		plan.Level = s.Levels[i%len(s.Levels)]
	}
	if len(s.Feedback) > 0 && s.Feedback[i%len(s.Feedback)] != "" {
		f := s.Feedback[i%len(s.Feedback)]
		plan.Tester, plan.Attributes, plan.Labels = session.AutomaticTester, []session.Attribute{}, []session.Label{}
		plan.Automatic = &session.Automatic{Rule: session.RuleAccepted, Feedback: f, Reveals: f.Reveals(), Failures: 3}
	}
	sets := max(1, s.Tasks/20)
	for t := range s.Tasks {
		plan.Tasks = append(plan.Tasks, session.PlanTask{
			ID: fmt.Sprintf("task-%03d", t), Title: fmt.Sprintf("Task %d", t), Set: fmt.Sprintf("T%d", t*sets/s.Tasks),
			Type: turn(s.Types, t), Difficulty: benchmark.Difficulties[t%3],
		})
	}
	return simulate.Session{
		ID: fmt.Sprintf("01HZ%022d", i), Plan: plan, Seed: s.Seed<<20 + uint64(i), Wall: 1_700_000_000_000 + int64(i)*86_400_000,
		Prompt: s.Prompt, Answer: s.Answer, Unrated: s.Unrated, Hopeless: s.Hopeless,
	}.Log()
}

func turn(list []string, i int) string {
	if len(list) == 0 {
		return ""
	}
	return list[i%len(list)]
}
