package llm

import (
	"fmt"
	"slices"
	"strings"
)

// parameter is a sampling setting, named as in the models file.
type parameter struct {
	name  string
	value any
}

// Request fields that are no settings of sampling but that a server may still reject. Without the system field, the
// system message stands at the head of the first prompt.
const (
	streamOptions = "stream_options"
	streamField   = "stream"
	systemField   = "system"
)

// settings lists the settings in the models file, dropped or not.
func (m Model) settings() []parameter {
	var list []parameter
	add := func(name string, set bool, value func() any) {
		if set {
			list = append(list, parameter{name, value()})
		}
	}
	add("temperature", m.Temperature != nil, func() any { return *m.Temperature })
	add("top_p", m.TopP != nil, func() any { return *m.TopP })
	add("top_k", m.TopK != nil, func() any { return *m.TopK })
	add("min_p", m.MinP != nil, func() any { return *m.MinP })
	add("max_tokens", m.MaxTokens != nil, func() any { return *m.MaxTokens })
	add("seed", m.Seed != nil, func() any { return *m.Seed })
	add("stop", len(m.Stop) > 0, func() any { return m.Stop })
	add("presence_penalty", m.PresencePenalty != nil, func() any { return *m.PresencePenalty })
	add("frequency_penalty", m.FrequencyPenalty != nil, func() any { return *m.FrequencyPenalty })
	add("num_ctx", m.NumCtx != nil, func() any { return *m.NumCtx })
	add("reasoning_effort", m.ReasoningEffort != "", func() any { return m.ReasoningEffort })
	add("thinking_tokens", m.ThinkingTokens != nil, func() any { return *m.ThinkingTokens })
	add("think", m.Think.value != nil, func() any { return m.Think.value })
	return list
}

// Settings lists the settings that requests send, as "temperature 0.2 · seed 1"; "" for none.
func (m Model) Settings() string {
	var list []string
	for _, p := range m.sampling(0) {
		list = append(list, fmt.Sprintf("%s %v", strings.ReplaceAll(p.name, "_", " "), p.value))
	}
	return strings.Join(list, " · ")
}

// drops reports whether a field is never sent.
func (m Model) drops(name string) bool { return slices.Contains(m.Drop, name) }

// sampling lists the settings sent for the given sample, from 0: those set and not dropped.
func (m Model) sampling(sample int) []parameter {
	sent := slices.DeleteFunc(m.settings(), func(p parameter) bool { return m.drops(p.name) })
	for i, p := range sent {
		if p.name == "seed" {
			sent[i].value = *m.Seed + int64(sample)
		}
	}
	return sent
}

// SeedOf returns the seed sent with a request for a sample; sent is false if none is.
func (m Model) SeedOf(sample int) (seed int64, sent bool) {
	if m.Seed == nil || m.drops("seed") {
		return 0, false
	}
	return *m.Seed + int64(sample), true
}
