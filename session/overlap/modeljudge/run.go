package modeljudge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/session"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/overlap"
	"assay/session/prompts"
)

// Options configure what judges are asked.
type Options struct {
	File      *overlap.File
	Judges    []*generate.Asked
	Templates *prompts.Templates
	Repeats   int // of each question, from 1
	Parallel  int // requests at a time
	Account   *generate.Account
	Now       func() time.Time
	Say       func(string) // one call at a time
}

// run asks one judge.
type run struct {
	Options
	who    *generate.Asked
	header *overlap.Header
	id     string

	mu     sync.Mutex
	ended  bool // no more is asked
	inARow int  // failures
	failed int
}

// JudgeOf returns the judge that a model is with these templates.
func (o *Options) JudgeOf(h *overlap.Header, m llm.Model) (overlap.Judge, error) {
	j := overlap.NewJudge(session.Model{Name: m.Name, Provider: m.Provider, Model: m.Model, Recorded: m.Free(), Definition: m.Definition()}, o.Templates.Hash(), "", o.Now().UTC())
	questions := h.Questions(j.ID, 1)
	if len(questions) == 0 {
		return j, errors.New("there is nothing to judge")
	}
	var err error
	j.Text, err = Request(o.Templates, h, questions[0])
	return j, err
}

// Missing lists the questions that a judge has not answered.
func (o *Options) Missing(judge string) (list []overlap.Question) {
	o.File.Look(func(s *overlap.Set) {
		for _, q := range s.Header.Questions(judge, o.Repeats) {
			if !s.HasJudged(q) {
				list = append(list, q)
			}
		}
	})
	return list
}

// Run asks each judge what it was not asked yet, one judge after the other, and returns the number of requests that
// failed; the same run sends them again. A judge whose server is given up does not keep others from being asked: the
// errors of all are joined. They wrap generate.ErrBudget, or are those of a model, of the file, or of the context.
func Run(ctx context.Context, o Options) (failed int, err error) {
	var header overlap.Header
	o.File.Look(func(s *overlap.Set) {
		header = s.Header
		for _, p := range s.JudgeProgress() {
			o.Account.Charge(p.Cost)
		}
	})
	for _, who := range o.Judges {
		j, err2 := o.JudgeOf(&header, who.Model)
		if err2 != nil {
			return failed, err2
		}
		r := &run{Options: o, who: who, header: &header, id: j.ID}
		err2 = r.all(ctx, j)
		failed += r.failed
		err = errors.Join(err, err2)
		if ctx.Err() != nil || errors.Is(err2, generate.ErrBudget) || errors.As(err2, new(*fileError)) {
			break
		}
	}
	return failed, err
}

// all asks one judge.
func (r *run) all(ctx context.Context, j overlap.Judge) error {
	known := false
	r.File.Look(func(s *overlap.Set) {
		for _, other := range s.Judges() {
			known = known || other.ID == j.ID
		}
	})
	if !known {
		if err := r.File.Add(overlap.Event{Judge: &j}); err != nil {
			return &fileError{err}
		}
	}
	var asking errgroup.Group // an error does not cancel requests under way, which cost money
	asking.SetLimit(max(1, r.Parallel))
	for _, q := range r.Missing(j.ID) {
		asking.Go(func() error { return r.ask(ctx, q) })
	}
	return cmp.Or(ctx.Err(), asking.Wait())
}

// ask asks one question and records the answer. Its error ends this judge.
func (r *run) ask(ctx context.Context, q overlap.Question) error {
	r.mu.Lock()
	ended := r.ended
	r.mu.Unlock()
	if ended || ctx.Err() != nil {
		return nil
	}
	text, err := Request(r.Templates, r.header, q)
	if err != nil {
		return err
	}
	item := r.header.Item(cmp.Or(q.Item, q.A))
	answer, cost, err := r.Account.Ask(ctx, r.who, text, llm.Request{Task: item.Task.ID, Sample: q.Repeat, Prompt: q.Unit()})
	var broken *llm.Error
	var e overlap.Judged
	switch {
	case err == nil:
		e = r.read(q, answer)
	case errors.As(err, &broken) && broken.Class == llm.TooLong:
		e = overlap.Judged{Question: q, Problem: overlap.TooLong, Why: broken.Message}
	case errors.As(err, &broken) && broken.Class == llm.Filtered:
		e = overlap.Judged{Question: q, Problem: overlap.Refused, Why: broken.Message}
	case ctx.Err() != nil:
		return nil
	default:
		return r.fail(fmt.Errorf("%s: %w", r.who.Model.Name, err))
	}
	e.Answer, e.In, e.Out, e.Cost, e.At = answer.Text, answer.InputTokens, answer.OutputTokens, cost, r.Now().UTC()
	if err := r.File.Add(overlap.Event{Judged: &e}); err != nil {
		return &fileError{err}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inARow = 0
	return nil
}

// read returns what an answer says, or its problem.
func (r *run) read(q overlap.Question, answer llm.Answer) overlap.Judged {
	err := generate.Usable(answer.FinishReason, answer.Text)
	problem := overlap.Nonsense
	if err != nil && (answer.FinishReason == "refusal" || answer.FinishReason == "content_filter") {
		problem = overlap.Refused
	}
	e := overlap.Judged{}
	if err == nil {
		if e, err = Read(r.header, q, answer.Text); err == nil {
			return e
		}
		if refuses(answer.Text) {
			problem = overlap.Refused
		}
	}
	return overlap.Judged{Question: q, Problem: problem, Why: err.Error()}
}

// refuses reports whether an answer without a judgement says that there will be none.
func refuses(text string) bool {
	const beginning = 200 // bytes
	text = strings.ToLower(text[:min(beginning, len(text))])
	for _, words := range []string{"i can't", "i cannot", "i can’t", "i won't", "i will not", "i'm unable", "i am unable", "i'm sorry", "i am sorry"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// fileError is an error of the file, after which nothing more is asked.
type fileError struct{ error }

func (e *fileError) Unwrap() error { return e.error }

// fail counts a failed request, and returns its error if others would end the same way.
func (r *run) fail(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed++
	r.inARow++
	if generate.Hopeless(err) || r.inARow >= generate.MaxFailures {
		r.ended = true
		return err
	}
	r.Say(err.Error())
	return nil
}
