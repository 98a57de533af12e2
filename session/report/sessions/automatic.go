package sessions

import (
	"fmt"
	"slices"

	"assay/session"
	doc "assay/session/report/document"
	"assay/session/report/figure"
)

// someAutomatic and allAutomatic report whether programs worked in the sessions.
func (r *Report) someAutomatic() bool { return slices.ContainsFunc(r.Sessions, Header.automatic) }
func (r *Report) allAutomatic() bool {
	return !slices.ContainsFunc(r.Sessions, func(h Header) bool { return !h.automatic() })
}

// unrated reports that nothing is rated: programs rate nothing, and a study may ask for no ratings.
func (r *Report) unrated() bool { return r.allAutomatic() || len(r.Ratings.Attributes) == 0 }

// who returns the part of an arm's name that tells who worked, if that differs within the report.
func (h Header) who(mixed bool) string {
	switch {
	case h.automatic():
		return "a program (feedback " + h.Feedback + "): "
	case mixed:
		return "people: "
	}
	return ""
}

// automaticTexts are what programs' messages were made from, as their sessions record it.
func (w *writer) automaticTexts(s *doc.Section) {
	var shown []session.Template
	for i := range w.logs {
		if a := w.logs[i].state.Plan.Automatic; a != nil {
			for _, t := range a.Texts {
				if !slices.Contains(shown, t) {
					shown = append(shown, t)
				}
			}
		}
	}
	if len(shown) == 0 {
		return
	}
	s.Fold(doc.Item("What the automatic tester's messages were made from"), func(s *doc.Section) {
		for _, t := range shown {
			s.Passage(t.Name, t.Text)
		}
	})
}

// byProgram returns the index of the arm in which a program worked, -1 if it is neither or both.
func byProgram(a, b []result) int {
	is := func(group []result) bool { return len(group) > 0 && group[0].in.header.automatic() }
	switch {
	case is(a) && !is(b) && len(b) > 0:
		return 0
	case is(b) && !is(a) && len(a) > 0:
		return 1
	}
	return -1
}

// armsSuccessFigure draws the Kaplan-Meier curves of the arms into one figure.
func (r *Report) armsSuccessFigure(results map[string][]result, k int) figure.Mark {
	n := 0
	s := figure.Survival{X: figure.Axis{Name: "attempts", To: float64(k) + 0.5}, Y: figure.Axis{Name: r.results() + " satisfied"}, Rising: true, Dependent: r.Testers > 1}
	for i := range k + 1 {
		if k <= 20 {
			s.Ticks = append(s.Ticks, float64(i))
		}
	}
	for i, a := range r.Arms.Arms {
		g := figure.Followed{Name: fmt.Sprintf("%d %s", i+1, a.Name)} // the number stays where there is no room for the name
		for _, t := range results[a.Name] {
			g.Times, g.Event = append(g.Times, float64(t.counted)), append(g.Event, t.happy)
		}
		s.Groups = append(s.Groups, g)
		n += len(g.Times)
	}
	note := fmt.Sprintf("A task without satisfaction is followed to %d attempts, however many were made.", k)
	s.About = r.about("Satisfied within so many attempts, arm by arm", n, note)
	return s
}

// automaticNotes returns what readers must know about sessions of programs.
func (w *writer) automaticNotes() (items [][]any) {
	if !w.someAutomatic() {
		return nil
	}
	if !w.allAutomatic() {
		items = append(items, doc.Item("A program worked in ", w.d.Count(&w.Automatic), " of the sessions, and people in the others. They are never pooled."))
	}
	items = append(items, doc.Item(w.d.Strong("An automatic tester"), " sends a task's statement, is satisfied when the code passes all tests and at no other time, and answers an attempt that failed with feedback by a policy. It reads and writes in no time and has no opinion: it gives no ratings, and its times are those of the model and of running the tests."))
	if slices.ContainsFunc(w.Sessions, func(h Header) bool { return h.Reveals }) {
		items = append(items, doc.Item(w.d.Strong("The feedback showed test cases to the model."), " From the second attempt on, an answer that passes them may be made for them, so that success there says less than success at the first attempt."))
	}
	if w.Events.Abandoned > 0 {
		items = append(items, doc.Item(w.d.Strong("Left out after an attempt that had failed"), ", since the model gave no further answer: ", w.d.Count(&w.Events.Abandoned), ". Those tasks enter no number, so that success looks better than it was."))
	}
	if w.Events.Reflections > 0 {
		items = append(items, doc.Item("Answers in which the model said what was wrong, before it tried again: ", w.d.Count(&w.Events.Reflections), ". They are no attempts; the time for them is time of waiting."))
	}
	return items
}

// mixed reports whether a program worked in one arm of the pair and people in the other.
func (p *Pair) mixed(r *Report) bool {
	kind := func(name string) string {
		i := slices.IndexFunc(r.Arms.Arms, func(a Arm) bool { return a.Name == name })
		return r.Arms.Arms[i].Kind
	}
	return kind(p.First) != kind(p.Second)
}
