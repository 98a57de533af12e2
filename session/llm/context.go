package llm

import (
	"context"
	"strings"
)

// cutBytes is more bytes than a token has on average, in prose or code of any language.
const cutBytes = 8

// promptCut reports whether the server read only a part of the prompt, of a request of so many bytes. Ollama does so
// without a word when a prompt exceeds the context that the model is loaded with: it counts as many tokens as that
// holds, or leaves out turns.
func (e *exchange) promptCut(ctx context.Context, a Answer, sent int) bool {
	if e.client.model.Embeddings || e.client.model.Provider != ProviderOllama && a.Fingerprint != "fp_ollama" {
		return false // others refuse such a prompt
	}
	holds := e.client.contextSize(ctx, e.cred)
	return holds > 0 && (a.InputTokens >= holds || sent > cutBytes*holds)
}

// contextSize returns the number of tokens of the context that Ollama has loaded the model with; 0: not known.
func (c *httpClient) contextSize(ctx context.Context, cred credentials) int {
	if c.model.NumCtx != nil && !c.model.drops("num_ctx") {
		return *c.model.NumCtx
	}
	c.ask.Do(func() { c.holds = c.askContextSize(ctx, cred) })
	return c.holds
}

// askContextSize asks Ollama which models are loaded.
func (c *httpClient) askContextSize(ctx context.Context, cred credentials) int {
	var loaded struct {
		Models []struct {
			Name    string `json:"name"`
			Context tokens `json:"context_length"`
		} `json:"models"`
	}
	base := c.endpoint
	for _, path := range []string{"/v1/chat/completions", "/api/chat"} {
		base = strings.TrimSuffix(base, path)
	}
	if c.get(ctx, cred, base+"/api/ps", &loaded) != nil {
		return 0
	}
	for _, m := range loaded.Models {
		if m.Name == c.model.Model || strings.TrimSuffix(m.Name, ":latest") == c.model.Model {
			return int(m.Context)
		}
	}
	return 0
}
