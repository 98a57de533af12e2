package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"assay/data/disk"
)

// oldDefinition has the fields that a model's hash first covered. They must not change, so that hashes
// recorded then are recognised.
type oldDefinition struct {
	Provider, Model   string
	Temperature, TopP *float64
	MaxTokens         int
	Seed              *int64
	System            string
	Command           []string
}

// definition adds fields that are covered only if set, so that the hash of a model without them equals the
// old one.
type definition struct {
	oldDefinition
	BaseURL string            `json:",omitempty"`
	Headers map[string]string `json:",omitempty"`
	More    map[string]any    `json:",omitempty"` // sampling settings that oldDefinition does not cover
	Answers string            `json:",omitempty"` // SHA-256 of a replay's file
}

// Definition returns a hash of everything that an answer depends on: provider, server, model, sampling settings
// sent, system message, headers, program with what it may reach, and the recorded answers of a replay. It covers neither keys (nor
// headers that hold them or come from the environment) nor time-outs, prices and limits.
func (m Model) Definition() string {
	d := definition{oldDefinition: m.oldDefinition()}
	more := func(name string, value any) {
		if d.More == nil {
			d.More = map[string]any{}
		}
		d.More[name] = value
	}
	for _, p := range m.sampling(0) {
		switch p.name {
		case "temperature", "top_p", "max_tokens", "seed":
		default:
			more(p.name, p.value)
		}
	}
	if m.System != "" && m.drops(systemField) {
		more("system", "in the first prompt")
	}
	if len(m.ExtraBody) > 0 {
		more("extra_body", m.ExtraBody)
	}
	if m.Embeddings {
		more("embeddings", true)
	}
	if m.asked != nil {
		more("builtin", []any{m.asked.Definition(), hashed(builtinTemplate + m.Template)})
	}
	if m.Provider == ProviderAgent {
		more("agent", []any{m.Hosts, m.Environment, m.Git})
	}
	for name, value := range m.Headers {
		if _, secret := fromEnv(value); secret || secretHeader.MatchString(name) {
			continue
		}
		if d.Headers == nil {
			d.Headers = map[string]string{}
		}
		d.Headers[name] = value
	}
	if m.OverHTTP() {
		d.BaseURL = m.base()
	}
	if m.Provider == ProviderReplay {
		d.Answers = fileSum(m.Answers)
	}
	return hashed(d)
}

// Defines reports whether a hash recorded earlier may be that of m: either as [Model.Definition] computes
// it now, or as it was computed before it covered the server and the headers, provided that m has no
// settings that were unknown then.
func (m Model) Defines(recorded string) bool {
	if recorded == m.Definition() {
		return true
	}
	for _, p := range m.settings() {
		switch p.name {
		case "temperature", "top_p", "max_tokens", "seed":
		default:
			return false
		}
	}
	return m.Provider == ProviderOpenAI && !m.Embeddings && len(m.Drop) == 0 && recorded == hashed(m.oldDefinition())
}

func (m Model) oldDefinition() oldDefinition {
	d := oldDefinition{Provider: m.Provider, Model: m.Model, System: m.System, Command: m.Command}
	if m.Provider == ProviderAnthropic {
		d.MaxTokens = anthropicMaxTokens // unless another is given
	}
	for _, p := range m.sampling(0) {
		switch p.name {
		case "temperature":
			d.Temperature = m.Temperature
		case "top_p":
			d.TopP = m.TopP
		case "max_tokens":
			d.MaxTokens = *m.MaxTokens
		case "seed":
			d.Seed = m.Seed
		}
	}
	return d
}

func hashed(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // a number that JSON cannot represent, which Validate rules out
	}
	return disk.Sum(text)[:16]
}

// fileSum returns the SHA-256 of a file, or its name if it cannot be read: a replay of a missing file gives no
// answers that could be confused with others.
func fileSum(path string) string {
	f, err := disk.Open(path)
	if err != nil {
		return path
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return path
	}
	return hex.EncodeToString(hash.Sum(nil))
}
