package generate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"assay/session/llm"
)

// ErrBudget is returned if the next answer might cost more than is left.
var ErrBudget = errors.New("the budget is used up")

const (
	charactersPerToken = 4   // for English and code, if the server does not count
	guessedAnswer      = 400 // tokens, before there is an answer
	longestAnswer      = 4096
)

// tokensOf estimates the tokens of a text from its length.
func tokensOf(text string) int {
	return (utf8.RuneCountInString(text) + charactersPerToken - 1) / charactersPerToken
}

// atMost returns an upper bound of the tokens that any server counts for a text: half its bytes, plus some for
// the framing of messages.
func atMost(text string) int { return len(text)/2 + 16 }

// usage is what a model's answers have used.
type usage struct {
	answers, in, out  int64
	cached, reasoning int64 // of in and of out
	longest           int   // tokens of an answer
	guessed           bool
	cost              float64
}

// add adds one answer, estimating tokens if the server does not count them.
func (u *usage) add(m llm.Model, a Answer, prompt string) {
	in, out, guessed := counted(a.InputTokens, a.OutputTokens, m.System+prompt, a.Text)
	u.cost += CostOf(m, prompt, a)
	u.cached, u.reasoning = u.cached+int64(a.CachedTokens), u.reasoning+int64(a.ReasoningTokens)
	u.guessed = u.guessed || guessed
	u.answers, u.in, u.out = u.answers+1, u.in+int64(in), u.out+int64(out)
	u.longest = max(u.longest, out)
}

// counted returns the tokens of an answer: as reported by the server, else estimated from their lengths.
func counted(in, out int, prompt, text string) (int, int, bool) {
	if in == 0 && out == 0 {
		return tokensOf(prompt), tokensOf(text), true
	}
	return in, out, false
}

// CostOf returns the cost of an answer: as an agent reports it in the currency of the model, or else by its tokens.
func CostOf(m llm.Model, prompt string, a Answer) float64 {
	if a.CostUSD > 0 && m.Currency == "USD" {
		return a.CostUSD
	}
	in, out, _ := counted(a.InputTokens, a.OutputTokens, m.System+prompt, a.Text)
	return cost(m, in, a.CachedTokens, out)
}

// Account enforces a budget: money spent, plus what requests under way may cost.
type Account struct {
	mu       sync.Mutex
	freed    *sync.Cond
	budget   float64 // 0: none
	spent    float64
	reserved float64
	flight   int
	priced   bool
	currency string
}

// NewAccount returns an account for models. It is an error if a budget is given and their prices are not known, or in
// several currencies.
func NewAccount(budget float64, models []llm.Model) (*Account, error) {
	a := &Account{budget: budget, priced: true}
	a.freed = sync.NewCond(&a.mu)
	for _, m := range models {
		_, currency, known := m.Cost(0, 0, 0)
		switch {
		case !known && m.Free():
		case !known && budget > 0:
			return nil, fmt.Errorf("a budget needs prices, but the model %q has none: give price_in, price_out and currency in the models file", m.Name)
		case !known:
			a.priced = false
		case a.currency != "" && a.currency != currency:
			if budget > 0 {
				return nil, fmt.Errorf("a budget needs one currency, but the models have prices in %s and %s", a.currency, currency)
			}
			a.priced = false
		default:
			a.currency = currency
		}
	}
	return a, nil
}

// MostCost returns the most that the answer to a prompt may cost. A model without max_tokens may write what any answer
// needs, and an agent has its own limit.
func MostCost(m llm.Model, prompt string) float64 {
	if m.CostLimit != nil {
		return *m.CostLimit
	}
	out := longestAnswer
	if m.MaxTokens != nil {
		out = *m.MaxTokens
	}
	return cost(m, atMost(m.System+prompt), 0, out)
}

func cost(m llm.Model, in, cached, out int) float64 {
	amount, _, _ := m.Cost(in, cached, out)
	return amount
}

// Reserve waits until there is money for a request that may cost up to amount. It returns ErrBudget if
// there will be none.
func (a *Account) Reserve(ctx context.Context, amount float64) error {
	if a.budget <= 0 {
		return ctx.Err()
	}
	defer context.AfterFunc(ctx, func() { a.mu.Lock(); defer a.mu.Unlock(); a.freed.Broadcast() })()
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.spent+a.reserved+amount > a.budget && a.flight > 0 && ctx.Err() == nil {
		a.freed.Wait()
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case amount > a.budget:
		return fmt.Errorf("%w: a single answer may cost up to %.4g %s, but the budget is %.4g; set max_tokens of the model", ErrBudget, amount, a.currency, a.budget)
	case a.spent+a.reserved+amount > a.budget:
		return ErrBudget
	}
	a.reserved += amount
	a.flight++
	return nil
}

// again reports whether a request with a reservation may be retried: its failed tries may have used up the
// reservation.
func (a *Account) again() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.budget > 0 && a.spent+a.reserved > a.budget {
		return ErrBudget
	}
	return nil
}

// Settle replaces a reservation by the actual cost.
func (a *Account) Settle(reserved, spent float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent += spent
	if a.budget > 0 {
		a.reserved -= reserved
		a.flight--
		a.freed.Broadcast()
	}
}

// Charge adds a cost without a reservation: failed tries and earlier answers.
func (a *Account) Charge(amount float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent += amount
}

// Total returns what was spent.
func (a *Account) Total() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.spent
}
