package work

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/review"
	"assay/tui/work/viewer"
)

// follow updates the views to the committed state.
func (m *Model) follow() tea.Cmd {
	if m.Predicted == 0 {
		m.State = m.Eng.State()
	}
	now := position{task: m.State.Current, phase: m.State.Phase, paused: m.State.Paused != ""}
	if a := m.State.Attempt(); a != nil {
		now.attempt, now.judged = a.N, a.Verdict != nil
	}
	before := m.at
	m.at = now
	var cmd tea.Cmd
	if now.task != before.task || now.attempt != before.attempt || now.phase != before.phase {
		cmd = m.arrive(before, now)
	}
	cmd = tea.Batch(cmd, m.notify(before, now))
	cmd = tea.Batch(cmd, m.arena.Refresh())
	m.rating.reserve()
	if m.survey.surveying() {
		cmd = tea.Batch(cmd, m.survey.beginSurvey())
	}
	return tea.Batch(cmd, m.showTab(), m.Render(), m.ready.WatchBreak(), m.wait.WatchWait())
}

// arrive prepares the view of a new phase.
func (m *Model) arrive(before, now position) tea.Cmd {
	if now.task != before.task {
		m.files.shown, m.files.open = false, ""
	}
	switch now.phase {
	case session.Read, session.Compose:
		if before.task == now.task && before.attempt == now.attempt &&
			(before.phase == session.Read || before.phase == session.Compose) {
			return nil // the same draft
		}
		t := m.State.Task()
		m.compose.begin(draftOf{task: now.task, attempt: now.attempt}, t.Draft(), t.InsertedBytes()+t.EditorBytes())
		return m.files.readPaths()
	case session.Wait:
		m.Await()
		if m.Pasting() {
			m.compose.begin(draftOf{now.task, now.attempt, true}, m.State.Words[session.WordsAnswer], 0)
			m.compose.above = abovePrompt
		}
	case session.Review:
		switch before.phase {
		case session.Wait: // the chosen tab stays
			if !m.OnTab(viewer.TabAnswer) {
				m.Notice = m.Keyed("The answer is there: {1} shows it.")
			}
		case session.Rate:
			m.Back()
		default:
			m.Begin()
			if before.phase == session.Pick {
				m.Notice = review.Picked(m.State.Attempt())
			}
		}
		var came *session.AnswerReceived
		if before.phase == session.Wait {
			came = m.State.Attempt().Answer
		}
		m.Complete(came)
	case session.Rate:
		m.rating.begin()
		m.Turn(viewer.TabAnswer)
	case session.Ended:
		if m.State.Plan.ResultsLater() {
			return nil
		}
		return tea.Batch(m.summary.writeReport(), m.summary.countResults())
	}
	return nil
}

// notify tells a tester who is in another window that the wait is over.
func (m *Model) notify(before, now position) tea.Cmd {
	what := ""
	switch {
	case now.task != before.task || now.attempt != before.attempt:
	case before.phase == session.Wait && now.phase == session.Review:
		what = "the answer has arrived"
	case now.phase == session.Pick && before.phase == session.Wait:
		what = "both answers have arrived"
	case before.phase == session.Wait && now.phase == session.Compose:
		what = "no answer came"
	case now.judged && !before.judged && m.State.Plan.Sees(m.State.Attempt()) != session.SeeNothing:
		what = "the tests have ended"
	}
	if what == "" {
		return nil
	}
	return func() tea.Msg { return frame.NotifyMsg{What: what} }
}

// showTab records the tab that is shown, once for each tab of an attempt, and how the answer in it is shown.
func (m *Model) showTab() tea.Cmd {
	a := m.State.Attempt()
	rated := m.State.Phase == session.Rate && (m.rating.beside > 0 || m.rating.viewing)
	if a == nil || m.State.Phase != session.Review && !rated || m.State.Paused != "" {
		return nil
	}
	tab, verbatim, other := m.ToRecord()
	if !other {
		return nil
	}
	return m.Intend(live.Intent{Do: func(ctx context.Context) error { return m.Eng.ShowTab(ctx, tab, verbatim) }})
}

// changedMsg is sent when the engine's state has changed.
type changedMsg struct{}

// listen waits for the next change and merges changes in quick succession.
func (m *Model) listen() tea.Cmd {
	ctx, changes, interval := m.Watch, m.Eng.Changes(), m.Opts.Interval
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-changes:
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
		return changedMsg{}
	}
}

// save saves everything that is being typed.
func (m *Model) save() tea.Cmd {
	m.compose.Dirty = false
	return tea.Sequence(m.compose.saveDraft(), m.survey.keepAnswer(), m.SaveWords())
}

// Departure reports what is not saved, and what leaving does to the session.
func (m *Model) Departure() frame.Departure {
	d := frame.Departure{Saving: m.Saving > 0 || m.compose.Dirty || m.Holding(), Why: m.Unsaved}
	lost := func(what, text string) { d.Lost = append(d.Lost, frame.Loss{What: what, Text: text}) }
	s := m.Eng.State()
	if trouble := m.Eng.Trouble(); trouble != "" {
		d.Why = trouble
		lost("what came from the model or from the tests", strings.TrimSpace(m.Eng.Streamed(session.SideA)+"\n\n"+m.Eng.Streamed(session.SideB)))
	}
	if m.compose.unsaved.lost(m.compose.area.Value()) {
		what := "your prompt"
		if m.compose.of.answer {
			what = "the pasted answer"
		}
		lost(what, m.compose.area.Value())
	}
	if asked, text, unsaved := m.UnsavedWords(); unsaved {
		lost("what you are writing: "+asked, text)
	}
	if q := m.survey.question(); m.survey.Typing() && m.survey.line.Value() != s.Answers[q.ID] && m.survey.keepsAnswer() {
		lost("your answer: "+q.Text, m.survey.line.Value())
	}
	if m.unclosed != "" {
		d.Why = m.unclosed
		lost("that the session is paused now", "")
	}
	switch {
	case s.Closed != "":
	case s.Phase == session.Wait && m.Pasting():
		d.Means = "The session is paused. What you pasted is kept; sending the prompt again leads back to it."
	case s.Phase == session.Wait:
		d.Means = "The session is paused. The answer that is coming is stopped and costs no attempt; what has arrived is kept in the log, and the prompt can be sent again."
	default:
		d.Means = "The session is paused and can be continued later."
	}
	return d
}

// unsavedEdits tells of texts that an editor saved when assay was killed.
func (m *Model) unsavedEdits() string {
	dir := m.EditDir()
	if dir == "" {
		return ""
	}
	if f := live.UnsavedEdit(dir, draftIn(m.State).String()); f.Path != "" && writing(m.State) {
		return m.Keyed("Your editor saved a text here that was not taken over: {ctrl+o} opens it.")
	}
	if f := live.UnsavedEdit(dir, m.files.treeVersion().String()); f.Path != "" && m.State.MayMend() == "" {
		name, _ := filepath.Rel(f.Folder, f.Path)
		return "Your editor saved an edit of " + name + " that was not taken over: edit that file again to go on with it."
	}
	return ""
}

// closeSession ends the background work and leaves the session paused.
func (m *Model) closeSession() tea.Cmd {
	return m.Intend(live.Intent{
		Do: func(ctx context.Context) error {
			err := m.Eng.Close(ctx)
			if err == nil {
				m.stop()
			}
			return err
		},
		After: func(why string) tea.Cmd { m.unclosed = why; return nil },
	})
}

// press takes a key or a paste. While a step to another view is under way they
// are held for that view: else the letters typed right after r would be
// commands of the view that is left.
func (m *Model) press(msg tea.Msg) tea.Cmd {
	if m.Holding() {
		m.held = append(m.held, msg)
		return nil
	}
	return m.pressed(msg)
}

// release hands the held keys, in order, to the view that was arrived at, until
// one of them begins the next step.
func (m *Model) release() tea.Cmd {
	var cmds []tea.Cmd
	for m.Steps == 0 && m.Predicted == 0 && len(m.held) > 0 {
		msg := m.held[0]
		m.held = m.held[1:]
		cmds = append(cmds, m.pressed(m.translated(msg)))
	}
	return tea.Batch(cmds...)
}

func (m *Model) pressed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.Notice = ""
		if msg.String() == "?" && !m.isTyping() {
			return func() tea.Msg { return frame.HelpMsg{} } // no text after all: the program's key for help
		}
		return tea.Batch(m.Active(), m.key(msg))
	case tea.PasteMsg:
		if cmd := m.Active(); m.isTyping() {
			return tea.Batch(cmd, m.typed(msg))
		} else {
			return cmd
		}
	}
	return nil
}

// key does what the table of the view has for a key. Other keys are text, where that is typed.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.AskedKeys() == nil && m.room() == &m.arena {
		if cmd, taken := m.arena.Passed(msg); taken {
			return cmd
		}
	}
	press := msg.String()
	if m.isTyping() {
		press = msg.Keystroke() // a word that is typed at once may be the name of a key
	}
	cmd, why, taken := frame.Pressed(m.keys(), press)
	if why != "" {
		m.Notice = why
	}
	if !taken {
		cmd = m.typed(msg)
	}
	return tea.Batch(cmd, m.showTab())
}

// typed hands a key or a paste to what is asked, or to the room.
func (m *Model) typed(msg tea.Msg) tea.Cmd {
	if m.AskedKeys() != nil {
		return m.Answer(msg)
	}
	return m.room().Typed(msg)
}

// Mouse handles the mouse at x and y of the body.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	return tea.Batch(m.room().Mouse(msg, x, y), m.showTab())
}
