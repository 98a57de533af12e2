package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Look is the look that is due of those that the study's plan declared. The primary outcome is compared at its level, by the
// significance level approach: a corrected p counts if it is at most Level, and intervals are repeated ones, at
// 1 - Level (Jennison & Turnbull, Group Sequential Methods, 2000, chapters 3.8 and 9).
type Look struct {
	At       []float64 `json:"at"`       // the planned looks, as shares of the testers
	Spending string    `json:"spending"` // the function that spends the level, of Lan & DeMets: "obrien-fleming" or "pocock"
	Number   int       `json:"number"`   // of the look that is due, from 1; 0: none is, and the arms are not compared
	Testers  int       `json:"testers"`  // of the plan
	Sessions int       `json:"sessions"` // of each of them
	Ended    int       `json:"ended"`    // of them, those who did all of their sessions or left
	Next     int       `json:"next_at"`  // testers at which the next look is due; 0: there is none

	Fraction report.Number `json:"information"` // Ended / Testers, at most 1
	Spent    report.Number `json:"spent"`       // of the level of 0.05, up to this look; null: none is due
	Bound    report.Number `json:"bound"`       // of the standard normal statistic
	Level    report.Number `json:"level"`       // the largest p that counts
	Stop     bool          `json:"stop"`        // a corrected p of the primary outcome is at most Level
}

// lookOf returns the look that is due; nil if the plan declares none.
func lookOf(plan *Analysis, logs []folded) *Look {
	if plan == nil || plan.looks == nil {
		return nil
	}
	declared := plan.looks
	l := &Look{At: declared.At, Spending: clean(declared.Spending), Testers: declared.Testers, Sessions: declared.Sessions, Ended: endedPlaces(logs, declared.Sessions), Spent: undefined(), Bound: undefined(), Level: undefined()}
	l.Fraction = report.Number(min(1, float64(l.Ended)/float64(max(1, l.Testers))))
	looks, err := stats.LookAt(declared.At, float64(l.Fraction), 1-report.Confidence, declared.Spending)
	if l.Number = len(looks); err == nil && l.Number > 0 {
		now := looks[l.Number-1]
		l.Spent, l.Bound, l.Level = report.Number(now.Spent), report.Number(now.Bound), report.Number(now.Level)
	}
	if l.Number < len(declared.At) {
		l.Next = session.LookTesters(declared.At[l.Number], l.Testers)
	}
	return l
}

// endedPlaces counts the places of a study whose tester did all sessions, or left one.
func endedPlaces(logs []folded, sessions int) int {
	finished, left, open := map[int]map[int]bool{}, map[int]bool{}, map[int]bool{}
	for i := range logs {
		h := &logs[i].header
		place := h.Study.Tester
		if finished[place] == nil {
			finished[place] = map[int]bool{}
		}
		switch h.Status {
		case "finished":
			finished[place][h.Study.Part] = true
		case "open":
			open[place] = true
		default:
			left[place] = true
		}
	}
	n := 0
	for place, parts := range finished {
		n += int(one(len(parts) >= sessions || left[place] && !open[place]))
	}
	return n
}

// due reports whether arms may be compared.
func (l *Look) due() bool { return l == nil || l.Number > 0 }

// comparable reports whether the page may show results by arm: before the first look it does not, so that nobody stops a
// study by what they look like.
func (w *writer) comparable() bool { return w.Arms == nil || w.Arms.Look.due() }

// confidence returns the confidence of intervals of a measure.
func (cs *crossings) confidence(m measure) float64 {
	if cs.look == nil || !cs.look.Level.Defined() || !m.primary(cs.plan) {
		return report.Confidence
	}
	return 1 - float64(cs.look.Level)
}

// primary reports whether a plan declares the measure.
func (m measure) primary(plan *Analysis) bool {
	return plan != nil && (m.id == plan.Primary || m.id == "score" || m.id == logOf+plan.Primary)
}

// percent returns a confidence in percent, with as many digits as tell it from others.
func percent(confidence float64) string {
	return strconv.FormatFloat(100*confidence, 'g', 4, 64) + " %"
}

// decide sets whether the primary outcome crosses the boundary of the look.
func (a *Arms) decide() {
	if a.Look == nil || !a.Look.Level.Defined() {
		return
	}
	for i := range a.Pairs {
		a.Look.Stop = a.Look.Stop || slices.ContainsFunc(a.Pairs[i].Measures, func(c Compared) bool {
			return c.Primary && c.Corrected <= a.Look.Level
		})
	}
}

// alpha returns the largest corrected p of a comparison that counts.
func (w *writer) alpha(m *Compared) report.Number {
	if l := w.Arms.Look; l != nil && m.Primary {
		return l.Level
	}
	return 1 - report.Confidence
}

// confidenceOf returns the confidence of a comparison's interval.
func (w *writer) confidenceOf(m *Compared) any {
	if l := w.Arms.Look; l != nil && m.Primary {
		return doc.Fixed(percent(1 - float64(l.Level)))
	}
	return w.Confidence()
}

// look says which look this is, what of the level is spent, and whether to stop; where none is due, that.
func (w *writer) look(s *doc.Section) {
	l := w.Arms.Look
	if l == nil {
		return
	}
	number := func(v report.Number, decimals int) doc.Span {
		return doc.Fixed(strconv.FormatFloat(float64(v), 'f', decimals, 64))
	}
	of := doc.Item(w.d.Count(&l.Ended), " of ", w.d.Count(&l.Testers), " testers ended")
	if l.Number == 0 {
		s.Text(w.d.Strong("No declared look is due."), " ", of, "; the plan compares the arms first at ", w.d.Count(&l.Next), ". Until then they are not compared here.")
		return
	}
	spending := cmp.Or(map[string]string{stats.OBrienFleming: "O'Brien and Fleming's type", stats.Pocock: "Pocock's type"}[l.Spending], l.Spending)
	said := doc.Item("Look ", w.d.Count(&l.Number), " of ", doc.Fixed(fmt.Sprint(len(l.At))), " that the plan declared: ", of, ", an information fraction of ", w.d.Num(&l.Fraction, 2),
		". The spending function of ", doc.Fixed(spending), " (Lan & DeMets) has spent ", number(l.Spent, 4), " of the level ", doc.Fixed("0.05"), ": a difference in the primary outcome counts if its corrected p is at most ",
		number(l.Level, 4), " (a normal statistic beyond ±", w.d.Num(&l.Bound, 3), "), and its interval is at ", doc.Fixed(percent(1-float64(l.Level))), ". ")
	switch {
	case l.Stop && l.Next > 0:
		said = append(said, w.d.Strong("Stop: the boundary is crossed."), " After an early stop the estimate is too large on average.")
	case l.Stop:
		said = append(said, w.d.Strong("The boundary is crossed at the last look."))
	case l.Next > 0:
		said = append(said, w.d.Strong("Go on: the boundary is not crossed."), " The next look is at ", w.d.Count(&l.Next), " testers.")
	default:
		said = append(said, w.d.Strong("The boundary is not crossed at the last look."))
	}
	s.Text(said...)
}
