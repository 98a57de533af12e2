package overlap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/scoring/pairs"
	"assay/session"
)

// SessionPick is a tester's judgement of the answers of two models to a prompt, made in a session.
type SessionPick struct {
	Session  string           `json:"session"` // its id
	Tester   string           `json:"tester"`
	Task     session.PlanTask `json:"task"`     // id, title and metadata
	Attempt  int              `json:"attempt"`  // its number, from 1
	Models   [2]string        `json:"models"`   // names of the models on the sides A and B
	Verdicts [2]string        `json:"verdicts"` // on their answers; empty: none
	Bytes    [2]int           `json:"bytes"`    // lengths of their answers
	Marks    [2]int           `json:"marks"`    // of these: see [Marks]
	Outcome  pairs.Outcome    `json:"outcome"`
	MS       int64            `json:"ms"`             // from both answers to the pick, without pauses
	Both     bool             `json:"both,omitempty"` // both answers stood side by side
	At       time.Time        `json:"at"`
}

// PicksOf lists the judgements of two models' answers in a session, given its complete log and texts: those of tasks that count.
// Reason says why there is none.
func PicksOf(events []session.Event, texts func(session.Ref) ([]byte, error)) (list []SessionPick, reason string, err error) {
	s, intervals, err := session.Fold(events)
	if err != nil {
		return nil, "", fmt.Errorf("the log cannot be replayed: %w", err)
	}
	switch {
	case s.Closed == "withdrawn":
		return nil, "withdrawn", nil
	case s.Plan.Arena == nil:
		return nil, "of one model", nil
	case s.Closed != "finished":
		return nil, "not finished", nil
	}
	type attempt struct{ task, n int }
	took := map[attempt]int64{}
	for _, iv := range intervals {
		if iv.Comparing && !iv.Paused && !iv.Unobserved {
			took[attempt{iv.Task, iv.Attempt}] += iv.MS
		}
	}
	at := map[attempt]time.Time{}
	task := -1
	for _, e := range events {
		switch p := e.Payload.(type) {
		case session.TaskOpened:
			task = p.Index
		case session.Picked:
			at[attempt{task, p.Attempt}] = time.UnixMilli(e.Wall).UTC()
		}
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Practice || !t.Closed || t.Outcome == session.Skipped {
			continue
		}
		for k := range t.Attempts {
			a := &t.Attempts[k]
			if a.Picked == nil {
				continue
			}
			this := attempt{i, a.N}
			p := SessionPick{Session: s.Session, Tester: s.Plan.Tester, Attempt: a.N, Outcome: a.Picked.Outcome, Both: a.Picked.Both, MS: took[this], At: at[this],
				Task: session.PlanTask{ID: t.ID, Title: t.Title, Difficulty: t.Difficulty, Type: t.Type, Category: t.Category}}
			for n, side := range session.Sides() {
				on := a.On(side)
				p.Models[n], p.Bytes[n] = s.Plan.Arena.Models[a.Sent.Sides[n]].Name, on.Answer.Bytes
				text, err := texts(on.Answer.Answer)
				if err != nil {
					return nil, "", err
				}
				p.Marks[n] = Marks(string(text))
				if on.Verdict != nil {
					p.Verdicts[n] = on.Verdict.Verdict
				}
			}
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		reason = "no pick in a task that counts"
	}
	return list, reason, nil
}

// same reports whether both are the judgement of one prompt.
func (p *SessionPick) same(o *SessionPick) bool {
	return p.Session == o.Session && p.Task.ID == o.Task.ID && p.Attempt == o.Attempt
}

// NewPicks returns the events of the picks that are not in the set yet.
func (s *Set) NewPicks(list []SessionPick) (fresh []Event) {
	for i := range list {
		p := &list[i]
		if !slices.ContainsFunc(s.picks, p.known) {
			fresh = append(fresh, Event{Picked: p})
		}
	}
	return fresh
}

func (p *SessionPick) known(o SessionPick) bool { return p.same(&o) }

// pick folds a pick of a session.
func (s *Set) pick(p SessionPick) error {
	switch {
	case s.Header.Rater != "":
		return fmt.Errorf("\"picked\": one rater's file has no picks of sessions")
	case len(s.Header.Pairs) == 0:
		return errors.New("\"picked\": these ratings are not of pairs")
	case p.Session == "" || p.Task.ID == "" || p.Attempt < 1:
		return fmt.Errorf("\"picked\": \"session\" %q, the id %q of \"task\", or \"attempt\" %d is missing", p.Session, p.Task.ID, p.Attempt)
	case strings.TrimSpace(p.Tester) == "":
		return errors.New("\"picked\": \"tester\" is empty")
	case p.Models[0] == "" || p.Models[1] == "" || p.Models[0] == p.Models[1]:
		return fmt.Errorf("\"picked\": \"models\" are %q, not two", p.Models)
	case !p.Outcome.Valid():
		return fmt.Errorf("\"picked\": \"outcome\" is %q, not one of a, b, = and 0", p.Outcome)
	case p.MS < 0 || min(p.Bytes[0], p.Bytes[1], p.Marks[0], p.Marks[1]) < 0:
		return fmt.Errorf("\"picked\": \"ms\" %d, \"bytes\" %v and \"marks\" %v must be 0 or more", p.MS, p.Bytes, p.Marks)
	case slices.ContainsFunc(s.picks, p.known):
		return fmt.Errorf("\"picked\": attempt %d at %s in session %s is there already", p.Attempt, p.Task.ID, p.Session)
	}
	s.picks = append(s.picks, p)
	return nil
}

// matches reports whether a filter matches the pick's task.
func (p *SessionPick) matches(filter benchmark.Filter) bool {
	return filter.Match(&benchmark.Task{ID: p.Task.ID, Title: p.Task.Title, Difficulty: p.Task.Difficulty, Type: p.Task.Type, Category: p.Task.Category})
}

// picks counts the picks of sessions. A tester with the name of a rater is the same person.
func (c *pairCounter) picks() {
	h := &c.set.Header
	var testers, tasks []string
	number := func(list *[]string, id string) int {
		i := slices.Index(*list, id)
		if i < 0 {
			i = len(*list)
			*list = append(*list, id)
		}
		return i
	}
	for _, p := range c.set.picks {
		rater := slices.IndexFunc(h.Raters, func(name string) bool { return strings.EqualFold(name, p.Tester) })
		letter := ""
		if rater >= 0 {
			letter = h.Letter(h.Raters[rater])
		} else {
			at := number(&testers, strings.ToLower(p.Tester))
			rater, letter = len(h.Raters)+at, fmt.Sprintf("tester %d", at+1)
		}
		task := slices.IndexFunc(h.Items, func(i Item) bool { return i.Task.ID == p.Task.ID })
		if task < 0 {
			task = len(h.Items) + number(&tasks, p.Task.ID)
		}
		style := Style(Shape{Bytes: p.Bytes[0], Marks: p.Marks[0]}, Shape{Bytes: p.Bytes[1], Marks: p.Marks[1]})
		c.list = append(c.list, pairs.Judgement{A: slices.Index(c.models, p.Models[0]), B: slices.Index(c.models, p.Models[1]), Outcome: p.Outcome, Style: style, Rater: rater, Task: task})
		c.a.Judgements++
		c.a.Picks++
		if p.Outcome.Decided() {
			c.a.Left.All++
			c.a.Wrong.Against(p.Verdicts[0], p.Verdicts[1], p.Outcome)
		}
		if p.Outcome == pairs.A {
			c.a.Left.N++
		}
		c.a.Given = append(c.a.Given, PairGiven{Task: p.Task.ID, Rater: letter, Left: p.Models[:1], Right: p.Models[1:], Outcome: p.Outcome, Use: "pick"})
	}
}
