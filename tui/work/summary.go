package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/report/sessions"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/result"
)

// summaryRoom shows what became of the session.
type summaryRoom struct {
	*live.Session
	overview result.Overview
	handedIn string // path of the file to hand in, once it is written
}

// writeReport makes the report of a session that has ended.
func (m *summaryRoom) writeReport() tea.Cmd {
	if m.Opts.Report == nil {
		return nil
	}
	m.overview.Awaited = true
	return live.Background(m.Session, m.Opts.Report, func(path string, err error) tea.Cmd {
		if m.overview.Awaited = false; m.Failed("the report was not written", err) {
			return nil
		}
		if m.overview.Path = path; m.Notice != "" { // it was asked for
			m.Notice = "the report lies in " + frame.OneLine(path)
		}
		return nil
	})
}

// countResults asks for the numbers of the summary.
func (m *summaryRoom) countResults() tea.Cmd {
	if m.Opts.Results == nil {
		return nil
	}
	return live.Background(m.Session, m.Opts.Results, func(r *sessions.Report, err error) tea.Cmd {
		if !m.Failed("the results cannot be counted", err) {
			m.overview.Set(r)
		}
		return nil
	})
}

// Keys returns the keys when the session has ended.
func (m *summaryRoom) Keys() []frame.Key {
	return slices.Concat([]frame.Key{
		{Press: "enter", Also: "esc q", Does: "home", Do: frame.GoBack},
		{Press: "w", Does: "write the file to hand in", Do: m.handIn, Not: m.cannotHandIn, More: m.cannotHandIn() != ""},
		{Press: "v", Does: "look at the attempts", Do: m.look, Not: func() string {
			switch {
			case m.State.Plan.ResultsLater():
				return resultsLater
			case m.Opts.Look == nil:
				return "there is no browser of results"
			}
			return ""
		}},
	}, m.resultKeys(), []frame.Key{
		frame.HelpKey, m.overview.OpenKey(m.Opts.Desktop),
		{Press: "r", Does: "write the report again", More: true, Not: func() string {
			switch {
			case m.State.Plan.ResultsLater():
				return resultsLater
			case m.Opts.Report == nil:
				return "the study's owner has it written"
			}
			return ""
		}, Do: func() tea.Cmd {
			m.Notice = "writing the report…"
			return m.writeReport()
		}},
	})
}

// resultsLater is why a tester does not see results yet.
const resultsLater = "the study shows your results after your last session"

// last reports whether the tester has no further session in the study.
func (m *summaryRoom) last() bool {
	in := m.State.Plan.Study
	return in != nil && m.Opts.Sessions > 0 && in.Part >= m.Opts.Sessions
}

// cannotHandIn is why there is nothing to hand in.
func (m *summaryRoom) cannotHandIn() string {
	switch {
	case m.State.Plan.Study == nil:
		return "this session is of no study"
	case m.Opts.HandIn == nil:
		return "the study's owner has your sessions"
	case !m.last():
		return "the study has another session for you"
	}
	return ""
}

// handIn writes the file to hand in.
func (m *summaryRoom) handIn() tea.Cmd {
	m.Notice = "writing the file to hand in…"
	write := func(ctx context.Context, _ string) (string, error) { return m.Opts.HandIn(ctx) }
	return live.Background(m.Session, write, func(path string, err error) tea.Cmd {
		if !m.Failed("the hand-in file was not written", err) {
			m.handedIn, m.Notice = path, ""
		}
		return nil
	})
}

// resultKeys returns the keys of the pages of results, if there are any.
func (m *summaryRoom) resultKeys() []frame.Key {
	keys := m.overview.Keys()
	if m.State.Plan.ResultsLater() {
		for i := range keys {
			keys[i].More, keys[i].Why, keys[i].Fit = true, resultsLater, nil
		}
	}
	return keys
}

// look opens the tasks and attempts of the session.
func (m *summaryRoom) look() tea.Cmd {
	return live.Background(m.Session, m.Opts.Look, func(screen frame.Screen, err error) tea.Cmd {
		if m.Failed("the attempts cannot be shown", err) {
			return nil
		}
		return frame.Open(screen)
	})
}

// whatNext returns what a tester of a study does after a session.
func (m *summaryRoom) whatNext() string {
	next := ""
	switch {
	case m.handedIn != "":
		return "To hand in, send this file to the study's owner:\n" + frame.OneLine(m.handedIn)
	case m.cannotHandIn() == "":
		return "That was your last session. " + m.Theme.Press(frame.ScopeSummary, "w") + " writes the file to hand in."
	case m.last():
		return "That was your last session. Thank you."
	case m.Opts.Sessions > 0:
		next = fmt.Sprintf("The study has another session for you (%d of %d): the command that you began with starts it.", m.State.Plan.Study.Part+1, m.Opts.Sessions)
	default:
		next = "If the study has another session for you, the command that you began with starts it."
	}
	if m.State.Plan.ResultsLater() {
		next += " It shows your results after the last."
	}
	return next
}

func (m *summaryRoom) Page() frame.Page {
	body := m.Size.Body()
	body.Height -= m.TroubleRows()
	next := ""
	if m.State.Plan.Study != nil {
		text := m.Theme.Strong.Render("Done.") + " " + m.whatNext()
		next = "\n" + frame.Indent(frame.Wrap(text, max(10, body.Width-6)), "   ")
		body.Height -= strings.Count(next, "\n")
	}
	text := m.overview.Body(body, m.Theme)
	if m.State.Plan.ResultsLater() {
		text = "\n" + frame.Indent(m.Theme.Strong.Render("Session "+result.Status(m.State.Closed))+"\n\n"+
			m.Theme.Dim.Render(m.State.Progress().Place()+": all that you did is saved."), "   ") + "\n"
	}
	return frame.Page{
		Body:   text + next,
		Seen:   m.overview.Seen(),
		Status: frame.OneLine(m.State.Plan.ModelShown()),
	}
}
