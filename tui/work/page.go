package work

import (
	"fmt"
	"slices"
	"strings"

	"assay/session"
	"assay/tui/frame"
)

// Page draws the view that the session's state calls for.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.Size, m.Theme = size, theme
	m.reserve()
	p := m.view()
	p.Scope, p.Title, p.Place = m.scope(), m.title(), m.place()
	p.Window = m.window()
	p.NoClock = m.State.Plan.Clock == session.ClockHidden
	p.Day = m.day(size.Width - 8)
	p.Keys = m.keys()
	if m.ask != nil {
		return m.questionPage(p)
	}
	if t := m.troubleText(); t != "" {
		room := frame.Size{Width: size.Width, Height: size.Body().Height - m.troubleRows()}
		p.Body = strings.Join(frame.Fit(p.Body, room), "\n") + "\n" + t
	}
	return p
}

// troubleText returns the problem or notice below the body.
func (m *Model) troubleText() string {
	text, style := m.Notice, m.Theme.Dim
	switch {
	case m.eng.Trouble() != "":
		text, style = "✗ "+m.eng.Trouble()+" · it is tried again every second", m.Theme.Bad
	case m.Trouble != "":
		text, style = "✗ "+m.Trouble, m.Theme.Bad
	case m.Notice == "":
		return ""
	}
	const most = 4 // rows; more would hide what the error is about
	return strings.Join(frame.Notice(text, style, m.Size.Width, most), "\n")
}

// troubleRows returns the height of troubleText.
func (m *Model) troubleRows() int {
	if t := m.troubleText(); t != "" {
		return strings.Count(t, "\n") + 1
	}
	return 0
}

func (m *Model) view() frame.Page {
	if m.State.Paused != "" {
		return m.pausedPage()
	}
	if m.files.shown {
		return m.filesPage()
	}
	switch m.State.Phase {
	case session.Between:
		if m.surveying() {
			return m.surveyPage()
		}
		return m.readyPage()
	case session.Read, session.Compose:
		return m.composePage()
	case session.Wait, session.Pick:
		if m.comparing() && m.arena.sides.Shown() {
			return m.arenaPage()
		}
		return m.waitPage()
	case session.Review:
		return m.reviewPage()
	case session.Rate:
		return m.ratingPage()
	default:
		return m.summaryPage()
	}
}

// title names the benchmark and the kind of task.
func (m *Model) title() string {
	parts := []string{m.State.Plan.Benchmark}
	i := m.shownTask()
	if i < 0 {
		return strings.Join(parts, " · ")
	}
	t := m.State.Tasks[i]
	if t.Difficulty != "" {
		parts = append(parts, string(t.Difficulty))
	}
	if t.Category != "" {
		parts = append(parts, t.Category)
	}
	return strings.Join(parts, " · ")
}

// window returns the window title: a short form of place and title.
func (m *Model) window() string {
	place, _, _ := strings.Cut(m.place(), " · ")
	return place + " · " + m.State.Plan.Benchmark
}

// shownTask returns the open task, or the next one, or -1.
func (m *Model) shownTask() int {
	if m.State.Current >= 0 {
		return m.State.Current
	}
	return m.State.Next()
}

// place returns the position of the task in the session.
func (m *Model) place() string {
	i := m.shownTask()
	place := m.State.Progress().Place()
	if i < 0 {
		return place
	}
	if a := m.State.Attempt(); a != nil {
		place += fmt.Sprintf(" · attempt %d of %d", a.N, m.State.Plan.K)
	}
	if set := m.State.Tasks[i].Set; set != "" && m.severalSets() {
		place += " · test set " + set
	}
	if m.State.Plan.Clock == session.ClockShown && m.State.Current >= 0 {
		place += fmt.Sprintf(" · %d min", m.eng.Worked()/60_000)
	}
	return place
}

// severalSets reports whether the tasks belong to other test sets than T0, the usual one.
func (m *Model) severalSets() bool {
	return slices.ContainsFunc(m.State.Tasks, func(t session.Task) bool { return t.Set != "" && t.Set != "T0" })
}

// day tells the progress of the session, with as many facts as fit into width columns. A study
// that hides the clock hides times here, too.
func (m *Model) day(width int) string {
	if m.State.Phase == session.Ended || m.welcoming() {
		return ""
	}
	d := m.eng.Day()
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
