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

// PriceOf returns the prices that the models file has of a session's model; nil without prices, for other settings of
// the model, and in a blind session, whose model is hidden.
func PriceOf(p session.Plan, models llm.Models) *session.Price {
	m, err := models.Get(p.Model.Name)
	if err != nil || p.Blind() || m.Definition() != p.Model.Definition {
		return nil
	}
	return m.Price()
}
