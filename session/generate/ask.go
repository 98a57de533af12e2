package generate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay/session/llm"
	"assay/session/llm/endpoint"
)

// ask gets one answer and stores it. An error stops asking this model.
func (r *Run) ask(ctx context.Context, a *asked, x cell) error {
	if ctx.Err() != nil {
		return nil // requests still waiting in line
	}
	prompt := r.cells.prompts[x.task][x.prompt]
	in := tokensOf(a.model.System + prompt.Text)
	out := a.mostTokens()
	if most := a.model.Limits().Context; most > 0 && in > most {
		return r.failed(a, x, 0, &llm.Error{Class: llm.TooLong,
			Message: fmt.Sprintf("the prompt has about %d tokens, and max_context of the model is %d", in, most),
			Advice:  "shorten it, or leave the task out"}, true)
	}
	reserved := MostCost(a.model, prompt.Text)
	if a.model.CostLimit == nil {
		reserved = cost(a.model, atMost(a.model.System+prompt.Text), 0, out)
	}
	if err := r.account.Reserve(ctx, reserved); err != nil {
		if errors.Is(err, ErrBudget) {
			return err
		}
		return nil
	}
	task := r.cells.tasks[x.task]
	request := llm.Request{Messages: r.cells.messages(x), Task: task.ID, Attempt: max(1, r.o.Plan.Attempt), Sample: x.sample, Prompt: prompt.Name}
	if task.Repository != nil {
		request.Repository = task
	}
	var began time.Time // of the first request
	var broken error    // the file of failures
	answer, tries, err := a.endpoint.Do(ctx, endpoint.Call{Client: a.client, Tokens: in + min(out, 2*guessedAnswer),
		Request: request, Tries: a.model.Tries(endpoint.MaxTries),
		Sent: func(try int) {
			if try == 1 {
				began = time.Now()
			}
		},
		Failed: func(try int, failed *llm.Error) {
			broken = errors.Join(broken, r.failed(a, x, try, failed, false))
		}, Again: r.account.again})
	if err == nil {
		line := r.line(a, x, answer)
		line.Started, line.MS, line.Tries = began.UTC().Truncate(time.Millisecond), time.Since(began).Milliseconds(), tries
		if tries == 1 {
			line.Tries = 0
		}
		err := r.store(a, x, line)
		r.account.Settle(reserved, CostOf(a.model, prompt.Text, line))
		return errors.Join(err, broken)
	}
	r.account.Settle(reserved, 0)
	var failed *llm.Error
	switch {
	case ctx.Err() != nil || broken != nil:
		return broken
	case errors.Is(err, ErrBudget):
		return err
	case errors.As(err, &failed) && failed.Status == 403 && a.refusedAgain() < refusedMost:
		// Some servers reject a single prompt with the status for a bad key.
		return r.failed(a, x, tries, failed, true)
	case errors.Is(err, endpoint.ErrDown):
		return err
	case errors.As(err, &failed):
		return r.failed(a, x, tries, failed, true)
	}
	return err
}

// refusedMost is how many consecutive cells a server may reject with 403, after it has answered others,
// before the key counts as rejected.
const refusedMost = 10

// refusedAgain counts a rejection, and returns the number since the last answer; refusedMost if this
// process has had no answer.
func (a *asked) refusedAgain() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.count == a.before {
		return refusedMost
	}
	a.refused++
	return a.refused - 1
}

// line returns an answer as it is stored.
func (r *Run) line(a *asked, x cell, answer llm.Answer) Answer {
	t := r.cells.tasks[x.task]
	line := Answer{TaskID: t.ID, Model: a.model.Name, Prompt: r.cells.prompts[x.task][x.prompt].Name, Sample: x.sample,
		Key: r.cells.key(a.definition, x), Text: answer.Text, Thinking: answer.Thinking, Unreviewed: r.cells.prompts[x.task][x.prompt].Unreviewed, FinishReason: answer.FinishReason, ServedBy: answer.Model,
		Fingerprint: answer.Fingerprint, InputTokens: answer.InputTokens, OutputTokens: answer.OutputTokens,
		CachedTokens: answer.CachedTokens, ReasoningTokens: answer.ReasoningTokens,
		Transcript: answer.Transcript, CostUSD: answer.CostUSD, Steps: answer.Steps, GaveUp: answer.GaveUp,
		Flags: flags(answer, t), Odd: answer.Odd}
	if seed, sent := a.model.SeedOf(x.sample); sent {
		line.Seed = &seed
	}
	return line
}

// store writes an answer, then counts it.
func (r *Run) store(a *asked, x cell, line Answer) error {
	prompt := r.cells.prompts[x.task][x.prompt]
	if err := a.journals[prompt.Name].add(line); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	r.note(a, r.cells.number(x), prompt.Text, line)
	a.refused = 0
	return nil
}

// mostTokens limits the length of the next answer: the model's limit if there is one, else 1.5 times the
// longest so far.
func (a *asked) mostTokens() int {
	if a.model.MaxTokens != nil {
		return *a.model.MaxTokens
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(longestAnswer, a.usage.longest*3/2)
}
