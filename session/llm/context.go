package llm

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// cutBytes is more bytes than a token has on average, in prose or code of any language.
const cutBytes = 8

// GuessTokens guesses the tokens of a text from its bytes, at four bytes a token.
func GuessTokens(bytes int) int { return bytes / 4 }

// usualOllama is the number of tokens of the context with which Ollama loads a model unless it is told otherwise.
const usualOllama = 4096

// ollamaPrint is the fingerprint of answers by which Ollama is known behind OpenAI's protocol.
const ollamaPrint = "fp_ollama"

// leastTrained is the context that every model in use was trained with.
const leastTrained = 2048

// promptCut reports whether the answer is to a part of the prompt only, of a request of so many bytes. Ollama does so
// without a word when a prompt exceeds the context that the model is loaded with: it reads as many tokens as that
// holds, or leaves out turns; and when the answer fills the context, it forgets the beginning of the prompt.
func (e *exchange) promptCut(ctx context.Context, a Answer, sent int) bool {
	c := e.client
	if c.model.Embeddings || !e.fromOllama() {
		return false // others refuse such a prompt
	}
	c.ask.Do(func() { c.holds = c.askOllama(ctx, e.cred) })
	if c.holds == 0 {
		return false
	}
	leftOut := sent > c.holds && a.InputTokens > 0 && sent > cutBytes*a.InputTokens
	return a.InputTokens >= c.holds || a.InputTokens+a.OutputTokens > c.holds || sent > cutBytes*c.holds || leftOut
}

// Holds returns how many tokens the model's context holds by the models file and by what its server said (0: nothing),
// the least of them; 0: not known.
func (m Model) Holds(said int) int {
	asked := 0
	if m.NumCtx != nil {
		asked = *m.NumCtx
	}
	holds := 0
	for _, size := range []int{m.Limits().Context, asked, said} {
		if size > 0 && (holds == 0 || size < holds) {
			holds = size
		}
	}
	return holds
}

// ContextSize asks the server how many tokens the model's context holds; 0: it does not say. Of an Ollama that has not
// loaded the model yet it is what Ollama usually takes.
func (m Model) ContextSize(ctx context.Context, deps Deps) int {
	if !m.OverHTTP() || m.Embeddings {
		return 0
	}
	c := newHTTPClient(m, deps.EnsureDefaults(), m.provider().codec)
	cred, failed := c.credentials(ctx)
	if failed != nil {
		return 0
	}
	if m.Provider == ProviderOllama {
		return c.contextOfOllama(ctx, cred)
	}
	return c.listedContext(ctx, cred)
}

// contextFields are the names under which servers tell how many tokens a model's context holds, first those of the
// context as it is loaded: vLLM and SGLang, LM Studio, OpenRouter and Together, Groq, Mistral, Anthropic, Google and, in
// `meta`, llama.cpp.
var contextFields = []string{"max_model_len", "loaded_context_length", "n_ctx", "context_length", "context_window", "max_context_length", "max_input_tokens",
	"inputTokenLimit", "n_ctx_train"}

// listedContext reads the context from the server's list of models; of llama.cpp, whose list has what the model was
// trained with, from its properties.
func (c *httpClient) listedContext(ctx context.Context, cred credentials) int {
	var list struct {
		Data   []map[string]any `json:"data"`
		Models []map[string]any `json:"models"`
	}
	if c.get(ctx, cred, c.listURL(), &list) != nil {
		return 0
	}
	for _, entry := range append(list.Data, list.Models...) {
		name, _ := entry["id"].(string)
		if name == "" {
			name, _ = entry["name"].(string)
		}
		if strings.TrimPrefix(name, "models/") != c.model.Model && !sameTag(name, c.model.Model) {
			continue
		}
		switch entry["owned_by"] {
		case "library":
			return c.contextOfOllama(ctx, cred)
		case "llamacpp":
			var props struct {
				Settings map[string]any `json:"default_generation_settings"`
			}
			if c.get(ctx, cred, strings.TrimSuffix(c.listBase(), "/v1")+"/props", &props) == nil && sizeIn(props.Settings) > 0 {
				return sizeIn(props.Settings)
			}
		}
		return sizeIn(entry)
	}
	return 0
}

// sizeIn returns the number of tokens of the first of contextFields that the entry, or its meta, has.
func sizeIn(entry map[string]any) int {
	meta, _ := entry["meta"].(map[string]any)
	for _, name := range contextFields {
		for _, fields := range []map[string]any{entry, meta} {
			if size, _ := fields[name].(float64); size >= 1 && size < 1e9 {
				return int(size)
			}
		}
	}
	return 0
}

// sameTag reports whether two names are of one model of Ollama's.
func sameTag(a, b string) bool {
	return strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
}

// numCtx is the context length among a model's parameters, as Ollama prints them.
var numCtx = regexp.MustCompile(`(?m)^num_ctx\s+(\d+)\s*$`)

// contextOfOllama is the context of a model of Ollama's, of one that is not loaded yet, too.
func (c *httpClient) contextOfOllama(ctx context.Context, cred credentials) int {
	if holds := c.askOllama(ctx, cred); holds > 0 {
		return holds
	}
	trained := c.trainedOllama(ctx, cred)
	if trained.context == 0 {
		return trained.parameter
	}
	return min(trained.context, cmp.Or(trained.parameter, usualOllama))
}

// askOllama returns the number of tokens of the context that Ollama has loaded the model with: that of the request, or
// of the list of loaded models; both may be more than the model was trained with, which is all that it has. 0: not known.
func (c *httpClient) askOllama(ctx context.Context, cred credentials) int {
	holds := 0
	if c.model.NumCtx != nil && !c.model.drops("num_ctx") {
		holds = *c.model.NumCtx
	} else {
		holds = c.loadedOllama(ctx, cred)
	}
	if holds > leastTrained {
		if trained := c.trainedOllama(ctx, cred).context; trained > 0 {
			holds = min(holds, trained)
		}
	}
	return holds
}

// trainedOllama asks Ollama for what it knows of a model that may not be loaded.
func (c *httpClient) trainedOllama(ctx context.Context, cred credentials) (known struct{ context, parameter int }) {
	var shown struct {
		Parameters string         `json:"parameters"`
		Info       map[string]any `json:"model_info"`
	}
	if c.fetch(ctx, cred, http.MethodPost, c.ollamaBase()+"/api/show", map[string]any{"model": c.model.Model}, &shown) != nil {
		return known
	}
	if found := numCtx.FindStringSubmatch(shown.Parameters); found != nil {
		known.parameter, _ = strconv.Atoi(found[1])
	}
	for name, value := range shown.Info {
		if size, is := value.(float64); is && strings.HasSuffix(name, ".context_length") {
			known.context = int(size)
		}
	}
	return known
}

// loadedOllama asks Ollama which models are loaded.
func (c *httpClient) loadedOllama(ctx context.Context, cred credentials) int {
	var loaded struct {
		Models []struct {
			Name    string `json:"name"`
			Context tokens `json:"context_length"`
		} `json:"models"`
	}
	if c.get(ctx, cred, c.ollamaBase()+"/api/ps", &loaded) != nil {
		return 0
	}
	for _, m := range loaded.Models {
		if sameTag(m.Name, c.model.Model) {
			return int(m.Context)
		}
	}
	return 0
}

// ollamaBase is the address of Ollama's own interface, also of a model that is asked by another of its protocols.
func (c *httpClient) ollamaBase() string {
	return strings.TrimSuffix(strings.TrimSuffix(c.listBase(), "/v1"), "/api")
}

// listURL is the address of the server's list of models.
func (c *httpClient) listURL() string {
	base, path := c.listBase(), c.model.provider().models
	root, _, _ := strings.Cut(path[1:], "/")
	if root != "models" {
		base = strings.TrimSuffix(base, "/"+root)
	}
	return base + path
}

// listBase is base_url without the path of requests, which people write there, too.
func (c *httpClient) listBase() string {
	base := c.base
	for _, path := range []string{"/chat/completions", "/responses", "/chat", "/messages"} {
		base = strings.TrimSuffix(base, path)
	}
	return base
}
