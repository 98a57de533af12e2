package harden

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"assay/session/generate"
	"assay/session/llm"
)

// Asked is a model that is asked.
type Asked struct {
	Model  llm.Model
	Client llm.Client
}

// request asks a model, unless the file has its answer already. The answer is in the file when request
// returns it.
func (r *run) request(ctx context.Context, who *Asked, step, task string, number int, text string) (string, error) {
	key := Request{Step: step, Task: task, Number: number, Definition: who.Model.Definition(), Text: textHash(text)}
	var before *Answer
	r.File.Look(func(s *State) { before = s.answers[key] })
	if before != nil {
		return usable(before)
	}
	reserved := generate.MostCost(who.Model, text)
	if err := r.Account.Reserve(ctx, reserved); err != nil {
		return "", err
	}
	answer, err := who.Client.Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}, Task: task, Attempt: 1, Sample: number, Prompt: step}, nil)
	if err != nil {
		r.Account.Settle(reserved, 0)
		return "", err
	}
	cost := generate.CostOf(who.Model, text, generate.Answer{Text: answer.Text, InputTokens: answer.InputTokens, OutputTokens: answer.OutputTokens, CostUSD: answer.CostUSD})
	a := &Answer{Request: key, Model: who.Model.Name, Answer: answer.Text, Finish: answer.FinishReason,
		In: answer.InputTokens, Out: answer.OutputTokens, Cost: cost, At: r.Now().UTC()}
	r.Account.Settle(reserved, cost)
	if err := r.File.Add(Event{Answer: a}); err != nil {
		return "", &fileError{err}
	}
	return usable(a)
}

// fileError is an error of the file, after which nothing more is asked.
type fileError struct{ error }

func (e *fileError) Unwrap() error { return e.error }

// textHash identifies a text in the file.
func textHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// errUnusable is wrapped by the error for an answer that has nothing to use.
var errUnusable = errors.New("the answer cannot be used")

func usable(a *Answer) (string, error) {
	switch {
	case a.Finish == "length":
		return "", fmt.Errorf("%w: it was cut off at the model's max_tokens", errUnusable)
	case a.Finish == "refusal" || a.Finish == "content_filter":
		return "", fmt.Errorf("%w: the model refused (%s)", errUnusable, a.Finish)
	case strings.TrimSpace(a.Answer) == "":
		return "", fmt.Errorf("%w: it is empty", errUnusable)
	}
	return a.Answer, nil
}

var jsonBlock = regexp.MustCompile("(?s)```json[ \t]*\n(.*?)\n[ \t]*```")

// inputsIn returns the arguments of calls in a model's answer: those in a block of JSON. A model that gives
// none is not wrong.
func inputsIn(answer string) [][]json.RawMessage {
	var list [][]json.RawMessage
	for _, m := range jsonBlock.FindAllStringSubmatch(answer, -1) {
		var calls [][]json.RawMessage
		if json.Unmarshal([]byte(m[1]), &calls) == nil {
			list = append(list, calls...)
		}
	}
	return list
}

// withoutJSON returns an answer without its blocks of JSON, so that what remains is the program.
func withoutJSON(answer string) string { return jsonBlock.ReplaceAllString(answer, "") }
