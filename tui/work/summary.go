package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/report/sessions"
	"assay/tui/frame"
)

// The end of a session: its own numbers and figures, where its report lies, and what
// to do next.

// reportMsg carries the path of the written report.
type reportMsg struct {
	path string
	err  error
}

// countedMsg are the results of the session.
type countedMsg struct {
	report *sessions.Report
	err    error
}

// handedInMsg carries the path of the file to hand in.
type handedInMsg struct {
	path string
	err  error
}

// lookMsg is the screen that shows the tasks and attempts of the session.
type lookMsg struct {
	screen frame.Screen
	err    error
}

// writeReport makes the report of a session that has ended.
func (m *Model) writeReport() tea.Cmd {
	if m.opts.Report == nil {
		return nil
	}
	id := m.state.Session
	m.summary.Awaited = true
	return func() tea.Msg {
		path, err := m.opts.Report(context.Background(), id)
		return reportMsg{path, err}
	}
}

// countResults asks for the numbers of the summary.
func (m *Model) countResults() tea.Cmd {
	if m.opts.Results == nil {
		return nil
	}
	id := m.state.Session
	return func() tea.Msg {
		r, err := m.opts.Results(context.Background(), id)
		return countedMsg{r, err}
	}
}

// summaryMsg handles what the summary has asked for.
func (m *Model) summaryMsg(msg tea.Msg) tea.Cmd {
	failed := func(what string, err error) { m.trouble = fmt.Sprintf("%s: %v", what, err) }
	switch msg := msg.(type) {
	case reportMsg:
		m.summary.Awaited = false
		if msg.err != nil {
			failed("the report was not written", msg.err)
			return nil
		}
		m.summary.Path = msg.path
		if m.notice != "" { // it was asked for
			m.notice = "the report lies in " + frame.OneLine(msg.path)
		}
	case handedInMsg:
		if msg.err != nil {
			failed("the hand-in file was not written", msg.err)
			return nil
		}
		m.handedIn, m.notice = msg.path, ""
	case countedMsg:
		if msg.err != nil {
			failed("the results cannot be counted", msg.err)
			return nil
		}
		m.summary.Set(msg.report)
	case lookMsg:
		if msg.err != nil {
			failed("the attempts cannot be shown", msg.err)
			return nil
		}
		return frame.Open(msg.screen)
	}
	return nil
}

// summaryKeys returns the keys when the session has ended.
func (m *Model) summaryKeys() []frame.Key {
	return slices.Concat([]frame.Key{
		{Press: "enter", Also: "esc q", Does: "home", Do: frame.GoBack},
		{Press: "w", Does: "write the file to hand in", Do: m.handIn, Not: m.cannotHandIn, More: m.cannotHandIn() != ""},
		{Press: "v", Does: "look at the attempts", Do: m.look, Not: func() string {
			switch {
			case m.state.Plan.ResultsLater():
				return resultsLater
			case m.opts.Look == nil:
				return "there is no browser of results"
			}
			return ""
		}},
	}, m.resultKeys(), []frame.Key{
		frame.HelpKey, m.summary.OpenKey(m.opts.Desktop),
		{Press: "r", Does: "write the report again", More: true, Not: func() string {
			switch {
			case m.state.Plan.ResultsLater():
				return resultsLater
			case m.opts.Report == nil:
				return "the study's owner has it written"
			}
			return ""
		}, Do: func() tea.Cmd {
			m.notice = "writing the report…"
			return m.writeReport()
		}},
	})
}

// resultsLater is why a tester does not see results yet.
const resultsLater = "the study shows your results after your last session"

// last reports whether the tester has no further session in the study.
func (m *Model) last() bool {
	in := m.state.Plan.Study
	return in != nil && m.opts.Sessions > 0 && in.Part >= m.opts.Sessions
}

// cannotHandIn is why there is nothing to hand in.
func (m *Model) cannotHandIn() string {
	switch {
	case m.state.Plan.Study == nil:
		return "this session is of no study"
	case m.opts.HandIn == nil:
		return "the study's owner has your sessions"
	case !m.last():
		return "the study has another session for you"
	}
	return ""
}

// handIn writes the file to hand in.
func (m *Model) handIn() tea.Cmd {
	m.notice = "writing the file to hand in…"
	return func() tea.Msg {
		path, err := m.opts.HandIn(context.Background())
		return handedInMsg{path, err}
	}
}

// resultKeys returns the keys of the pages of results, if there are any.
func (m *Model) resultKeys() []frame.Key {
	keys := m.summary.Keys()
	if m.state.Plan.ResultsLater() {
		for i := range keys {
			keys[i].More, keys[i].Why, keys[i].Fit = true, resultsLater, nil
		}
	}
	return keys
}

// look opens the tasks and attempts of the session.
func (m *Model) look() tea.Cmd {
	id := m.state.Session
	return func() tea.Msg {
		screen, err := m.opts.Look(context.Background(), id)
		return lookMsg{screen, err}
	}
}

// whatNext returns what a tester of a study does after a session.
func (m *Model) whatNext() string {
	next := ""
	switch {
	case m.handedIn != "":
		return "To hand in, send this file to the study's owner:\n" + frame.OneLine(m.handedIn)
	case m.cannotHandIn() == "":
		return "That was your last session. " + m.theme.Press(frame.ScopeSummary, "w") + " writes the file to hand in."
	case m.last():
		return "That was your last session. Thank you."
	case m.opts.Sessions > 0:
		next = fmt.Sprintf("The study has another session for you (%d of %d): the command that you began with starts it.", m.state.Plan.Study.Part+1, m.opts.Sessions)
	default:
		next = "If the study has another session for you, the command that you began with starts it."
	}
	if m.state.Plan.ResultsLater() {
		next += " It shows your results after the last."
	}
	return next
}

func (m *Model) summaryPage() frame.Page {
	body := m.size.Body()
	body.Height -= m.troubleRows()
	next := ""
	if m.state.Plan.Study != nil {
		text := m.theme.Strong.Render("Done.") + " " + m.whatNext()
		next = "\n" + frame.Indent(frame.Wrap(text, max(10, body.Width-6)), "   ")
		body.Height -= strings.Count(next, "\n")
	}
	text := m.summary.Body(body, m.theme)
	if m.state.Plan.ResultsLater() {
		text = "\n" + frame.Indent(m.theme.Strong.Render("Session "+statusText(m.state.Closed))+"\n\n"+
			m.theme.Dim.Render(m.state.Progress().Place()+": all that you did is saved."), "   ") + "\n"
	}
	return frame.Page{
		Body:   text + next,
		Seen:   m.summary.Seen(),
		Status: frame.OneLine(m.state.Plan.ModelShown()),
	}
}
