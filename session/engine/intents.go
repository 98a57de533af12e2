package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/scoring/pairs"
	"assay/session"
)

// The intents of a tester. Each returns when its events are committed, or with an error and nothing
// changed.

// Consent records the tester's agreement to the study's consent.
func (e *Engine) Consent(ctx context.Context) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		if !s.WantsConsent() {
			return nil, nil, errors.New("there is no consent to give")
		}
		return nil, []session.Payload{session.Consented{Version: s.Plan.Study.ConsentVersion}}, nil
	})
}

// OpenTask opens the next task, with the editor prefilled at the plan's prompt level.
func (e *Engine) OpenTask(ctx context.Context) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		next := s.Next()
		if next < 0 {
			return nil, nil, errors.New("every task of the plan is done")
		}
		payloads := append(gateFlag(s), session.TaskOpened{Index: next, Task: s.Tasks[next].ID})
		if text := e.tasks[next].PromptText(s.Plan.Level); text != "" {
			payloads = append(payloads, session.Inserted{
				Attempt: 1, What: fmt.Sprintf("level%d", s.Plan.Level), Splice: session.Splice{Insert: text},
			})
		}
		return nil, payloads, nil
	})
}

// Edit makes text the draft, as typed by the tester. The first edit of a task ends reading.
func (e *Engine) Edit(ctx context.Context, text string) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		payloads, err := typed(s, text)
		return nil, payloads, err
	})
}

// typed returns the events for turning the draft into text by typing.
func typed(s *session.State, text string) ([]session.Payload, error) {
	a := s.Attempt()
	if a == nil {
		return nil, errNoTask
	}
	splice := session.SpliceBetween(s.Task().Draft(), valid(text))
	if splice.IsZero() {
		return nil, nil
	}
	return append(beginEdit(s, a), session.DraftSaved{Attempt: a.N, Splice: splice}), nil
}

// valid replaces invalid UTF-8 as JSON would, so that offsets in a draft stay the same when it is stored.
func valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// beginEdit ends the reading of the task unless it has ended.
func beginEdit(s *session.State, a *session.Attempt) []session.Payload {
	if s.Phase == session.Read {
		return []session.Payload{session.EditStarted{Attempt: a.N}}
	}
	return nil
}

// Insert records a draft in two steps: before, as typed so far, and after, which differs by inserted text.
// What is the source of the text.
func (e *Engine) Insert(ctx context.Context, what, before, after string) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		a := s.Attempt()
		if a == nil {
			return nil, nil, errNoTask
		}
		payloads, err := typed(s, before)
		if err != nil {
			return nil, nil, err
		}
		if len(payloads) == 0 {
			payloads = beginEdit(s, a)
		}
		splice := session.SpliceBetween(valid(before), valid(after))
		if splice.IsZero() {
			return nil, payloads, nil
		}
		return nil, append(payloads, session.Inserted{Attempt: a.N, What: what, Splice: splice}), nil
	})
}

// ShowTab records which tab the tester looks at, and whether the answer in it is shown verbatim.
func (e *Engine) ShowTab(ctx context.Context, tab string, verbatim bool) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		a := s.Attempt()
		if a == nil {
			return nil, nil, errNoTask
		}
		return nil, []session.Payload{session.TabShown{Attempt: a.N, Tab: tab, Verbatim: verbatim}}, nil
	})
}

// Pick records which of two answers is better. Both reports whether they stood side by side.
func (e *Engine) Pick(ctx context.Context, outcome pairs.Outcome, both bool) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		a := s.Attempt()
		if a == nil || s.Plan.Arena == nil {
			return nil, nil, errors.New("there are no two answers to compare")
		}
		goes := session.Side(outcome)
		if !outcome.Decided() {
			_, goes = s.Plan.Arena.Draw(s.Task().ID, a.N)
		}
		return nil, []session.Payload{session.Picked{Attempt: a.N, Outcome: outcome, Goes: goes, Both: both}}, nil
	})
}

// Judge records the tester's decision on the answer under review. VerdictSeen reports whether its test
// results had been on the screen. A refinement starts with the previous prompt in a fresh context, and
// empty in a conversation.
func (e *Engine) Judge(ctx context.Context, d session.Decision, verdictSeen bool) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		a := s.Attempt()
		if a == nil {
			return nil, nil, errNoTask
		}
		payloads := []session.Payload{session.Judged{Attempt: a.N, Decision: d, VerdictSeen: verdictSeen}}
		if d == session.DecideRefine && s.Plan.Context == session.Fresh && a.Sent != nil {
			prompt, known := e.texts[a.Sent.Prompt]
			if !known {
				text, err := e.cfg.Store.Blob(a.Sent.Prompt)
				if err != nil {
					return nil, nil, err
				}
				prompt = text
			}
			payloads = append(payloads, session.Inserted{
				Attempt: a.N + 1, What: "prompt", Splice: session.Splice{Insert: string(prompt)},
			})
		}
		return nil, payloads, nil
	})
}

// Rate sets the score of an attribute of the final answer.
func (e *Engine) Rate(ctx context.Context, attribute string, score int) error {
	return e.do(ctx, nil, session.Rated{Attribute: attribute, Score: score})
}

// Label answers one of session.Labels.
func (e *Engine) Label(ctx context.Context, label, value string) error {
	return e.do(ctx, nil, session.Labelled{Label: label, Value: value})
}

// Note sets the note on the open task.
func (e *Engine) Note(ctx context.Context, text string) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		ended := drafted(s, session.WordsNote, "")
		if t := s.Task(); t != nil && t.Note == text {
			return nil, ended, nil
		}
		return nil, append(ended, session.Noted{Text: text}), nil
	})
}

// Draft saves words that are not submitted yet; "" ends their draft.
func (e *Engine) Draft(ctx context.Context, words session.Words, text string) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		return nil, drafted(s, words, text), nil
	})
}

// drafted returns the events for making text the draft of words.
func drafted(s *session.State, words session.Words, text string) []session.Payload {
	splice := session.SpliceBetween(s.Words[words], valid(text))
	if splice.IsZero() {
		return nil
	}
	return []session.Payload{session.WordsDrafted{For: words, Splice: splice}}
}

// Undo takes back the last rating, label or judgement of the open task.
func (e *Engine) Undo(ctx context.Context) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		seq := s.CanUndo()
		if seq == 0 {
			return nil, nil, errors.New("there is nothing to undo")
		}
		return nil, []session.Payload{session.Undone{Seq: seq}}, nil
	})
}

// Commit closes the open task with its rating, and the session after its last
// task.
func (e *Engine) Commit(ctx context.Context) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		t := s.Task()
		if t == nil {
			return nil, nil, errNoTask
		}
		payloads := closing(s, session.TaskClosed{Index: s.Current, Outcome: t.Decided(s.Plan.K)})
		if c := t.Check; c != nil && t.Checked != c.Score && t.Checked != 0 {
			payloads = append([]session.Payload{session.Flagged{Reason: fmt.Sprintf("attention check of task %s: %d was chosen, not %d", t.ID, t.Checked, c.Score)}}, payloads...)
		}
		if t.Corrections > 0 {
			payloads = append([]session.Payload{session.Flagged{Reason: fmt.Sprintf("task %s: its rating was corrected after it was closed", t.ID)}}, payloads...)
			return nil, payloads, nil
		}
		if n := straightLine(s); n > 0 && n%straightLineTasks == 0 {
			// Flag before closing the task, since only late results may follow the end of the session.
			payloads = append([]session.Payload{session.Flagged{Reason: fmt.Sprintf("straight-lining: %d tasks in a row with one score for all attributes", n)}}, payloads...)
		}
		return nil, payloads, nil
	})
}

// Correct reopens the rating of the task closed last.
func (e *Engine) Correct(ctx context.Context) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		at := s.Correctable()
		if at < 0 {
			return nil, nil, errors.New("there is no task to correct")
		}
		return nil, []session.Payload{session.CorrectionBegun{Index: at, Task: s.Tasks[at].ID}}, nil
	})
}

// straightLineTasks is the number of consecutive tasks with equal scores for all attributes that is flagged
// for the study's owner. The tester is not told: the scores may be meant.
const straightLineTasks = 3

// straightLine counts the consecutive tasks, up to the open one, in which all attributes have the same
// score.
func straightLine(s *session.State) int {
	n := 0
	for i := s.Current; i >= 0; i-- {
		t := &s.Tasks[i]
		if t.Practice || t.Outcome == session.Skipped {
			continue
		}
		for _, a := range s.Plan.Attributes {
			if score, rated := t.Ratings[a.ID]; !rated || score != t.Ratings[s.Plan.Attributes[0].ID] {
				return n
			}
		}
		if len(s.Plan.Attributes) < 2 {
			return 0
		}
		n++
	}
	return n
}

// Skip skips the open task, or the next one if none is open.
func (e *Engine) Skip(ctx context.Context, reason string) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		index := s.Current
		if index < 0 {
			index = s.Next()
		}
		if index < 0 {
			return nil, nil, errors.New("every task of the plan is done")
		}
		return nil, append(gateFlag(s), closing(s, session.TaskSkipped{Index: index, Task: s.Tasks[index].ID, Reason: reason, Unsolved: s.Unsolved()})...), nil
	})
}

// gateFlag flags a practice that finally failed the gate, when the first counted task is opened or skipped.
func gateFlag(s *session.State) []session.Payload {
	if !s.GateMissed() {
		return nil
	}
	return []session.Payload{session.Flagged{Reason: "practice: its gate was not passed, after all repeats"}}
}

// Flag records, in the tester's words, something that the study's owner should look at.
func (e *Engine) Flag(ctx context.Context, reason string) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		if strings.TrimSpace(reason) == "" {
			return nil, nil, errors.New("describe what the study's owner should look at")
		}
		where := "between tasks"
		if t := s.Task(); t != nil {
			where = "task " + t.ID
		}
		flag := session.Flagged{Reason: fmt.Sprintf("by the tester, %s: %s", where, valid(reason))}
		return nil, append(drafted(s, session.WordsFlag, ""), flag), nil
	})
}

// Answer answers a question of the exit survey.
func (e *Engine) Answer(ctx context.Context, question, answer string) error {
	return e.do(ctx, nil, session.Surveyed{Question: question, Answer: valid(answer)})
}

// Finish ends a session whose tasks and survey are done.
func (e *Engine) Finish(ctx context.Context) error {
	return e.do(ctx, nil, session.Closed{Reason: "finished"})
}

// closing appends the end of the session to the end of its last task, unless a survey follows.
func closing(s *session.State, end session.Payload) []session.Payload {
	if s.Plan.Adaptive == nil && s.Done() == len(s.Tasks)-1 && len(s.Plan.Survey) == 0 {
		return []session.Payload{end, session.Closed{Reason: "finished"}}
	}
	return []session.Payload{end}
}

// PauseReason is the reason for a pause as recorded in the log.
type PauseReason string

// The reasons for a pause.
const (
	PauseByTester PauseReason = "tester"
	PauseForBreak PauseReason = "break" // offered or demanded by the study
)

// Pause stops the clock.
func (e *Engine) Pause(ctx context.Context, reason PauseReason) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		if s.Paused != "" {
			return nil, nil, nil
		}
		return nil, []session.Payload{session.Paused{Reason: string(reason)}}, nil
	})
}

// BreakLeft returns how long, in milliseconds, the current break still has to last.
func (e *Engine) BreakLeft() int64 { return e.State().BreakLeft(e.cfg.Stamp()) }

// Now reads the monotonic clock of this process, in milliseconds.
func (e *Engine) Now() int64 { return e.cfg.Stamp().Mono }

// Worked returns how long, in milliseconds, the open task has been worked on.
func (e *Engine) Worked() int64 { return e.State().Worked(e.cfg.Stamp()) }

// Day returns the progress of the session.
func (e *Engine) Day() session.Day { return e.State().Day(e.cfg.Stamp()) }

// Resume ends a pause.
func (e *Engine) Resume(ctx context.Context) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		if s.Paused == "" {
			return nil, nil, nil
		}
		late, err := e.late(s)
		if err != nil {
			return nil, nil, err
		}
		return nil, append(late, session.Resumed{Reason: s.Paused}), nil
	})
}

// Focus records that the terminal gained or lost the focus.
func (e *Engine) Focus(ctx context.Context, gained bool) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		switch {
		case s.Closed != "" || s.Blurred == !gained:
			return nil, nil, nil
		case gained:
			return nil, []session.Payload{session.FocusGained{}}, nil
		}
		return nil, []session.Payload{session.FocusLost{}}, nil
	})
}

// Abandon closes the session before its end. Everything recorded is kept.
func (e *Engine) Abandon(ctx context.Context) error {
	return e.do(ctx, nil, session.Closed{Reason: "abandoned"})
}
