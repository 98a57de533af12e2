package session

import (
	"fmt"
	"slices"
)

// MergeAnswer answers whether the tester would merge the final answer to a repository task.
type MergeAnswer string

// The answers.
const (
	MergeYes     MergeAnswer = "yes"
	MergeChanges MergeAnswer = "with_changes" // with small changes
	MergeNo      MergeAnswer = "no"
)

// MergeReason is a reason against merging an answer as it is.
type MergeReason struct{ ID, Name string }

// MergeReasons returns the reasons that reviewers of code give most, in the order in which they are shown.
func MergeReasons() []MergeReason {
	return []MergeReason{
		{"incorrect", "wrong or incomplete"},
		{"breaks", "breaks something else"},
		{"unreadable", "hard to read"},
		{"scope", "too large, or changes what does not belong to it"},
		{"tests_docs", "tests or documentation are missing"},
		{"style", "not in the project's style"},
		{"security", "unsafe"},
	}
}

// MergeID names the question among what a task still needs, see [State.Missing].
const MergeID = "merge"

// MergeJudged answers "Would you merge this?" as far as it is answered; a later one replaces it. It is
// complete with an answer and, unless that is yes, a reason in a tick or in words.
type MergeJudged struct {
	Answer  MergeAnswer `json:"answer,omitempty"`
	Reasons []string    `json:"reasons,omitempty"` // ids of MergeReasons
	Text    string      `json:"text,omitempty"`
}

// Kind implements [Payload].
func (MergeJudged) Kind() Kind { return KindMergeJudged }

// Complete reports whether the question is answered.
func (p *MergeJudged) Complete() bool {
	return p != nil && (p.Answer == MergeYes || p.Answer != "" && (len(p.Reasons) > 0 || p.Text != ""))
}

// AsksMerge reports whether the tester is asked if they would merge the answer to the open task.
func (s *State) AsksMerge() bool {
	t := s.Task()
	return t != nil && s.Plan.Merge && t.Repository
}

func (s *State) judgeMerge(p MergeJudged) error {
	t, err := s.inTask(p.Kind(), Rate)
	if err != nil {
		return err
	}
	if !s.AsksMerge() {
		return notNow(p.Kind(), "whether the answer would be merged is not asked here")
	}
	if !slices.Contains([]MergeAnswer{"", MergeYes, MergeChanges, MergeNo}, p.Answer) {
		return fmt.Errorf("%s: %q is not one of %q, %q, %q", p.Kind(), p.Answer, MergeYes, MergeChanges, MergeNo)
	}
	if p.Answer == MergeYes && len(p.Reasons) > 0 {
		return fmt.Errorf("%s: an answer that would be merged as it is has no reasons against it", p.Kind())
	}
	for i, id := range p.Reasons {
		if slices.Contains(p.Reasons[:i], id) || !slices.ContainsFunc(MergeReasons(), func(r MergeReason) bool { return r.ID == id }) {
			return fmt.Errorf("%s: reason %q is unknown, or given twice", p.Kind(), id)
		}
	}
	if len(p.Reasons) == 0 {
		p.Reasons = nil // as the log has it, so that a replay gives the same state
	}
	t.Merge = &p
	return nil
}

// AnswerMended is an edit of the final answer's files by the tester's own hand, after its judgement. It never
// changes an attempt.
type AnswerMended struct {
	Number int           `json:"number"` // of the edits of the task, from 1
	Files  []ChangedFile `json:"files"`  // all that was edited so far, compared with the answer
	Diff   Ref           `json:"diff"`   // answer and edits together, compared with the repository: what the tests run on
	MS     int64         `json:"ms"`     // how long the editor was open
}

// Kind implements [Payload].
func (AnswerMended) Kind() Kind { return KindAnswerMended }

// MendJudged is the result of the tests on the answer as edited by hand.
type MendJudged struct {
	Number int `json:"number"`
	VerdictRecorded
}

// Kind implements [Payload].
func (MendJudged) Kind() Kind { return KindMendJudged }

// Mend is an edit by hand with its verdict, once there is one.
type Mend struct {
	AnswerMended
	Verdict *MendJudged
}

// MayMend explains why the final answer cannot be edited by hand now, or is "".
func (s *State) MayMend() string {
	t, a := s.Task(), s.Attempt()
	switch {
	case !s.Plan.HandEdit || t == nil || !t.Repository:
		return "answers are not edited by hand here"
	case s.Phase != Rate:
		return "the final answer is edited when it has been judged"
	case a.Tree == nil:
		return "the answer was not applied to the repository"
	}
	return ""
}

func (s *State) mend(p AnswerMended) error {
	if why := s.MayMend(); why != "" {
		return notNow(p.Kind(), "%s", why)
	}
	t := s.Task()
	if p.Number != len(t.Mends)+1 {
		return notNow(p.Kind(), "edit %d cannot follow %d", p.Number, len(t.Mends))
	}
	t.Mends = append(t.Mends, Mend{AnswerMended: p})
	return nil
}

func (s *State) judgeMend(p MendJudged) error {
	if p.Task < 0 || p.Task >= len(s.Tasks) || p.Number < 1 || p.Number > len(s.Tasks[p.Task].Mends) {
		return notNow(p.Kind(), "task %d has no edit %d", p.Task, p.Number)
	}
	m := &s.Tasks[p.Task].Mends[p.Number-1]
	if m.Verdict != nil && m.Verdict.Verdict != sandboxError && m.Verdict.Verdict != notJudged {
		return notNow(p.Kind(), "the verdict on edit %d is recorded", p.Number)
	}
	m.Verdict = &p
	return nil
}
