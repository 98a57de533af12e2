package overlap

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/session"
)

// Pool holds the outputs that can be rated again.
type Pool struct {
	Left   map[string]int // number of tasks that cannot, by reason, without practice
	Masked int            // names of models that were masked

	Attempts bool // each attempt of a session is an output, of the arm "attempt N"; set it before adding

	plan  *session.Plan // of the first session: all must be rated in the same way
	from  string        // id of the first session
	list  []candidate
	known map[string]int // items by id

	models []string // that the answers are of
}

// candidate is an output that may be drawn.
type candidate struct {
	item    Item
	task    session.PlanTask
	origins []Origin
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{Left: map[string]int{}, known: map[string]int{}} }

// Len returns the number of distinct outputs.
func (p *Pool) Len() int { return len(p.list) }

// Add adds the outputs of a session, given its complete log and texts. It leaves out what raters must not
// see. tests determines what they see of the tests; if empty, what the study shows before a judgement. It
// must be the same for all sessions and for the plan.
func (p *Pool) Add(events []session.Event, texts func(session.Ref) ([]byte, error), tests session.TestsSeen) error {
	s, err := session.Replay(events)
	if err != nil {
		return fmt.Errorf("the log cannot be replayed: %w", err)
	}
	why := ""
	switch {
	case s.Closed == "withdrawn":
		why = "of sessions that were withdrawn"
	case s.Origin == session.Imported:
		why = "of sessions that were imported, which have no outputs"
	case s.Plan.Automatic != nil:
		why = "of automatic testers"
	case s.Closed != "finished":
		why = "of sessions that are not finished"
	}
	if why != "" {
		p.Left[why] += max(1, len(s.Tasks))
		return nil
	}
	if p.plan == nil {
		p.plan, p.from = &s.Plan, s.Session
	}
	switch {
	case !sameForm(*p.plan, s.Plan):
		return fmt.Errorf("sessions %s and %s rate different attributes or labels, or on different scales: plan them separately", p.from, s.Session)
	case tests == "" && seen(p.plan.Tests) != seen(s.Plan.Tests):
		return fmt.Errorf("sessions %s and %s show testers different parts of the tests: choose what raters see with --tests", p.from, s.Session)
	}
	if s.Plan.Arena != nil {
		for _, m := range s.Plan.Arena.Models {
			p.models = append(p.models, m.Name)
		}
	} else {
		p.models = append(p.models, s.Plan.Model.Name)
	}
	for i := range s.Tasks {
		if err := p.add(s, &s.Tasks[i], texts, cmp.Or(tests, seen(s.Plan.Tests))); err != nil {
			return fmt.Errorf("session %s, task %s: %w", s.Session, s.Tasks[i].ID, err)
		}
	}
	return nil
}

// seen returns what a study shows of the tests before a judgement.
func seen(t session.TestsSeen) session.TestsSeen { return cmp.Or(t, session.SeeTests) }

func (p *Pool) add(s *session.State, t *session.Task, texts func(session.Ref) ([]byte, error), tests session.TestsSeen) error {
	switch last := len(t.Attempts) - 1; {
	case t.Practice:
		return nil
	case !t.Closed || t.Outcome == session.Skipped:
		p.Left["that were left out"]++
		return nil
	case last < 0 || t.Attempts[last].Answer == nil || t.Attempts[last].Answer.Answer == "":
		p.Left["without an answer"]++
		return nil
	}
	arm := s.Plan.ModelShown()
	if s.Plan.Study != nil {
		arm = s.Plan.Study.Arm
	}
	if !p.Attempts {
		return p.addAnswer(s, t, arm, texts, tests)
	}
	for i := range t.Attempts {
		if a := t.Attempts[i].Answer; a == nil || a.Answer == "" {
			continue
		}
		single := *t
		single.Attempts = t.Attempts[i : i+1]
		if i < len(t.Attempts)-1 {
			single.Ratings, single.Labels = nil, nil // which are of the last one
		}
		if err := p.addAnswer(s, &single, fmt.Sprintf("attempt %d", t.Attempts[i].N), texts, tests); err != nil {
			return err
		}
	}
	return nil
}

// addAnswer adds the answer of a task's last attempt.
func (p *Pool) addAnswer(s *session.State, t *session.Task, arm string, texts func(session.Ref) ([]byte, error), tests session.TestsSeen) error {
	c := candidate{task: t.PlanTask}
	b := builder{item: &c.item, texts: texts, tests: tests}
	if err := b.build(s, t); err != nil {
		return err
	}
	origin := Origin{Item: c.item.ID, Session: s.Session, Task: t.ID, Arm: arm, Tester: s.Plan.Tester, Ratings: map[string]int{}, Labels: map[string]string{}}
	if v := t.Attempts[len(t.Attempts)-1].Verdict; v != nil {
		origin.Verdict = v.Verdict
	}
	for _, a := range s.Plan.Attributes {
		if score, ok := t.Ratings[a.ID]; ok {
			origin.Ratings[a.ID] = score
		}
	}
	for _, l := range shownLabels(s.Plan) {
		if value, ok := t.Labels[l.ID]; ok {
			origin.Labels[l.ID] = value
		}
	}
	c.origins = []Origin{origin}
	p.keep(c)
	return nil
}

// builder builds what raters are shown.
type builder struct {
	item  *Item
	texts func(session.Ref) ([]byte, error)
	tests session.TestsSeen
}

func (b *builder) build(s *session.State, t *session.Task) error {
	b.item.Texts, b.item.Files = map[session.Ref]string{}, map[session.Ref][]byte{}
	task := benchmark.Task{ID: t.ID, Title: t.Title}
	if t.Content != "" {
		text, err := b.texts(t.Content)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &task); err != nil {
			return fmt.Errorf("the task cannot be read: %w", err)
		}
	}
	task = shownTask(task, s.Plan.Reference)
	ref, text := session.TaskContent(&task)
	b.keep(ref, text)
	b.item.Task = session.PlanTask{ID: t.ID, Title: t.Title, Difficulty: t.Difficulty, Type: t.Type, Category: t.Category, Content: ref}
	for i := range t.Attempts {
		a := &t.Attempts[i]
		if a.Answer == nil || a.Sent == nil {
			continue
		}
		shown, err := b.attempt(a)
		if err != nil {
			return err
		}
		b.item.Attempts = append(b.item.Attempts, shown)
	}
	if len(b.item.Files) == 0 {
		b.item.Files = nil
	}
	b.item.ID = b.item.hash()
	return nil
}

func (b *builder) attempt(a *session.Attempt) (Shown, error) {
	shown := Shown{Prompt: a.Sent.Prompt, Answer: a.Answer.Answer}
	if a.Extracted != nil {
		e := *a.Extracted
		e.Task = 0
		shown.Extracted = &e
	}
	if a.Tree != nil {
		tree := *a.Tree
		tree.Task = 0
		shown.Tree = &tree
	}
	if a.Measured != nil {
		m := *a.Measured
		m.Task = 0
		shown.Measured = &m
	}
	if a.Verdict != nil && b.tests != session.SeeNothing {
		v := *a.Verdict
		v.Task = 0
		if b.tests == session.SeeVerdict || verdicts.Verdict(v.Verdict) == verdicts.SandboxError {
			v.Detail, v.Outputs, v.Message = "", nil, ""
		}
		shown.Verdict = &v
	}
	for _, ref := range session.Refs(shownRefs(shown)) {
		text, err := b.texts(ref)
		if err != nil {
			return shown, err
		}
		b.keep(ref, text)
	}
	return shown, nil
}

// shownRefs wraps an attempt as a payload, whose references can be listed.
func shownRefs(s Shown) session.Payload { return refs{Shown: s} }

type refs struct{ Shown }

// Kind makes refs a payload.
func (refs) Kind() session.Kind { return "" }

// keep adds a text to the item; data that is not text becomes a file.
func (b *builder) keep(ref session.Ref, text []byte) {
	if utf8.Valid(text) {
		b.item.Texts[ref] = string(text)
	} else {
		b.item.Files[ref] = text
	}
}

// named returns the value of a field, or that it has none.
func (c *candidate) named(field string) string { return cmp.Or(c.stratum(field), "no "+field) }

// stratum returns the value of a stratification field.
func (c *candidate) stratum(field string) string {
	switch o := c.origins[0]; field {
	case "task":
		return o.Task
	case "arm", "model": // without a study the arm is the model
		return o.Arm
	case "tester":
		return o.Tester
	case "difficulty":
		return string(c.task.Difficulty)
	case "type":
		return c.task.Type
	case "verdict":
		return o.Verdict
	}
	return c.task.Category
}

// Fields lists the fields available for stratification.
func Fields() []string {
	return []string{"task", "model", "arm", "tester", "difficulty", "type", "category", "verdict"}
}

// wrote reports whether somebody wrote the prompts of one of the origins.
func (c *candidate) wrote(rater string) bool {
	return slices.ContainsFunc(c.origins, func(o Origin) bool { return o.Tester != "" && strings.EqualFold(o.Tester, rater) })
}
