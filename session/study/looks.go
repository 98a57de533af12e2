package study

import (
	"fmt"
	"slices"
	"strings"

	"assay/scoring/stats"
	"assay/session"
)

// level is the two-sided level of a study's primary outcome, over all looks.
const level = 0.05

// checkLooks checks that each look has more testers than the one before, and the last one all of them.
func (s *Study) checkLooks() error {
	a, before := s.Analysis, 0
	for _, t := range a.Looks {
		if !(t > 0 && t <= 1) {
			return s.file.Wrong("analysis.looks", "%v is not a share of the testers above 0 and at most 1: write looks = [0.5, 1]", t)
		}
		testers := session.LookTesters(t, s.Design.Testers)
		if testers <= before {
			return s.file.Wrong("analysis.looks", "the look at %v is at %d of %d testers, and the one before at %d: shares must rise, and each look needs more testers", t, testers, s.Design.Testers, before)
		}
		before = testers
	}
	if n := len(a.Looks); n > 0 && a.Looks[n-1] != 1 {
		return s.file.Wrong("analysis.looks", "the last look is at %v of the testers: end with 1, the analysis of all of them", a.Looks[n-1])
	}
	if len(a.Looks) == 0 {
		return nil
	}
	if _, err := stats.Looks(a.Looks, level, a.Spending); err != nil {
		return s.file.Wrong("analysis.looks", "%v", err)
	}
	return nil
}

// looks returns the declared looks as sessions record them, nil if there are none.
func (s *Study) looks() *session.Looks {
	if len(s.Analysis.Looks) == 0 {
		return nil
	}
	return &session.Looks{At: slices.Clone(s.Analysis.Looks), Spending: s.Analysis.Spending, Testers: s.Design.Testers, Sessions: len(s.Assign(1))}
}

// plannedLook is a look of a simulated study.
type plannedLook struct {
	stats.Look
	testers int
}

// looksAt returns the looks of a study with so many testers, of which some may fall together; without declared ones, the
// end at its level.
func (s *Study) looksAt(testers int, level float64) ([]plannedLook, error) {
	all := []plannedLook{{stats.Look{Level: level}, testers}}
	if len(s.Analysis.Looks) == 0 {
		return all, nil
	}
	all = nil
	var fractions []float64
	for _, t := range s.Analysis.Looks {
		if n := session.LookTesters(t, testers); len(all) == 0 || n > all[len(all)-1].testers {
			all = append(all, plannedLook{testers: n})
			fractions = append(fractions, float64(n)/float64(testers))
		}
	}
	looks, err := stats.Looks(fractions, level, s.Analysis.Spending)
	for i := range looks {
		all[i].Look = looks[i]
	}
	return all, err
}

// lookShares says at which shares of the testers the study looks at its primary outcome; "" if only at the end.
func (s *Study) lookShares() string {
	if len(s.Analysis.Looks) == 0 {
		return ""
	}
	var at []string
	for _, t := range s.Analysis.Looks {
		at = append(at, fmt.Sprint(t))
	}
	return fmt.Sprintf("looks at %s of the testers (%s)", strings.Join(at, ", "), s.Analysis.Spending)
}

// LooksDue says how many of the declared looks are due, and when the next one is. It tells no result.
type LooksDue struct {
	Testers int `json:"testers"` // of the plan
	Ended   int `json:"ended"`   // of them, those who are done or left
	Due     int `json:"due"`     // looks
	Looks   int `json:"looks"`   // in all
	Next    int `json:"next_at"` // testers at which the next look is due; 0: all are
}

// LooksDue counts the places that ended; nil if the study declares no looks.
func (s *Study) LooksDue(places []Place) *LooksDue {
	if len(s.Analysis.Looks) == 0 {
		return nil
	}
	d := &LooksDue{Testers: s.Design.Testers, Looks: len(s.Analysis.Looks)}
	for _, p := range places {
		if p.Status == "done" || p.Status == "left" {
			d.Ended++
		}
	}
	for _, t := range s.Analysis.Looks {
		if at := session.LookTesters(t, s.Design.Testers); d.Ended >= at {
			d.Due++
		} else if d.Next == 0 {
			d.Next = at
		}
	}
	return d
}

// Words says which look is due.
func (d *LooksDue) Words() string {
	words := fmt.Sprintf("looks: %d of %d testers ended; ", d.Ended, d.Testers)
	switch {
	case d.Due == 0:
		return words + fmt.Sprintf("none of %d looks is due, the first is at %d", d.Looks, d.Next)
	case d.Next == 0:
		return words + "the last look is due"
	}
	return words + fmt.Sprintf("look %d of %d is due, the next is at %d", d.Due, d.Looks, d.Next)
}
