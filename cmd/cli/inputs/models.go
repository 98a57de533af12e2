package inputs

import (
	"assay/cmd/cli/console"
	"assay/session"
	"assay/session/llm"
)

// Describe is what a session records of a model.
func Describe(m llm.Model) session.Model {
	recorded := m.Provider == llm.ProviderRehearsal || m.Provider == llm.ProviderReplay
	return session.Model{Name: m.Name, Provider: m.Provider, Model: m.Model, Recorded: recorded, Definition: m.Definition()}
}

// ModelsDeps hands the embedded recordings to the rehearsal provider.
func ModelsDeps(io *console.IO) llm.Deps {
	return llm.Deps{Getenv: io.Getenv, Recorded: Rehearsal()}.EnsureDefaults()
}
