package home

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/session"
	"assay/tui/frame"
)

// today is what a tester has done since a midnight.
type today struct {
	since time.Time
	session.Done
}

// midnight returns the beginning of a time's day, where it was taken.
func midnight(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, t.Location())
}

// doneBy sums up what people have done on a day by now, from the logs of the sessions that were worked on then. A log that
// cannot be read counts for nothing: its session says what is wrong with it. Nor does one that ends in the future.
func (m *Model) doneBy(ctx context.Context, now time.Time, sessions []session.Summary) today {
	done := today{since: midnight(now)}
	for _, s := range sessions {
		if s.Automatic != "" || s.Imported || s.Last().Before(done.since) || s.Last().After(now) {
			continue
		}
		events, err := m.lib.Log(ctx, s.ID)
		if err != nil {
			continue
		}
		if of, err := session.DoneSince(events, done.since); err == nil {
			done.Done = done.Plus(of)
		}
	}
	return done
}

// pace tells what was done today and how fast, and what is left of the session worked on last.
func (m *Model) pace(size frame.Size) string {
	var facts []string
	if d := m.today; d.since.Equal(midnight(m.now())) && (d.Tasks > 0 || d.WorkedMS >= 60_000) {
		text := "today " + frame.Count(d.Tasks, "task")
		if d.WorkedMS >= 60_000 {
			text += " in " + frame.Duration(float64(d.WorkedMS)/1000)
		}
		if d.Tasks > 1 && d.PaceMS > 0 {
			text += ", " + frame.Duration(float64(d.PaceMS)/1000/float64(d.Tasks)) + " a task"
		}
		facts = append(facts, text)
	}
	i := slices.IndexFunc(m.sessions, func(s session.Summary) bool { return s.Open() && s.Automatic == "" })
	if i >= 0 && m.sessions[i].Done > 0 {
		s := m.sessions[i]
		each, left := s.Worked().Seconds()/float64(s.Done), s.Tasks-s.Closed()
		if len(facts) == 0 && !size.Narrow() {
			facts = append(facts, fmt.Sprintf("%d min worked", int(s.Worked().Minutes())))
		}
		facts = append(facts, fmt.Sprintf("%s left, about %s at %s a task", frame.Count(left, "task"), frame.Duration(each*float64(left)), frame.Duration(each)))
	}
	for len(facts) > 1 && frame.Width(strings.Join(facts, " · ")) > size.Width-8 {
		facts = facts[:len(facts)-1]
	}
	return strings.Join(facts, " · ")
}
