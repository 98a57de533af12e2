package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"assay/data/disk"
)

// oldDefinition is what the hash of a model covered at first. Its fields stay as they
// are: what was recorded with such a hash must be recognised.
type oldDefinition struct {
	Provider, Model   string
	Temperature, TopP *float64
	MaxTokens         int
	Seed              *int64
	System            string
	Command           []string
}

// definition adds what is covered only where it is set, so that the hash of a model
// that has none of it is the old one.
type definition struct {
	oldDefinition
	BaseURL string            `json:",omitempty"`
	Headers map[string]string `json:",omitempty"`
	More    map[string]any    `json:",omitempty"` // sampling that oldDefinition does not know
	Answers string            `json:",omitempty"` // SHA-256 of the file of a replay
}

// Definition is a hash of everything that an answer depends on: provider, server, model,
// what is sent of the sampling, system message, headers, program, and the recorded
// answers of a replay. It covers neither keys (nor headers that hold them or come from the
// environment) nor how long one waits, what it costs and how much is allowed.
func (m Model) Definition() string {
	d := definition{oldDefinition: m.oldDefinition()}
	for _, p := range m.sampling(0) {
		switch p.name {
		case "temperature", "top_p", "max_tokens", "seed":
		default:
			if d.More == nil {
				d.More = map[string]any{}
			}
			d.More[p.name] = p.value
		}
	}
	if m.Embeddings {
		if d.More == nil {
			d.More = map[string]any{}
		}
		d.More["embeddings"] = true
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
	if m.overHTTP() {
		d.BaseURL = m.base()
	}
	if m.Provider == ProviderReplay {
		d.Answers = fileSum(m.Answers)
	}
	return hashed(d)
}

// Defines reports whether the given hash, which was recorded earlier, may be that of m: as
// [Model.Definition] makes it now, or as it was made when it did not cover the server
// and the headers, provided that m has nothing that was not known then.
func (m Model) Defines(recorded string) bool {
	if recorded == m.Definition() {
		return true
	}
	for _, p := range m.given() {
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
		return "" // there is a number that JSON does not have, which no model is given
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// fileSum is the SHA-256 of a file, or its name where it cannot be read: a replay of a
// missing file gives no answers that could be taken for others.
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
