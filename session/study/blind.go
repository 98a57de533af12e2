package study

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assay/session"
)

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

// maskedAll returns the models of an arm as its logs name them: masked, if testers read something else.
func maskedAll(models []session.Model, shown string) []session.Model {
	if shown == "" {
		return models
	}
	if len(models) == 1 {
		return []session.Model{masked(models[0], shown)}
	}
	names := session.Shown(shown)
	return []session.Model{masked(models[0], names[0].Name), masked(models[1], names[1].Name)}
}

// Unblinding records that somebody learned, or may from then on read in reports, which models a blind study
// compares.
type Unblinding struct {
	At     time.Time `json:"at"`
	Study  string    `json:"study"`
	Hash   string    `json:"hash"` // of the frozen study
	Reason string    `json:"reason"`

	Planned  int `json:"planned,omitempty"` // sessions of the study; 0 in older records
	Sessions int `json:"sessions"`          // of the study in the store at that time
	Finished int `json:"finished"`          // of Sessions

	Arms []LockArm `json:"arms,omitempty"` // with their models, which the logs of a blind study do not name
}

// Words tells when the study was unblinded, how far it was, and why.
func (u Unblinding) Words() string {
	return fmt.Sprintf("unblinded on %s, when %d of %d sessions were finished: %s", u.At.Format("2006-01-02"), u.Finished, cmp.Or(u.Planned, u.Sessions), u.Reason)
}

// Reveal returns the log of a session of a blind study as if it had named its model, which is that of its arm, if
// the first record of the study names the models. The hashes stay those of the log as it is.
func Reveal(unblinded []Unblinding, events []session.Event) []session.Event {
	if len(events) == 0 {
		return events
	}
	opened, is := events[0].Payload.(session.Opened)
	if !is || !opened.Plan.Blind() || opened.Plan.Model.Name != opened.Plan.Study.Shown {
		return events
	}
	at := slices.IndexFunc(unblinded, func(u Unblinding) bool { return u.Hash == opened.Plan.Study.Hash && len(u.Arms) > 0 })
	if at < 0 {
		return events
	}
	for _, a := range unblinded[at].Arms {
		if a.Arm != opened.Plan.Study.Arm {
			continue
		}
		m, in := &opened.Plan.Model, *opened.Plan.Study
		if arena := opened.Plan.Arena; arena == nil {
			m.Name, m.Provider, m.Model = a.Model, a.Provider, a.ModelID
		} else {
			named := *arena
			for i, l := range []LockModel{a.LockModel, a.Against} {
				named.Models[i].Name, named.Models[i].Provider, named.Models[i].Model = l.Model, l.Provider, l.ModelID
			}
			opened.Plan.Arena, *m = &named, named.Model()
		}
		if u := unblinded[at]; !u.At.IsZero() {
			in.Unblinded = u.Words()
		}
		opened.Plan.Study = &in
		first := events[0]
		first.Payload = opened
		return append([]session.Event{first}, events[1:]...)
	}
	return events
}
