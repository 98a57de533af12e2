package viewer

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/scoring/inspect"
	"assay/session"
	"assay/session/engine"
	"assay/session/overlap"
	"assay/tui/desktop"
	"assay/tui/picture"
)

// Source reads what the events of a session refer to.
type Source interface {
	Task(index int) *benchmark.Task
	Text(ref session.Ref) (string, error)
	Verdict(v *session.VerdictRecorded) (verdicts.Result, error)
	Inspected(m *session.Measured) (inspect.Report, error)
	Output(o session.Output) ([]byte, error)
}

// Options is what a viewer needs besides the attempt.
type Options struct {
	// SaveOutputs writes the output files of a program, those without a problem, and returns
	// their directory; nil if files cannot be saved.
	SaveOutputs func(ctx context.Context, session, task string, attempt int, files []verdicts.OutputFile) (dir string, err error)
	// Copy puts text on the clipboard; nil uses the terminal's (OSC 52).
	Copy func(text string) tea.Cmd
	// Desktop is the machine's own clipboard and opener of files.
	Desktop desktop.Desktop
	// Pictures is how the terminal shows pictures.
	Pictures picture.Way
}

// Progress reports the progress of the tests of an attempt; nil if it is never known.
type Progress func(task, attempt int, side session.Side) engine.Progress

// subject is the attempt that is shown, with what its texts are read from.
type subject struct {
	source Source
	Opts   Options
	State  *session.State
	mask   *overlap.Mask // of models' names; nil: they are shown
	past   *past         // the past attempt; nil for the open one

	Progress Progress
}

// attemptID names an attempt of a session.
type attemptID struct {
	task    string
	attempt int
}

// past identifies a past attempt.
type past struct {
	task, attempt int // indexes
	times         session.TaskTimes
	blind         bool // the tester's judgement is hidden
	live          bool // it is a side of the open attempt of a live session
	side          session.Side
	self          string // the name in comparisons; empty: the attempt's number
	rival         Rival
}

// Rival is the other answer of a pair: its name, and its code, with which the tab of changes compares.
type Rival struct{ Name, Code string }

// Attempt returns the attempt that is shown, or nil.
func (m *subject) Attempt() *session.Attempt {
	if m.past != nil {
		return &m.State.Tasks[m.past.task].Attempts[m.past.attempt]
	}
	return m.State.Attempt()
}

// open reports whether the attempt on the screen is the open one of a live session, or a side of it.
func (m *subject) open() bool { return m.past == nil || m.past.live }

// sideOf returns the side that is on the screen, "" where one model answers.
func (m *subject) sideOf(a *session.Attempt) session.Side {
	if m.past != nil && m.past.live {
		return m.past.side
	}
	return a.Standing()
}

// Attempts returns all attempts at the task that is shown.
func (m *subject) Attempts() []session.Attempt {
	if m.past != nil {
		return m.State.Tasks[m.past.task].Attempts
	}
	if t := m.State.Task(); t != nil {
		return t.Attempts
	}
	return nil
}

// Previous returns the attempt before it, or nil.
func (m *subject) Previous() *session.Attempt {
	list := m.Attempts()
	i := len(list) - 1
	if m.past != nil {
		i = m.past.attempt
	}
	if i < 1 {
		return nil
	}
	return &list[i-1]
}

// Task returns the task that is shown, or nil.
func (m *subject) Task() *benchmark.Task {
	if i := m.taskIndex(); i >= 0 {
		return m.source.Task(i)
	}
	return nil
}

// language returns the language of the task, "" if it is unknown.
func (m *subject) language() string {
	if t := m.Task(); t != nil {
		return t.Language
	}
	return ""
}

// Text reads a stored text for the screen.
func (m *subject) Text(ref session.Ref) string { return storedText(m.source, ref) }

// AnswerText reads an answer as the study shows it.
func (m *subject) AnswerText(ref session.Ref) string { return m.told(m.Text(ref)) }

// told returns an answer as the study shows it: without what the model thought, where that is hidden.
func (m *subject) told(answer string) string {
	if m.mask != nil {
		answer, _ = m.mask.Answer(answer)
	}
	if m.State.Plan.HideThinking {
		return extract.WithoutThinking(answer, hiddenThinking)
	}
	return answer
}

// hiddenThinking stands in place of thinking that a study does not show.
const hiddenThinking = "(the study does not show it)"

// storedText reads a text that a session refers to; a text that cannot be read is replaced by the
// reason.
func storedText(source Source, ref session.Ref) string {
	if ref == "" {
		return ""
	}
	text, err := source.Text(ref)
	if err != nil {
		return "(this text cannot be read: " + err.Error() + ")"
	}
	return text
}

// OfRepository reports whether the task that is shown is a repository.
func (m *subject) OfRepository() bool {
	t := m.Task()
	return t != nil && t.Repository != nil
}

// nameOf names an attempt in comparisons.
func (m *subject) nameOf(a *session.Attempt) string {
	if m.past != nil && m.past.self != "" {
		return m.past.self
	}
	return fmt.Sprintf("attempt %d", a.N)
}

// judged returns the code of the attempt that was run, "" for none, or a repository's changes.
func (m *subject) judged() string {
	if a := m.Attempt(); a != nil && a.Extracted != nil && !m.OfRepository() {
		return m.Text(a.Extracted.Code)
	}
	return ""
}

// taskIndex is the index of the task that is shown, in the plan.
func (m *subject) taskIndex() int {
	if m.past != nil {
		return m.past.task
	}
	return m.State.Current
}

// underway returns the progress of the tests of the attempt on the screen, if they are running and the
// tester may see them.
func (m *subject) underway() engine.Progress {
	a := m.Attempt()
	if m.Progress == nil || a == nil || a.Answer == nil || a.Verdict != nil || m.State.Plan.Sees(a) != session.SeeTests {
		return engine.Progress{}
	}
	return m.Progress(m.State.Current, a.N, m.sideOf(a))
}

// runningText tells that tests are running, with their progress if it is known.
func (m *subject) runningText() string {
	if p := m.underway(); p.Total > 0 {
		return fmt.Sprintf("running %*d of %d", len(fmt.Sprint(p.Total)), min(p.Done+1, p.Total), p.Total) // padded, so that the width stays the same
	}
	return "running"
}

// Awaited reports whether the attempt on the screen is waiting for the model's answer.
func (m *subject) Awaited() bool {
	if m.State.Phase != session.Wait || !m.open() {
		return false
	}
	a := m.Attempt()
	return m.past == nil || a.Answer == nil && a.Failed == nil && a.Broken == nil
}

// leftFiles lists the output files that the task asks of the program under review.
func (m *subject) leftFiles() []session.Output {
	if a := m.Attempt(); a != nil && a.Verdict != nil {
		return a.Verdict.Outputs
	}
	return nil
}

// unnamed is a source in whose texts no model names itself.
type unnamed struct {
	Source
	mask *overlap.Mask
}

// Text implements Source.
func (u unnamed) Text(ref session.Ref) (string, error) {
	text, err := u.Source.Text(ref)
	text, _ = u.mask.Answer(text)
	return text, err
}

// SideName is what a side is called on the screen.
func SideName(side session.Side) string { return "answer " + strings.ToUpper(string(side)) }
