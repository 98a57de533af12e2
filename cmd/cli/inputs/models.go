package inputs

import (
	"context"
	"sync"

	"assay/cmd/cli/console"
	"assay/session"
	"assay/session/llm"
)

// Describe returns what a session records about a model.
func Describe(m llm.Model) session.Model {
	return session.Model{Name: m.Name, Provider: m.Provider, Model: m.Model, Recorded: m.Free(), Definition: m.Definition()}
}

// ModelsDeps provides the rehearsal provider with the embedded recordings.
func ModelsDeps(io *console.IO) llm.Deps {
	return llm.Deps{Getenv: io.Getenv, Recorded: Rehearsal()}.EnsureDefaults()
}

// ContextSizes asks the servers of models how many tokens their contexts hold, and returns what they say by the models'
// names.
func ContextSizes(ctx context.Context, io *console.IO, models []llm.Model) map[string]int {
	sizes := make([]int, len(models))
	var all sync.WaitGroup
	for i, m := range models {
		all.Go(func() { sizes[i] = m.ContextSize(ctx, ModelsDeps(io)) })
	}
	all.Wait()
	holds := map[string]int{}
	for i, m := range models {
		holds[m.Name] = sizes[i]
	}
	return holds
}

// PriceOf returns the prices that the models file has of a model of a session; nil without prices, for other settings of
// the model, and in a blind session, whose models are hidden.
func PriceOf(p session.Plan, of session.Model, models llm.Models) *session.Price {
	m, err := models.Get(of.Name)
	if err != nil || p.Blind() || m.Definition() != of.Definition {
		return nil
	}
	return m.Price()
}

// CostOf returns what the answers of a session cost, of its model or of both: the accounts are of one each. It is nil
// without prices of all of them in one currency. Two models have no prices together, and the older date of both.
func CostOf(p session.Plan, accounts []session.Account, models llm.Models) *session.Cost {
	of := []session.Model{p.Model}
	if p.Arena != nil {
		of = p.Arena.Models[:]
	}
	var sum *session.Cost
	for i, a := range accounts {
		price := PriceOf(p, of[i], models)
		if price == nil || a.Uncounted == a.Answers || sum != nil && sum.Currency != price.Currency {
			return nil
		}
		cost := price.Of(a)
		if sum != nil {
			at := min(sum.At, cost.At)
			if sum.At == "" || cost.At == "" {
				at = ""
			}
			cost = session.Cost{Amount: sum.Amount + cost.Amount, Price: session.Price{Currency: cost.Currency, At: at}}
		}
		sum = &cost
	}
	return sum
}
