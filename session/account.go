package session

import (
	"fmt"

	"assay/scoring/stats"
)

// Account counts what answers took, as servers count it.
type Account struct {
	Answers   int     `json:"answers"`            // received, those about what was wrong included
	Uncounted int     `json:"uncounted"`          // of these, answers whose tokens the server did not count
	Input     int64   `json:"input_tokens"`       // read by the model
	Cached    int64   `json:"cached_tokens"`      // of the input, from the server's cache
	Output    int64   `json:"output_tokens"`      // written by the model
	Reasoning int64   `json:"reasoning_tokens"`   // of the output, thinking
	CostUSD   float64 `json:"cost_usd,omitempty"` // US dollars, as agents report it
}

// Add adds another account.
func (a *Account) Add(o Account) {
	a.Answers, a.Uncounted = a.Answers+o.Answers, a.Uncounted+o.Uncounted
	a.Input, a.Cached, a.Output, a.Reasoning = a.Input+o.Input, a.Cached+o.Cached, a.Output+o.Output, a.Reasoning+o.Reasoning
	a.CostUSD += o.CostUSD
}

// Price is what tokens of a model cost, each per million.
type Price struct {
	In       float64 `json:"price_in"`            // read by the model
	Cached   float64 `json:"price_cached"`        // of these, from the provider's cache
	Out      float64 `json:"price_out"`           // written by the model
	Currency string  `json:"currency"`            // three letters, such as USD
	At       string  `json:"priced_at,omitempty"` // the date at which the prices held; absent: not known
}

// Cost is what answers cost, and at what prices.
type Cost struct {
	Amount float64 `json:"amount"` // in the currency of the prices
	Price
}

// Of returns what an account costs: as agents report it in the price's currency, or else by its tokens.
func (p Price) Of(a Account) Cost {
	if a.CostUSD > 0 && p.Currency == "USD" {
		return Cost{a.CostUSD, p}
	}
	return Cost{(float64(a.Input-a.Cached)*p.In + float64(a.Cached)*p.Cached + float64(a.Output)*p.Out) / 1e6, p}
}

// Words returns the cost and the date of its prices in words.
func (c Cost) Words() string {
	text := stats.Round(c.Amount, 4) + " " + c.Currency
	if c.At != "" {
		text += ", at the prices of " + c.At
	}
	return text
}

// Used returns the tokens in words; about stands before numbers that are guessed.
func (a Account) Used(about string) string {
	text := fmt.Sprintf("%s%d tokens read", about, a.Input)
	if a.Cached > 0 {
		text += fmt.Sprintf(" (%d from the cache)", a.Cached)
	}
	text += fmt.Sprintf(", %s%d written", about, a.Output)
	if a.Reasoning > 0 {
		text += fmt.Sprintf(" (%d of thinking)", a.Reasoning)
	}
	switch a.Uncounted {
	case 0:
	case 1:
		text += "; the server did not count 1 answer"
	default:
		text += fmt.Sprintf("; the server did not count %d answers", a.Uncounted)
	}
	return text
}

// Account returns what the answers of all tasks took, practice included.
func (s *State) Account() Account {
	var sum Account
	for _, of := range s.Accounts() {
		sum.Add(of)
	}
	return sum
}

// Accounts returns what the answers of each model took: of the plan's one, or of both of its arena.
func (s *State) Accounts() []Account {
	sums := make([]Account, 1)
	if s.Plan.Arena != nil {
		sums = make([]Account, 2)
	}
	add := func(model int, a *AnswerReceived) {
		if a == nil {
			return
		}
		one := Account{Answers: 1, Input: int64(a.InputTokens), Cached: int64(a.CachedTokens), Output: int64(a.OutputTokens), Reasoning: int64(a.Reasoning), CostUSD: a.CostUSD}
		if a.InputTokens+a.OutputTokens == 0 {
			one.Uncounted = 1
		}
		sums[model].Add(one)
	}
	for i := range s.Tasks {
		for j := range s.Tasks[i].Attempts {
			a := &s.Tasks[i].Attempts[j]
			for _, answer := range a.Received() {
				model := 0
				if a.Sides != nil {
					model = a.Sent.Sides[answer.Side.Index()]
				}
				add(model, answer)
			}
			if a.Reflection != nil {
				add(0, a.Reflection.Answer)
			}
		}
	}
	return sums
}
