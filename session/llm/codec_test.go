package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"assay/data/fatal"
)

// everything has every setting that some provider accepts.
func everything(provider string) Model {
	hot, p, k, minP, longest, seed, penalty, ctx := 0.5, 0.9, 40, 0.05, 100, int64(40), 0.25, 8192
	m := Model{Name: "m", Provider: provider, BaseURL: "http://model.test", Model: "coder-1", APIKeyEnv: "CANARY_KEY", System: "be brief",
		Temperature: &hot, TopP: &p, TopK: &k, MaxTokens: &longest, Stop: []string{"END"}}
	m.MinP, m.Seed, m.PresencePenalty, m.FrequencyPenalty, m.NumCtx = &minP, &seed, &penalty, &penalty, &ctx
	v := reflect.ValueOf(&m).Elem()
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.IsExported() && !slices.Contains(m.provider().takes(false), field.Tag.Get("toml")) {
			v.Field(i).SetZero()
		}
	}
	return m
}

func TestRequestsOfEveryServer(t *testing.T) {
	want := map[string]string{
		ProviderOpenAI: `{"frequency_penalty":0.25,"max_tokens":100,"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],` +
			`"min_p":0.05,"model":"coder-1","presence_penalty":0.25,"seed":42,"stop":["END"],"stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"top_k":40,"top_p":0.9}`,
		ProviderAnthropic: `{"max_tokens":100,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],` +
			`"model":"coder-1","stop_sequences":["END"],"stream":true,"system":"be brief","temperature":0.5,"top_k":40,"top_p":0.9}`,
		ProviderOllama: `{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],"model":"coder-1",` +
			`"options":{"frequency_penalty":0.25,"min_p":0.05,"num_ctx":8192,"num_predict":100,"presence_penalty":0.25,"seed":42,"stop":["END"],"temperature":0.5,"top_k":40,"top_p":0.9},"stream":true}`,
	}
	want[ProviderResponses] = `{"input":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],"instructions":"be brief","max_output_tokens":100,"model":"coder-1","store":false,"stream":true,"temperature":0.5,"top_p":0.9}`
	want[ProviderGemini] = `{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"c"}]}],"generationConfig":{"frequencyPenalty":0.25,"maxOutputTokens":100,"presencePenalty":0.25,"seed":42,"stopSequences":["END"],"temperature":0.5,"topK":40,"topP":0.9},"systemInstruction":{"parts":[{"text":"be brief"}]}}`
	bare := map[string]string{
		ProviderResponses: `{"input":[],"model":"coder-1","store":false,"stream":false}`,
		ProviderGemini:    `{"contents":[]}`,
		ProviderOpenAI:    `{"messages":[],"model":"coder-1","stream":false}`,
		ProviderAnthropic: `{"max_tokens":100,"messages":[],"model":"coder-1","stream":false}`,
		ProviderOllama:    `{"messages":[],"model":"coder-1","stream":false}`,
	}
	paths := map[string]string{ProviderResponses: "/responses", ProviderGemini: "/v1beta/models/coder-1:generateContent", ProviderOpenAI: "/chat/completions", ProviderAnthropic: "/v1/messages", ProviderOllama: "/api/chat"}
	for _, d := range dialects() {
		t.Run(d.provider, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bodies []string
				var last *http.Request
				deps := d.deps(serve(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/api/show" || r.URL.Path == "/api/ps" { // how much the context holds
						return
					}
					body, _ := io.ReadAll(r.Body)
					bodies, last = append(bodies, string(body)), r
					d.write(w, d.whole("ok"))
				}))
				m := everything(d.provider)
				fatal.If(t, m.Validate())
				m.Headers = Headers{"X-Project": "p", "X-Team": "env:CANARY_TEAM", "anthropic-version": "2099-01-01"}
				dropped := m
				dropped.System, dropped.Drop = "", dropped.provider().mayDrop()
				fatal.If(t, dropped.Validate())
				req := Request{Messages: []Message{{User, "a"}, {Assistant, "b"}, {User, "c"}}, Sample: 2}
				for _, c := range []struct {
					model Model
					req   Request
				}{{m, req}, {dropped, Request{}}} {
					client, _ := c.model.Client(deps)
					if _, err := client.Stream(t.Context(), c.req, nil); err != nil {
						t.Fatal(err)
					}
				}
				if bodies[0] != want[d.provider] {
					t.Errorf("got  %s\nwant %s", bodies[0], want[d.provider])
				}
				if bodies[1] != bare[d.provider] {
					t.Errorf("with everything dropped: got %s", bodies[1])
				}
				h := last.Header
				if last.URL.Path != paths[d.provider] || h.Get("X-Project") != "p" || h.Get("X-Team") != canary {
					t.Errorf("path %s, headers %v", last.URL.Path, h)
				}
				key := "Authorization"
				switch d.provider {
				case ProviderAnthropic:
					if key = "x-api-key"; h.Get("anthropic-version") != "2099-01-01" {
						t.Errorf("headers %v", h)
					}
				case ProviderGemini:
					key = "x-goog-api-key"
				}
				for _, name := range []string{"Authorization", "x-api-key", "x-goog-api-key"} {
					if got := strings.TrimPrefix(h.Get(name), "Bearer "); got != map[bool]string{true: canary}[name == key] {
						t.Errorf("headers %v", h)
					}
				}
			})
		})
	}
}

func TestEndpoints(t *testing.T) {
	for base, want := range map[string]string{
		"openai http://x/v1": "http://x/v1/chat/completions", "openai http://x/v1/chat/completions": "http://x/v1/chat/completions",
		"anthropic https://x": "https://x/v1/messages", "anthropic https://x/v1": "https://x/v1/messages", "anthropic https://x/v1/messages": "https://x/v1/messages",
		"ollama http://x": "http://x/api/chat", "ollama http://x/api": "http://x/api/chat", "ollama http://x/api/chat/": "http://x/api/chat",
		"responses http://x/v1": "http://x/v1/responses", "responses http://x/v1/responses": "http://x/v1/responses",
		"gemini https://x models/m": "https://x/v1beta/models/m:streamGenerateContent?alt=sse", "gemini https://x tunedModels/m": "https://x/v1beta/tunedModels/m:streamGenerateContent?alt=sse",
		"gemini https://x": "https://x/v1beta/models/m:streamGenerateContent?alt=sse", "gemini https://x/v1?project=p": "https://x/v1/models/m:streamGenerateContent?alt=sse&project=p",
	} {
		provider, base, _ := strings.Cut(base, " ")
		base, model, _ := strings.Cut(base, " ")
		client, err := Model{Name: "m", Provider: provider, BaseURL: base, Model: cmp.Or(model, "m")}.Client(Deps{})
		if got := client.(*httpClient).endpoint; err != nil || got != want {
			t.Errorf("%s %s: got %s, %v", provider, base, got, err)
		}
	}
}

// The meaning of single messages, from the providers' documentation.
func TestDecode(t *testing.T) {
	rows := []struct {
		name  string
		codec codec
		data  string
		want  piece
	}{
		{"a refusal is read", openAI{}, `{"choices":[{"delta":{"refusal":"I cannot"}}]}`, piece{text: "I cannot"}},
		{"cut at its longest", openAI{}, `{"choices":[{"delta":{},"finish_reason":"length"}]}`, piece{finish: "length"}},
		{"filtered", openAI{}, `{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`, piece{finish: "content_filter"}},
		{"cut, as another model behind the protocol says it", openAI{}, `{"choices":[{"delta":{},"finish_reason":"MAX_TOKENS"}]}`, piece{finish: "length"}},
		{"filtered, likewise", openAI{}, `{"choices":[{"delta":{},"finish_reason":"SAFETY"}]}`, piece{finish: "content_filter"}},
		{"a reason that nobody knows", openAI{}, `{"choices":[{"delta":{},"finish_reason":"Tired"}]}`, piece{finish: "Tired", odd: []string{`unknown finish reason "Tired"`}}},
		{"a fingerprint", openAI{}, `{"model":"x","system_fingerprint":"fp","choices":[]}`, piece{model: "x", fingerprint: "fp"}},
		{"counts that cannot be", openAI{}, `{"choices":[],"usage":{"prompt_tokens":-7,"completion_tokens":3}}`, piece{output: 3}},
		{"a rate limit", openAI{}, `{"error":{"type":"rate_limit_error","message":"slow"}}`, piece{failed: &reported{RateLimited, "rate_limit_error: slow"}}},
		{"a finish that is an error", openAI{}, `{"choices":[{"finish_reason":"error"}]}`, piece{failed: &reported{Server, "finish reason error"}}},

		{"cached tokens count", anthropic{}, `{"type":"message_start","message":{"model":"c","usage":{"input_tokens":3,"cache_read_input_tokens":20,"cache_creation_input_tokens":100,"output_tokens":1}}}`, piece{model: "c", input: 123, cached: 20}},
		{"text at a block's start", anthropic{}, `{"type":"content_block_start","content_block":{"type":"text","text":"Hi"}}`, piece{text: "Hi"}},
		{"thinking is no part of the answer", anthropic{}, `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm","text":"hm"}}`, piece{thinking: "hm"}},
		{"nor is its signature", anthropic{}, `{"type":"content_block_delta","delta":{"type":"signature_delta","signature":"xx"}}`, piece{}},
		{"nor are tools", anthropic{}, `{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{"}}`, piece{}},
		{"end of turn", anthropic{}, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}`, piece{finish: "stop", output: 15}},
		{"stop sequence", anthropic{}, `{"type":"message_delta","delta":{"stop_reason":"stop_sequence"}}`, piece{finish: "stop"}},
		{"longest answer", anthropic{}, `{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}`, piece{finish: "length"}},
		{"full context", anthropic{}, `{"type":"message_delta","delta":{"stop_reason":"model_context_window_exceeded"}}`, piece{finish: "length"}},
		{"refusal", anthropic{}, `{"type":"message_delta","delta":{"stop_reason":"refusal"}}`, piece{finish: "refusal"}},
		{"no stop reason yet", anthropic{}, `{"type":"message_delta","delta":{"stop_reason":null}}`, piece{}},
		{"message_stop", anthropic{}, `{"type":"message_stop"}`, piece{end: true}},
		{"ping", anthropic{}, `{"type":"ping"}`, piece{}},
		{"an event of the future", anthropic{}, `{"type":"content_block_sparkle","text":"x"}`, piece{}},
		{"overloaded", anthropic{}, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, piece{failed: &reported{Server, "overloaded_error: Overloaded"}}},
		{"the key is refused", anthropic{}, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, piece{failed: &reported{Auth, "authentication_error: invalid x-api-key"}}},
		{"not streamed", anthropic{}, `{"type":"message","model":"c","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}`, piece{text: "Hi", thinking: "hm", model: "c", finish: "stop", input: 1, output: 2}},

		{"text", ollama{}, `{"model":"m","message":{"content":"Hi","thinking":"hm"},"done":false}`, piece{text: "Hi", thinking: "hm", model: "m"}},
		{"done", ollama{}, `{"message":{"content":""},"done":true,"done_reason":"length","prompt_eval_count":4,"eval_count":2}`, piece{finish: "length", input: 4, output: 2, end: true}},
		{"done without a reason", ollama{}, `{"done":true}`, piece{end: true}},
		{"a model that was only loaded", ollama{}, `{"done":true,"done_reason":"load"}`, piece{end: true}},
		{"an error", ollama{}, `{"error":"out of memory"}`, piece{failed: &reported{Server, "out of memory"}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := row.codec.decode([]byte(row.data))
			if err != nil || !reflect.DeepEqual(got, row.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, row.want)
			}
		})
	}
}

func TestServersOwnWords(t *testing.T) {
	rows := []struct {
		name     string
		provider string
		answer   func(w http.ResponseWriter)
		class    Class
		advice   string
	}{
		{"a model that Ollama does not have", ProviderOllama, func(w http.ResponseWriter) { jsonError(w, 404, `{"error":"model 'coder-1' not found"}`) }, BadRequest, "`ollama pull coder-1`"},
		{"the same by its other interface", ProviderOpenAI, func(w http.ResponseWriter) {
			jsonError(w, 404, `{"error":{"message":"model \"coder-1\" not found, try pulling it first","type":"api_error"}}`)
		}, BadRequest, "`ollama pull coder-1`"},
		{"in a stream", ProviderOllama, func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/x-ndjson")
			io.WriteString(w, `{"error":"model 'coder-1' not found"}`)
		}, BadRequest, "`ollama pull coder-1`"},
		{"a model that a server does not have", ProviderOpenAI, func(w http.ResponseWriter) {
			jsonError(w, 404, `{"error":{"message":"The model coder-1 does not exist"}}`)
		}, BadRequest, `has a model "coder-1"`},
		{"overloaded", ProviderAnthropic, func(w http.ResponseWriter) {
			jsonError(w, 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
		}, Server, "overloaded"},
		{"temperature refused", ProviderOpenAI, func(w http.ResponseWriter) {
			jsonError(w, 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0.5 with this model.","param":"temperature"}}`)
		}, BadRequest, `add drop = ["temperature"]`},
		{"stop refused by its own name", ProviderAnthropic, func(w http.ResponseWriter) {
			jsonError(w, 400, `{"error":{"message":"stop_sequences: each must contain non-whitespace"}}`)
		}, BadRequest, `add drop = ["stop"]`},
		{"what cannot be dropped", ProviderAnthropic, func(w http.ResponseWriter) {
			jsonError(w, 400, `{"error":{"message":"max_tokens: 100 > 64"}}`)
		}, BadRequest, "correct max_tokens"},
		{"another refusal", ProviderOpenAI, func(w http.ResponseWriter) { jsonError(w, 400, `{"error":{"message":"too long"}}`) }, BadRequest, "correct this model's settings"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deps := dialects()[0].deps(serve(t, func(w http.ResponseWriter, _ *http.Request) { row.answer(w) }))
				_, _, err := ask(t, t.Context(), everything(row.provider), deps)
				var failed *Error
				if !errors.As(err, &failed) || failed.Class != row.class || !strings.Contains(failed.Advice, row.advice) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func TestHeadersFromTheEnvironment(t *testing.T) {
	m := Model{Name: "m", Provider: ProviderAnthropic, BaseURL: "https://x.test", Model: "m", Headers: Headers{"X-A": "env:NOT_SET", "X-B": "plain"}}
	deps := Deps{Getenv: func(string) string { return "" }}
	if ok, why := m.Ready(deps); ok || why != "the environment variable NOT_SET is not set" {
		t.Errorf("got %v %q", ok, why)
	}
	_, _, err := ask(t, t.Context(), m, deps)
	var failed *Error
	if !errors.As(err, &failed) || failed.Class != Auth || !strings.Contains(err.Error(), "NOT_SET") {
		t.Errorf("got %v", err)
	}
}

func TestStreamRedactor(t *testing.T) {
	hide := newRedactor("0123456789abcdef", "short")
	for text, want := range map[string]string{
		"":                                 "",
		"x 0123456789abcdef y":             "x [key] y",
		"0123456789abcde 0123456789abcdef": "0123456789abcde [key]",
		"01230123456789abcdef0123":         "0123[key]0123",
		"short words stay":                 "short words stay",
	} {
		for size := 1; size <= len(text)+1; size++ {
			s, got := hide.stream(), ""
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				got += s.add(rest[:n])
				rest = rest[n:]
			}
			if got += s.rest(); got != want {
				t.Errorf("%q by %d: got %q", text, size, got)
			}
		}
	}
}

func TestLines(t *testing.T) {
	for stream, want := range map[string][]string{
		"":                      nil,
		"\n\n":                  nil,
		"a\n\r\n b \nc":         {"a", "b", "c<final>"},
		strings.Repeat("x", 99): {strings.Repeat("x", 99) + "<final>"},
	} {
		for _, r := range []io.Reader{strings.NewReader(stream), iotest.OneByteReader(strings.NewReader(stream))} {
			if got, err := decode(newLineReader(r)); err != io.EOF || !reflect.DeepEqual(got, want) {
				t.Errorf("%q: got %q, %v", stream, got, err)
			}
		}
	}
	l := newLineReader(strings.NewReader(strings.Repeat("x", 200)))
	l.limit = 100
	if _, err := decode(l); !errors.Is(err, errEventTooLong) {
		t.Errorf("got %v", err)
	}
	if _, err := decode(newLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(io.ErrUnexpectedEOF)))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a broken connection: %v", err)
	}
}

// FuzzLines checks that lines do not depend on how the stream is cut into reads.
func FuzzLines(f *testing.F) {
	for _, d := range dialects() {
		f.Add(d.whole("Hel", "lo"))
	}
	f.Add("\r\n\n{}\n ")
	f.Fuzz(func(t *testing.T, stream string) {
		whole, err := decode(newLineReader(strings.NewReader(stream)))
		if err != io.EOF {
			t.Fatalf("the end is %v", err)
		}
		single, _ := decode(newLineReader(iotest.OneByteReader(strings.NewReader(stream))))
		if !reflect.DeepEqual(whole, single) {
			t.Fatalf("whole %q, byte by byte %q", whole, single)
		}
	})
}

// fuzzDecode checks that a message of any bytes is ignored or valid JSON, and that a finish reason, which
// an answer requires, is never made up.
func fuzzDecode(f *testing.F, c codec, d dialect) {
	for _, message := range []string{d.begin, d.text("Hi"), d.finish, d.after, d.failure("no")} {
		for line := range strings.Lines(message) {
			f.Add([]byte(strings.TrimSpace(strings.TrimPrefix(line, "data: "))))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := c.decode(data)
		if err == nil && !json.Valid(data) && !p.end {
			t.Fatalf("%q was taken for a message", data)
		}
		if err != nil && !reflect.DeepEqual(p, piece{}) {
			t.Fatalf("an error with %+v", p)
		}
		if p.finish != "" && !bytes.Contains(bytes.ToLower(data), []byte("reason")) && !bytes.ContainsAny(data, "\\\u017f") {
			t.Fatalf("%q has the finish reason %q", data, p.finish)
		}
		if p.input < 0 || p.output < 0 {
			t.Fatalf("%q has counts %d and %d", data, p.input, p.output)
		}
	})
}

func FuzzOpenAIMessages(f *testing.F)    { fuzzDecode(f, openAI{}, dialects()[0]) }
func FuzzAnthropicMessages(f *testing.F) { fuzzDecode(f, anthropic{}, dialects()[1]) }
func FuzzOllamaMessages(f *testing.F)    { fuzzDecode(f, ollama{}, dialects()[2]) }
