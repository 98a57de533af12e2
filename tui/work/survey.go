package work

import (
	"context"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
)

// surveyRoom is the exit survey, one question at a time.
type surveyRoom struct {
	*live.Session
	begun bool
	at    int // the question that is shown; behind the last one, all are answered
	line  textinput.Model
}

// surveying reports whether the tasks are done and the survey is not finished.
func (m *surveyRoom) surveying() bool {
	s := m.State
	return s.Phase == session.Between && s.Over() && len(s.Plan.Survey) > 0 && s.Closed == ""
}

// question returns the question that is shown, nil if all are answered.
func (m *surveyRoom) question() *session.Question {
	if m.at >= len(m.State.Plan.Survey) {
		return nil
	}
	return &m.State.Plan.Survey[m.at]
}

// beginSurvey shows the first question without an answer.
func (m *surveyRoom) beginSurvey() tea.Cmd {
	s := m
	if !s.begun {
		s.begun = true
		s.line = frame.NewLine(0)
		to := len(m.State.Plan.Survey)
		if open := m.State.Asked(); len(open) > 0 {
			to = open[0]
		}
		return m.askNumber(to)
	}
	return nil
}

// askNumber shows a question with its answer so far.
func (m *surveyRoom) askNumber(at int) tea.Cmd {
	s := m
	s.at = max(0, min(at, len(m.State.Plan.Survey)))
	q := m.question()
	if q == nil || len(q.Choices) > 0 {
		s.line.Blur()
		return nil
	}
	s.line.SetValue(m.State.Answers[q.ID])
	s.line.CursorEnd()
	return s.line.Focus()
}

// typing reports whether a free answer is being typed.
func (m *surveyRoom) Typing() bool {
	q := m.question()
	return m.surveying() && m.begun && q != nil && len(q.Choices) == 0
}

func (m *surveyRoom) Typed(msg tea.Msg) (cmd tea.Cmd) {
	if !m.Typing() {
		return nil
	}
	m.line, cmd = m.line.Update(msg)
	return tea.Batch(cmd, m.ScheduleSave())
}

// Keys lists the keys of the question that is shown, and of the end of the survey.
func (m *surveyRoom) Keys() []frame.Key {
	move := func(press string) tea.Cmd {
		by := 1
		if press == "up" || press == "shift+tab" {
			by = -1
		}
		return tea.Batch(m.keepAnswer(), m.askNumber(m.at+by))
	}
	keys := []frame.Key{
		{Press: "1-9", Does: "choose, go on", Run: m.chooseAnswer, Fit: func(k *frame.Key) {
			if q := m.question(); q == nil || len(q.Choices) == 0 {
				k.Press = ""
			} else {
				k.Press = fmt.Sprintf("1-%d", min(len(q.Choices), 9))
			}
		}},
		{Press: "enter", Does: "go on", Do: m.answered, Fit: func(k *frame.Key) {
			if m.question() == nil {
				k.Does = "finish"
			}
		}},
		{Press: "↑↓", Also: "shift+tab tab", Does: "questions", Run: move, Fit: func(k *frame.Key) {
			if m.question() == nil {
				k.Press, k.Also, k.Does = "↑", "shift+tab", "back"
			}
		}},
		{Press: "esc", Does: "home", Do: func() tea.Cmd { return tea.Sequence(m.keepAnswer(), frame.Back) }}, frame.HelpKey,
	}
	if q := m.question(); q != nil && len(q.Choices) > 0 {
		keys[1], keys[2] = keys[2], keys[1] // a choice goes on by itself
	}
	return keys
}

// chooseAnswer answers with one of the choices.
func (m *surveyRoom) chooseAnswer(press string) tea.Cmd {
	q := m.question()
	i := int(press[0] - '1')
	if i >= len(q.Choices) {
		return nil
	}
	return tea.Batch(m.record(q.ID, q.Choices[i]), m.askNumber(m.at+1))
}

// answered goes on to the next question, or finishes.
func (m *surveyRoom) answered() tea.Cmd {
	switch q := m.question(); {
	case q == nil:
		return m.finish()
	case len(q.Choices) > 0, strings.TrimSpace(m.line.Value()) == "":
		return m.leaveOut(q)
	}
	return tea.Batch(m.keepAnswer(), m.askNumber(m.at+1))
}

// leaveOut goes on without a new answer, if the question allows it.
func (m *surveyRoom) leaveOut(q *session.Question) tea.Cmd {
	if m.State.Answers[q.ID] != "" && len(q.Choices) > 0 {
		return m.askNumber(m.at + 1)
	}
	if !q.Optional {
		m.Notice = "This question wants an answer."
		return nil
	}
	return tea.Batch(m.record(q.ID, ""), m.askNumber(m.at+1))
}

// keepAnswer saves a free answer as far as it is typed.
func (m *surveyRoom) keepAnswer() tea.Cmd {
	if !m.keepsAnswer() {
		return nil
	}
	return m.record(m.question().ID, strings.TrimSpace(m.line.Value()))
}

// keepsAnswer reports whether the log lacks the free answer on the screen.
func (m *surveyRoom) keepsAnswer() bool {
	if !m.Typing() || m.State.Paused != "" {
		return false
	}
	q, text := m.question(), strings.TrimSpace(m.line.Value())
	return text != m.Eng.State().Answers[q.ID] && (text != "" || q.Optional)
}

func (m *surveyRoom) record(question, answer string) tea.Cmd {
	return m.Intend(live.Record(m.Predict(session.Surveyed{Question: question, Answer: answer}), func(ctx context.Context) error { return m.Eng.Answer(ctx, question, answer) }))
}

// finish finishes the survey, or goes to the first question without an answer.
func (m *surveyRoom) finish() tea.Cmd {
	if open := m.State.Asked(); len(open) > 0 {
		m.Notice = fmt.Sprintf("%d still to go.", len(open))
		return m.askNumber(open[0])
	}
	return m.Intend(live.Step(m.Eng.Finish))
}

func (m *surveyRoom) Page() frame.Page {
	body := m.Size.Body()
	all := m.State.Plan.Survey
	p := frame.Page{Status: fmt.Sprintf("question %d of %d", min(m.at+1, len(all)), len(all))}
	width := min(max(20, body.Width-6), 76)
	head := "\n   " + m.Theme.Strong.Render("At the end") + m.Theme.Dim.Render("   your answers are saved as you give them") + "\n\n"
	q := m.question()
	if q == nil {
		p.Body = head + frame.Indent(frame.Wrap(fmt.Sprintf("All %s answered. You can still go back and change them.", frame.Count(len(all), "question")), width), "   ")
		return p
	}
	text := q.Text
	if q.Optional {
		text += "  (may be left out)"
	}
	text = head + frame.Indent(frame.Wrap(frame.Plain(text), width), "   ") + "\n\n"
	if len(q.Choices) == 0 {
		rows := strings.Count(text, "\n")
		m.line.SetWidth(width - 2)
		p.Body = text + "   " + m.line.View() + "\n   " + frame.Rule("", width, m.Theme)
		if c := m.line.Cursor(); c != nil {
			c.X, c.Y = c.X+3, rows
			p.Cursor = c
		}
		return p
	}
	for i, choice := range q.Choices {
		line := m.Theme.Accent.Render(fmt.Sprint(i+1)) + "   " + frame.OneLine(choice)
		if m.State.Answers[q.ID] == choice {
			line = m.Theme.Given(fmt.Sprint(i+1)) + " " + frame.OneLine(choice)
		}
		text += "   " + line + "\n"
	}
	p.Body = text
	return p
}
