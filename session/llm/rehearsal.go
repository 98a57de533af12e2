package llm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// defaultPace is the speed of the rehearsal provider in tokens per second: about that of a hosted model,
// slow enough to read.
const defaultPace = 60

// PaceVariable is the environment variable for the speed of the rehearsal provider in tokens per second; 0
// plays a recording at once.
const PaceVariable = "ASSAY_REHEARSAL_PACE"

// rehearsal plays recorded answers. A token is a word with the space before it.
type rehearsal struct {
	deps Deps
	pace float64 // tokens per second; 0: no delay
	name string
}

// newRehearsal uses the pace of the environment, else of the model, else [defaultPace].
func newRehearsal(m Model, deps Deps) (*rehearsal, error) {
	r := &rehearsal{deps: deps, pace: defaultPace, name: m.Name}
	if m.Pace != nil {
		r.pace = *m.Pace
	}
	if text := deps.Getenv(PaceVariable); text != "" {
		pace, err := strconv.ParseFloat(text, 64)
		if err != nil || !(pace >= 0) {
			return nil, fmt.Errorf("%s is %q: set it to tokens per second, such as 60, or to 0 for no delay", PaceVariable, text)
		}
		r.pace = pace
	}
	return r, nil
}

// Stream plays the recording of req's task and attempt.
func (r *rehearsal) Stream(ctx context.Context, req Request, delta func(string)) (Answer, error) {
	text, ok := r.deps.Recorded(req.Task, max(req.Attempt, 1))
	if !ok {
		return Answer{}, &Error{
			Class:   NoAnswer,
			Message: fmt.Sprintf("no answer is recorded for the task %q", req.Task),
			Advice:  "rehearse with the tasks of the starter benchmark, or choose another model",
		}
	}
	return r.recite(ctx, req, text, delta)
}

// recite plays text as the answer to req.
func (r *rehearsal) recite(ctx context.Context, req Request, text string, delta func(string)) (Answer, error) {
	tokens := tokenise(text)
	// A model thinks before it writes: the first token takes as long as ten.
	wait := 10.0
	for i, token := range tokens {
		if i > 0 {
			wait = 0.5 + r.deps.Random() // around the time of one token, to look alive
		}
		if err := r.pause(ctx, wait); err != nil {
			return Answer{}, err
		}
		if delta != nil {
			delta(token)
		}
	}
	return Answer{
		Text:         text,
		FinishReason: "stop",
		Model:        r.name + " (recorded)",
		InputTokens:  countTokens(req.Messages),
		OutputTokens: len(tokens),
	}, nil
}

// pause waits for the time of the given number of tokens. It checks ctx even if there is no delay.
func (r *rehearsal) pause(ctx context.Context, tokens float64) error {
	if err := ctx.Err(); err != nil || r.pace == 0 {
		return err
	}
	return r.deps.Sleep(ctx, time.Duration(tokens/r.pace*float64(time.Second)))
}

// tokenise splits text into words, each with the white space before it; joined they are the text.
func tokenise(text string) []string {
	var tokens []string
	start, inWord := 0, false
	for i, c := range text {
		space := unicode.IsSpace(c)
		if space && inWord {
			tokens = append(tokens, text[start:i])
			start = i
		}
		inWord = !space
	}
	if start < len(text) {
		tokens = append(tokens, text[start:])
	}
	return tokens
}

func countTokens(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += len(strings.Fields(m.Text))
	}
	return n
}
