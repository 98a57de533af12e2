package generate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/session/llm"
	"assay/session/llm/endpoint"
)

// Asked is a model that is asked for single answers.
type Asked struct {
	Model  llm.Model
	Client llm.Client
}

// Ask gets one answer to a text within the budget, with its cost. The request says what else the client needs.
func (a *Account) Ask(ctx context.Context, who *Asked, text string, request llm.Request) (answer llm.Answer, cost float64, err error) {
	reserved := MostCost(who.Model, text)
	if err := a.Reserve(ctx, reserved); err != nil {
		return answer, 0, err
	}
	defer func() { a.Settle(reserved, cost) }()
	request.Messages, request.Attempt = []llm.Message{{Role: llm.User, Text: text}}, 1
	if answer, err = who.Client.Stream(ctx, request, nil); err != nil {
		return answer, 0, err
	}
	return answer, CostOf(who.Model, text, Answer{Text: answer.Text, InputTokens: answer.InputTokens, OutputTokens: answer.OutputTokens, CostUSD: answer.CostUSD}), nil
}

// MaxFailures is the number of consecutive failed requests after which no more are sent.
const MaxFailures = 5

// Hopeless reports whether further requests would fail as one did: the key is refused, the server is given up, the budget is
// used up, or the error is of no model at all.
func Hopeless(err error) bool {
	var failed *llm.Error
	return !errors.As(err, &failed) || failed.Class == llm.Auth || errors.Is(err, endpoint.ErrDown) || errors.Is(err, ErrBudget)
}

// ErrUnusable is wrapped by the error for an answer that has nothing to use.
var ErrUnusable = errors.New("the answer cannot be used")

// Usable returns the error for an answer that was cut off or is empty, or with which the model refused.
func Usable(finish, text string) error {
	switch {
	case finish == "length":
		return fmt.Errorf("%w: it was cut off at the model's max_tokens", ErrUnusable)
	case finish == "refusal" || finish == "content_filter":
		return fmt.Errorf("%w: the model refused (%s)", ErrUnusable, finish)
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%w: it is empty", ErrUnusable)
	}
	return nil
}
