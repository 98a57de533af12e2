package study

import "assay/session"

// hidden is the provider in the logs of a blind study.
const hidden = "hidden"

// masked returns what the logs of a blind study tell of a model: the name that testers read, and the hash of its
// settings, which the lock has, too. What the screens must know remains: whether answers are pasted or
// recorded.
func masked(m session.Model, shown string) session.Model {
	known := session.Model{Name: shown, Provider: hidden, Recorded: m.Recorded, Definition: m.Definition}
	if m.Provider == "paste" {
		known.Provider = m.Provider
	}
	return known
}

// Reveal returns the log of a session of a blind study as if it had named its model, which is that of its arm.
// The hashes stay those of the log as it is.
func Reveal(events []session.Event, arms []LockArm) []session.Event {
	if len(events) == 0 {
		return events
	}
	opened, is := events[0].Payload.(session.Opened)
	if !is || !opened.Plan.Blind() || opened.Plan.Model.Name != opened.Plan.Study.Shown {
		return events
	}
	for _, a := range arms {
		if a.Arm != opened.Plan.Study.Arm {
			continue
		}
		m := &opened.Plan.Model
		m.Name, m.Provider, m.Model = a.Model, a.Provider, a.ModelID
		first := events[0]
		first.Payload = opened
		return append([]session.Event{first}, events[1:]...)
	}
	return events
}
