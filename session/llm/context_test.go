package llm

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
)

// ollamaShows is what a real Ollama 0.13.5 answers about a model, without its tensors.
const ollamaShows = `{"parameters":"stop                           \"<|im_end|>\"%s","template":"{{ .Prompt }}","details":{"format":"gguf","family":"llama"},` +
	`"model_info":{"general.architecture":"llama","llama.context_length":%d,"llama.vocab_size":500,"tokenizer.ggml.tokens":null},"capabilities":["completion"]}`

// TestPromptCut: Ollama reads as much of a prompt as its context holds, or leaves out turns, and forgets the beginning of
// a prompt when the answer fills the context, without a word. The counts are those of a real one.
func TestPromptCut(t *testing.T) {
	for name, tt := range map[string]struct {
		ctx, loaded, trained int // asked for, as the list of loaded models has it, as the model was trained
		in, out, bytes       int
		cut                  bool
	}{
		"as long as the context":            {ctx: 64, in: 64, cut: true},
		"shorter":                           {ctx: 64, in: 63},
		"as long as the loaded context":     {loaded: 4096, in: 4096, cut: true},
		"shorter than the loaded context":   {loaded: 4096, in: 100},
		"a context that is not known":       {in: 4096},
		"more was asked for than trained":   {ctx: 999999, loaded: 999999, trained: 4096, in: 4096, cut: true},
		"less was asked for than trained":   {ctx: 512, loaded: 512, trained: 4096, in: 511},
		"turns were left out":               {loaded: 512, trained: 4096, in: 34, bytes: 4000, cut: true},
		"a short prompt of few tokens":      {loaded: 4096, trained: 4096, in: 3, bytes: 3000},
		"the answer filled the context":     {ctx: 64, trained: 4096, in: 50, out: 300, cut: true},
		"the answer ended with the context": {ctx: 350, trained: 4096, in: 50, out: 300},
	} {
		for _, provider := range []string{ProviderOllama, ProviderOpenAI} {
			if provider == ProviderOpenAI && tt.ctx > 0 {
				continue // its protocol has no such setting
			}
			t.Run(name+", "+provider, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := Model{Name: "m", Provider: provider, BaseURL: "http://model.test", Model: "tiny"}
					if provider == ProviderOpenAI {
						m.BaseURL += "/v1"
					}
					if tt.ctx > 0 {
						m.NumCtx = &tt.ctx
					}
					deps := serve(t, func(w http.ResponseWriter, r *http.Request) {
						switch r.URL.Path {
						case "/api/show":
							jsonError(w, 200, fmt.Sprintf(ollamaShows, "", tt.trained))
						case "/api/ps":
							jsonError(w, 200, fmt.Sprintf(`{"models":[{"name":"other:latest","context_length":1},{"name":"tiny:latest","context_length":%d}]}`, tt.loaded))
						case "/v1/chat/completions":
							events(w, `{"system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}`,
								fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, tt.in, tt.out))
						default:
							w.Header().Set("Content-Type", "application/x-ndjson")
							fmt.Fprintf(w, "{\"message\":{\"content\":\"Hi\"}}\n{\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":%d,\"eval_count\":%d}\n", tt.in, tt.out)
						}
					})
					client, err := m.Client(deps)
					fatal.If(t, err)
					answer, err := client.Stream(t.Context(), Request{Messages: []Message{{User, strings.Repeat("x", tt.bytes)}}}, nil)
					if err != nil || answer.PromptCut != tt.cut {
						t.Errorf("%+v, %v", answer, err)
					}
				})
			})
		}
	}
}

// TestContextSize: each kind of server is asked for the context in its own way; one that does not tell has none.
func TestContextSize(t *testing.T) {
	const gguf = `{"models":[],"object":"list","data":[{"id":"tiny","object":"model","owned_by":"llamacpp","meta":{"n_vocab":500,"n_ctx_train":4096}}]}`
	for name, tt := range map[string]struct {
		provider, base string
		numCtx         int
		answers        map[string]string // by path
		want           int
	}{
		"Ollama, loaded":             {ProviderOllama, "", 0, map[string]string{"/api/show": fmt.Sprintf(ollamaShows, "", 8192), "/api/ps": `{"models":[{"name":"tiny:latest","context_length":512}]}`}, 512},
		"Ollama, not loaded":         {ProviderOllama, "", 0, map[string]string{"/api/show": fmt.Sprintf(ollamaShows, "", 8192), "/api/ps": `{"models":[]}`}, 4096},
		"Ollama, a small model":      {ProviderOllama, "", 0, map[string]string{"/api/show": fmt.Sprintf(ollamaShows, "", 2048), "/api/ps": `{"models":[]}`}, 2048},
		"Ollama, its own parameter":  {ProviderOllama, "", 0, map[string]string{"/api/show": fmt.Sprintf(ollamaShows, `\nnum_ctx                        1024`, 8192), "/api/ps": `{"models":[]}`}, 1024},
		"Ollama, num_ctx":            {ProviderOllama, "/api", 5000, map[string]string{"/api/show": fmt.Sprintf(ollamaShows, "", 4096)}, 4096},
		"Ollama by OpenAI's":         {ProviderOpenAI, "/v1", 0, map[string]string{"/v1/models": `{"object":"list","data":[{"id":"tiny:latest","object":"model","created":1796019578,"owned_by":"library"}]}`, "/api/show": fmt.Sprintf(ollamaShows, "", 8192), "/api/ps": `{"models":[{"name":"tiny:latest","context_length":512}]}`}, 512},
		"vLLM":                       {ProviderOpenAI, "/v1", 0, map[string]string{"/v1/models": `{"data":[{"id":"other","max_model_len":1},{"id":"tiny","max_model_len":32768}]}`}, 32768},
		"vLLM, the path of requests": {ProviderOpenAI, "/v1/chat/completions", 0, map[string]string{"/v1/models": `{"data":[{"id":"tiny","max_model_len":32768}]}`}, 32768},
		"OpenRouter":                 {ProviderResponses, "/v1", 0, map[string]string{"/v1/models": `{"data":[{"id":"tiny","context_length":131072}]}`}, 131072},
		"llama.cpp":                  {ProviderOpenAI, "/v1", 0, map[string]string{"/v1/models": gguf, "/props": `{"default_generation_settings":{"n_ctx":2048}}`}, 2048},
		"llama.cpp without its own":  {ProviderOpenAI, "/v1", 0, map[string]string{"/v1/models": gguf}, 4096},
		"Gemini":                     {ProviderGemini, "/v1beta", 0, map[string]string{"/v1beta/models": `{"models":[{"name":"models/tiny","inputTokenLimit":1048576}]}`}, 1048576},
		"Anthropic":                  {ProviderAnthropic, "/v1", 0, map[string]string{"/v1/models": `{"data":[{"type":"model","id":"tiny","max_input_tokens":200000}]}`}, 200000},
		"a list without it":          {ProviderOpenAI, "/v1", 0, map[string]string{"/v1/models": `{"data":[{"id":"tiny","object":"model"}]}`}, 0},
		"no such model":              {ProviderOpenAI, "/v1", 0, map[string]string{"/v1/models": `{"data":[{"id":"other","max_model_len":5}]}`}, 0},
		"no list":                    {ProviderOpenAI, "/v1", 0, nil, 0},
		"nonsense":                   {ProviderOpenAI, "/v1", 0, map[string]string{"/v1/models": `{"data":[{"id":"tiny","max_model_len":"many","context_length":-1,"meta":[]}]}`}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deps := serve(t, func(w http.ResponseWriter, r *http.Request) {
					text, has := tt.answers[r.URL.Path]
					if r.URL.Path == "/api/show" {
						if asked, _ := io.ReadAll(r.Body); r.Method != http.MethodPost || string(asked) != `{"model":"tiny"}` {
							t.Errorf("%s %s", r.Method, asked)
						}
					}
					if !has {
						http.NotFound(w, r)
						return
					}
					jsonError(w, 200, text)
				})
				m := Model{Name: "m", Provider: tt.provider, BaseURL: "http://model.test" + tt.base, Model: "tiny"}
				if tt.numCtx > 0 {
					m.NumCtx = &tt.numCtx
				}
				if got := m.ContextSize(t.Context(), deps); got != tt.want {
					t.Errorf("%d, want %d", got, tt.want)
				}
			})
		})
	}
}

// TestRefusedThinking: servers refuse settings of thinking in words of their own; the line to write is named. The texts
// are those of a real Ollama 0.13.5 and of the providers.
func TestRefusedThinking(t *testing.T) {
	for body, m := range map[string]Model{
		`{"error":"\"tiny\" does not support thinking"}`:                                                                                 {Provider: ProviderOllama, Think: Thinking{true}},
		`{"error":"invalid think value: \"heavy\" (must be \"high\", \"medium\", \"low\", true, or false)"}`:                             {Provider: ProviderOllama, Think: Thinking{"heavy"}},
		`{"error":{"message":"\"tiny\" does not support thinking","type":"api_error","param":null,"code":null}}`:                         {Provider: ProviderOpenAI, ReasoningEffort: "low"},
		`{"error":{"message":"think value \"high\" is not supported for this model","type":"api_error","param":null,"code":null}}`:       {Provider: ProviderOpenAI, ReasoningEffort: "high"},
		`{"error":{"message":"Unsupported parameter: 'reasoning.effort' is not supported with this model.","param":"reasoning.effort"}}`: {Provider: ProviderResponses, ReasoningEffort: "low"},
		`{"error":{"code":400,"message":"Thinking is not enabled for models/gemma-3-4b-it","status":"INVALID_ARGUMENT"}}`:                {Provider: ProviderGemini, ThinkingTokens: new(1000), MaxTokens: new(2000)},
		`{"type":"error","error":{"type":"invalid_request_error","message":"adaptive thinking is not supported on this model"}}`:         {Provider: ProviderAnthropic, ThinkingTokens: new(1000), MaxTokens: new(2000)},
		`{"object":"error","message":"[{'loc': ('body', 'reasoning_effort'), 'msg': 'Extra inputs are not permitted'}]","code":400}`:     {Provider: ProviderOpenAI, ReasoningEffort: "low"},
	} {
		synctest.Test(t, func(t *testing.T) {
			m.Name, m.BaseURL, m.Model = "m", "http://model.test", "tiny"
			_, _, err := ask(t, t.Context(), m, serve(t, func(w http.ResponseWriter, _ *http.Request) { jsonError(w, 400, body) }))
			if err == nil || !strings.Contains(err.Error(), "add drop = ["+`"`+m.settings()[len(m.settings())-1].name) {
				t.Errorf("%s: %v", body, err)
			}
		})
	}
}
