package inputs

import (
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
