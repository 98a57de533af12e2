package work

import (
	"fmt"
	"slices"
	"strings"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
)

// Page draws the view that the session's state calls for.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.Size, m.Theme = size, theme
	m.rating.reserve()
	p := m.room().Page()
	p.Scope, p.Title, p.Place = m.Scope(), m.title(), m.place()
	place, _, _ := strings.Cut(p.Place, " · ")
	p.Window = place + " · " + m.State.Plan.Benchmark // as short as windows' titles
	p.NoClock = m.State.Plan.Clock == session.ClockHidden
	p.Day = m.day(size.Width - 8)
	p.Keys = m.keys()
	if m.AskedKeys() != nil {
		return m.QuestionPage(p)
	}
	if t := m.TroubleText(); t != "" {
		room := frame.Size{Width: size.Width, Height: size.Body().Height - m.TroubleRows()}
		p.Body = strings.Join(frame.Fit(p.Body, room), "\n") + "\n" + t
	}
	return p
}

// title names the benchmark and the kind of task.
func (m *Model) title() string {
	i := m.ShownTask()
	if i < 0 {
		return m.State.Plan.Benchmark
	}
	return live.Joined(m.State.Plan.Benchmark, string(m.State.Tasks[i].Difficulty), m.State.Tasks[i].Category)
}

// place returns the position of the task in the session.
func (m *Model) place() string {
	i := m.ShownTask()
	place := m.State.Progress().Place()
	if i < 0 {
		return place
	}
	if a := m.State.Attempt(); a != nil {
		place += fmt.Sprintf(" · attempt %d of %d", a.N, m.State.Plan.K)
	}
	several := func(t session.Task) bool { return t.Set != "" && t.Set != "T0" } // the usual one
	if set := m.State.Tasks[i].Set; set != "" && slices.ContainsFunc(m.State.Tasks, several) {
		place += " · test set " + set
	}
	if m.State.Plan.Clock == session.ClockShown && m.State.Current >= 0 {
		place += fmt.Sprintf(" · %d min", m.Eng.Worked()/60_000)
	}
	return place
}

// day tells the progress of the session, with as many facts as fit into width columns. A study
// that hides the clock hides times here, too.
func (m *Model) day(width int) string {
	if m.State.Phase == session.Ended || m.welcome.Wanted() {
		return ""
	}
	d := m.Eng.Day()
	facts := []string{d.Progress.String()}
	if m.State.Plan.Clock != session.ClockHidden {
		if d.WorkedMS >= 60_000 {
			worked := frame.Duration(float64(d.WorkedMS) / 1000)
			if d.WorkedMS >= 600_000 {
				worked = fmt.Sprintf("%d min", d.WorkedMS/60_000)
			}
			facts = append(facts, worked)
		}
		if d.PaceMS > 0 {
			facts = append(facts, frame.Duration(float64(d.PaceMS)/1000)+" a task")
		}
	}
	if d.Breaks > 0 {
		facts = append(facts, frame.Count(d.Breaks, "break")+" left")
	}
	for len(facts) > 1 && frame.Width(strings.Join(facts, " · ")) > width {
		facts = facts[:len(facts)-1]
	}
	return strings.Join(facts, " · ")
}
