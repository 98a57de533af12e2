package prompts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/session/llm"
)

// maxAgain is how often a prompt that uses forbidden names is requested again.
const maxAgain = 2

// maxFailures is the number of consecutive failed requests after which writing stops.
const maxFailures = 5

// Writer lets a model write wordings of tasks. The first wording of a level is written from the previous
// level, the others rephrase the first one: 3 levels of 6 wordings are 18 prompts for a task. Prompts of a
// task are written one after the other, several tasks at a time.
type Writer struct {
	Client    llm.Client
	Author    Author
	Templates *Templates
	Set       *Set
	Levels    []int // ascending; default all three
	Wordings  int   // for each level; default 6
	Parallel  int   // tasks at a time; default 4
	Rejected  bool  // also refill places whose candidate was rejected
	Now       func() time.Time
	Progress  func(Progress) // called after each prompt, one call at a time; may be nil
}

// Progress is the progress of writing.
type Progress struct {
	Written, Failed, Total int
	In, Out                int // tokens
	Task, Name             string
	Err                    error // why this prompt could not be written
}

// Place is a prompt to be written.
type Place struct {
	Task           *benchmark.Task
	Level, Wording int
}

// ensureDefaults fills in unset fields.
func (w *Writer) ensureDefaults() {
	if len(w.Levels) == 0 {
		w.Levels = []int{1, 2, 3}
	}
	w.Wordings = cmp.Or(w.Wordings, MaxWordings)
	w.Parallel = cmp.Or(w.Parallel, 4)
	if w.Now == nil {
		w.Now = time.Now
	}
}

// Missing lists the places to fill, and the tasks without a reference solution, which only have level 1.
// Existing prompts are never requested again, unless they were written for an older version of the task.
func (w *Writer) Missing(tasks []*benchmark.Task) (places []Place, without []*benchmark.Task) {
	w.ensureDefaults()
	for _, t := range tasks {
		have := map[slotKey]bool{}
		if w.Set != nil {
			for _, e := range w.Set.Entries(t, "") {
				have[slotKey{t.ID, e.Level, e.Wording}] = !e.Stale && !(w.Rejected && e.Review == Rejected)
			}
		}
		for _, level := range w.Levels {
			if level > 1 && t.Reference == "" {
				if len(without) == 0 || without[len(without)-1] != t {
					without = append(without, t)
				}
				continue
			}
			for wording := 1; wording <= w.Wordings; wording++ {
				if !have[slotKey{t.ID, level, wording}] {
					places = append(places, Place{t, level, wording})
				}
			}
		}
	}
	return places, without
}

// Rough estimates the tokens for writing places without knowing the model: four characters for a token, and
// answers as long as the statement and half the reference.
func (w *Writer) Rough(places []Place) (in, out int) {
	for _, p := range places {
		f := FieldsOf(p.Task)
		file := TemplateNames()[p.Level-1]
		answer := len(f.Statement)
		if p.Level > 1 {
			answer += len(f.Reference) / 2
		}
		f.Before = f.Statement
		if p.Wording > 1 {
			file, f.Text = "rephrase.tmpl", f.Statement
		}
		if text, err := w.Templates.Render(file, f); err == nil {
			in += len(text)/4 + (p.Wording-1)*answer/4
		}
		out += answer/4 + 20
	}
	return in, out
}

// run is shared by the tasks being written.
type run struct {
	*Writer

	mu       sync.Mutex
	progress Progress
	inARow   int // failures in a row
}

// Write fills the missing places. Prompts already written are kept whatever happens. A prompt that cannot
// be written ends its own task only, unless all requests would fail likewise: such an error ends all and is
// returned.
func (w *Writer) Write(ctx context.Context, tasks []*benchmark.Task) (Progress, error) {
	places, _ := w.Missing(tasks)
	r := &run{Writer: w}
	r.progress.Total = len(places)
	writing, running := errgroup.WithContext(ctx)
	writing.SetLimit(w.Parallel)
	for chunk := range chunked(places) {
		writing.Go(func() error { return r.task(running, chunk) })
	}
	err := writing.Wait()
	return r.progress, cmp.Or(ctx.Err(), err)
}

// chunked splits places by task.
func chunked(places []Place) func(func([]Place) bool) {
	return func(yield func([]Place) bool) {
		for len(places) > 0 {
			n := 1
			for n < len(places) && places[n].Task == places[0].Task {
				n++
			}
			if !yield(places[:n]) {
				return
			}
			places = places[n:]
		}
	}
}

// task writes the places of one task, stopping at the first that fails. Its error ends all tasks.
func (r *run) task(ctx context.Context, places []Place) error {
	for _, p := range places {
		if ctx.Err() != nil {
			return nil
		}
		c, err := r.write(ctx, p)
		if err == nil {
			err = r.Set.Propose(c)
		}
		if ctx.Err() != nil && err != nil {
			return nil
		}
		if ends := r.record(p, c, err); err != nil {
			return ends
		}
	}
	return nil
}

// record records the result for a place, and returns the error that ends all tasks, if it does.
func (r *run) record(p Place, c Candidate, err error) (ends error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Task, r.progress.Name, r.progress.Err = p.Task.ID, nameOf(p.Level, p.Wording), err
	r.progress.In += c.In
	r.progress.Out += c.Out
	if err == nil {
		r.progress.Written++
		r.inARow = 0
	} else {
		r.progress.Failed++
		if r.inARow++; endsAll(err) || r.inARow >= maxFailures {
			ends = fmt.Errorf("%s %s: %w", p.Task.ID, nameOf(p.Level, p.Wording), err)
		}
	}
	if r.Progress != nil {
		r.Progress(r.progress)
	}
	return ends
}

// endsAll reports whether every other request would fail likewise.
func endsAll(err error) bool {
	var failed *llm.Error
	return errors.As(err, &failed) && (failed.Class == llm.Auth || failed.Class == llm.NoAnswer) || errors.Is(err, errReadOnly)
}

// errNoPrompt is returned if a model's answer contains no prompt.
var errNoPrompt = errors.New("the answer contains no prompt")

// Another writes an additional candidate for a place.
func (w *Writer) Another(ctx context.Context, t *benchmark.Task, level, wording int) error {
	w.ensureDefaults()
	c, err := w.write(ctx, Place{t, level, wording})
	if err != nil {
		return err
	}
	return w.Set.Propose(c)
}

// write requests a prompt, again if it uses forbidden names. If it cannot be requested again, the last one
// is kept: it is paid for and will be flagged.
func (w *Writer) write(ctx context.Context, p Place) (Candidate, error) {
	c := Candidate{Task: p.Task.ID, Basis: Basis(p.Task), Level: p.Level, Wording: p.Wording, Author: w.Author.Definition}
	file, fields, err := w.fields(p)
	if err != nil {
		return c, err
	}
	var names Names
	if p.Level == levelMethod {
		names = namesOf(p.Task)
	}
	for {
		text, err := w.Templates.Render(file, fields)
		if err == nil {
			err = w.request(ctx, text, &c)
		}
		if err != nil && c.Text == "" {
			return c, err
		}
		used := names.In(c.Text)
		if err != nil || len(used) == 0 || c.Asked > maxAgain || ctx.Err() != nil {
			return c, nil
		}
		fields.Avoid = merged(fields.Avoid, used)
	}
}

// request makes another request for a candidate and adds its cost. If the answer is unusable, the
// candidate's text stays.
func (w *Writer) request(ctx context.Context, text string, c *Candidate) error {
	sample := ((c.Level-1)*MaxWordings+c.Wording-1)*(maxAgain+1) + c.Asked
	c.Asked++
	answer, err := w.Client.Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}, Task: c.Task, Attempt: 1, Sample: sample}, nil)
	c.In, c.Out = c.In+answer.InputTokens, c.Out+answer.OutputTokens
	if err != nil {
		return err
	}
	prompt := PromptIn(answer.Text)
	switch {
	case answer.FinishReason == "length":
		return fmt.Errorf("%w whole: it was cut off at the model's max_tokens; raise it in the models file", errNoPrompt)
	case answer.FinishReason == "refusal" || answer.FinishReason == "content_filter":
		return fmt.Errorf("%w: the model refused (%s)", errNoPrompt, answer.FinishReason)
	case prompt == "":
		return errNoPrompt
	}
	c.Text, c.Model, c.Finish, c.At = prompt, answer.Model, answer.FinishReason, w.Now().UTC()
	return nil
}

// merged merges two lists of names without duplicates.
func merged(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// fields returns the template of a place with its fields.
func (w *Writer) fields(p Place) (file string, f Fields, err error) {
	f = FieldsOf(p.Task)
	var first, before string
	for _, e := range w.Set.Entries(p.Task, "") {
		if e.Stale || e.Review == Rejected && (e.Level != p.Level || e.Wording != p.Wording) {
			continue
		}
		switch {
		case e.Level == p.Level:
			f.Others = append(f.Others, e.Text)
			if e.Wording == 1 {
				first = e.Text
			}
		case e.Level == p.Level-1 && before == "":
			before = e.Text
		}
	}
	if p.Wording > 1 && first != "" {
		f.Text = first
		f.Others = slices.DeleteFunc(f.Others, func(text string) bool { return text == first })
		return "rephrase.tmpl", f, nil
	}
	if f.Before = before; p.Level > 1 && before == "" {
		f.Before = f.Statement // the previous level was not requested, or was rejected
	}
	return TemplateNames()[p.Level-1], f, nil
}
