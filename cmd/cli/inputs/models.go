package inputs

import (
	"assay/cmd/cli/console"
	"assay/session"
	"assay/session/llm"
	"context"
	"sync"
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
