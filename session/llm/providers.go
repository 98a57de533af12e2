package llm

import (
	"cmp"
	"os"
	"slices"
	"strings"
)

// provider is a way to answer prompts. A new one is a row in providers and, if it speaks HTTP, a codec.
type provider struct {
	name string

	// A server's protocol for answers and for embeddings, its address unless base_url is given, and the path, below the
	// address, of the list of its models. The codec is nil for what is no server.
	codec, embeddings codec
	base, models      string

	client func(m Model, deps Deps) (Client, error)       // of what is no server
	ready  func(m Model, deps Deps) (ok bool, why string) // nil: always

	settings  []string // of sampling that it accepts
	droppable []string // further fields that `drop` may name
	required  []string // settings that `drop` may not name
	fields    []string // of the models file that it takes, beside settings and those that all take

	hottest float64 // the highest temperature; 0: 2
	free    bool    // its answers cost nothing
	builtIn bool    // it needs no entry in the models file
}

// Fields of the models file that every provider takes, and every server.
var (
	everywhere = []string{"name", "provider", "model", "context", "price_in", "price_out", "price_cached", "priced_at", "currency", "training_cutoff",
		"retries", "max_concurrent", "requests_per_minute", "tokens_per_minute", "max_context"}
	ofServers = []string{"base_url", "api_key_env", "api_key_cmd", "headers", "client_cert", "client_key", "connect_timeout", "idle_timeout", "total_timeout"}
	ofPrompts = []string{"drop", "system", "extra_body"}
	ofAgents  = []string{"api_key_env", "api_key_cmd", "api_key_as", "hosts", "environment", "mount", "output", "git",
		"memory_mb", "processes", "output_mb", "disk_mb", "step_limit", "token_limit", "cost_limit"}
	ofBuiltin = []string{"program", "template", "total_timeout", "command_timeout", "hosts", "environment", "mount", "git",
		"memory_mb", "processes", "disk_mb", "step_limit", "token_limit", "cost_limit"}
)

// providers lists what can answer prompts, in the order in which people are told.
func providers() []provider {
	common := []string{"temperature", "top_p", "top_k", "min_p", "max_tokens", "seed", "stop", "presence_penalty", "frequency_penalty"}
	started := []string{"command", "system", "idle_timeout", "total_timeout"}
	return []provider{
		{name: ProviderOpenAI, codec: openAI{}, embeddings: openAIEmbeddings{}, models: "/models",
			// top_k and min_p are not part of the protocol, but vLLM and llama.cpp accept them.
			settings: append(slices.Clone(common), "reasoning_effort"), droppable: []string{streamOptions, streamField, systemField}},
		{name: ProviderResponses, codec: responses{}, models: "/models",
			settings: []string{"temperature", "top_p", "max_tokens", "reasoning_effort"}, droppable: []string{streamField, systemField}},
		{name: ProviderAnthropic, codec: anthropic{}, base: "https://api.anthropic.com", models: "/v1/models?limit=1000", hottest: 1,
			settings: []string{"temperature", "top_p", "top_k", "max_tokens", "stop", "thinking_tokens"}, required: []string{"max_tokens"}, droppable: []string{streamField}},
		{name: ProviderGemini, codec: gemini{}, base: "https://generativelanguage.googleapis.com", models: "/v1beta/models?pageSize=1000",
			settings: []string{"temperature", "top_p", "top_k", "max_tokens", "seed", "stop", "presence_penalty", "frequency_penalty", "thinking_tokens"}, droppable: []string{streamField, systemField}},
		{name: ProviderOllama, codec: ollama{}, embeddings: ollamaEmbeddings{}, base: "http://localhost:11434", models: "/api/tags",
			settings: append(slices.Clone(common), "num_ctx", "think"), droppable: []string{streamField, systemField}},
		{name: ProviderCommand, fields: started,
			client: func(m Model, _ Deps) (Client, error) { return &command{model: m}, nil },
			ready:  func(m Model, _ Deps) (bool, string) { return onPath(m.Command[0]) }},
		{name: ProviderAgent, fields: append(slices.Clone(started), ofAgents...),
			client: func(m Model, deps Deps) (Client, error) {
				return &agent{model: m, deps: deps, keys: &keeper{model: m, deps: deps}}, nil
			},
			ready: Model.agentReady},
		{name: ProviderReplay, fields: []string{"answers", "tokens_per_second"}, client: newReplay, free: true,
			ready: func(m Model, _ Deps) (bool, string) {
				if _, err := os.Stat(m.Answers); err != nil {
					return false, "the recorded answers cannot be read: " + err.Error()
				}
				return true, ""
			}},
		{name: ProviderPaste, client: func(m Model, _ Deps) (Client, error) { return NewPaste(m.Name), nil }, builtIn: true},
		{name: ProviderRehearsal, fields: []string{"tokens_per_second"}, client: func(m Model, deps Deps) (Client, error) { return newRehearsal(m, deps) }, free: true, builtIn: true},
	}
}

// providerOf returns a provider by its name; known is false if there is none.
func providerOf(name string) (p provider, known bool) {
	all := providers()
	if i := slices.IndexFunc(all, func(p provider) bool { return p.name == name }); i >= 0 {
		return all[i], true
	}
	return provider{}, false
}

// provider returns what answers the model's prompts.
func (m Model) provider() provider {
	p, _ := providerOf(m.Provider)
	if m.Provider == ProviderAgent && m.Program == programBuiltin {
		p.fields = ofBuiltin
	}
	return p
}

// providerNames lists the providers that meet a condition.
func providerNames(are func(provider) bool) (names []string) {
	for _, p := range providers() {
		if are(p) {
			names = append(names, p.name)
		}
	}
	return names
}

// mayDrop lists what `drop` may name.
func (p provider) mayDrop() []string {
	optional := slices.DeleteFunc(slices.Clone(p.settings), func(name string) bool { return slices.Contains(p.required, name) })
	return append(optional, p.droppable...)
}

// takes lists the fields of the models file that have an effect.
func (p provider) takes(embeddings bool) []string {
	switch {
	case embeddings && p.name == ProviderOllama:
		return append(slices.Concat(ofServers, []string{"name", "provider", "model", "embeddings"}), "num_ctx")
	case embeddings:
		return slices.Concat(ofServers, []string{"name", "provider", "model", "embeddings"})
	case p.codec != nil:
		return slices.Concat(everywhere, ofServers, ofPrompts, p.settings)
	}
	return slices.Concat(p.fields, everywhere)
}

// StartsProgram reports whether a program of this machine answers.
func (m Model) StartsProgram() bool {
	return m.Provider == ProviderCommand || m.Provider == ProviderAgent
}

// OverHTTP reports whether a server answers.
func (m Model) OverHTTP() bool { return m.provider().codec != nil }

// BuiltIn reports whether the model's provider needs no entry in the models file.
func (m Model) BuiltIn() bool { return m.provider().builtIn }

// Free reports whether answers are inherently free.
func (m Model) Free() bool { return m.provider().free }

// base returns base_url, or the provider's default.
func (m Model) base() string { return cmp.Or(strings.TrimRight(m.BaseURL, "/"), m.provider().base) }

// Server names what answers the model's prompts: models of one server share its limits.
func (m Model) Server() string { return m.Provider + " " + cmp.Or(m.base(), m.Name) }
