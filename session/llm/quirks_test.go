package llm

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
	"assay/session/llm/llmtest"
)

// TestQuirks: an answer that the server sends as a whole is taken, whole, however it is sent; a failure of the server is
// never an answer. An error tells what the user can do about it, and is tried again only where that may help.
func TestQuirks(t *testing.T) {
	rows := llmtest.Quirks()
	if len(rows) < 200 {
		t.Fatalf("%d rows", len(rows))
	}
	names := map[string]bool{}
	for _, q := range rows {
		if names[q.Name] {
			t.Errorf("two rows are called %s", q.Name)
		}
		names[q.Name] = true
		t.Run(q.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hot := 0.2
				m, server := testModel(), q.Server()
				m.Provider, m.BaseURL, m.Temperature, m.System = q.Provider, q.Base(), &hot, "be brief"
				answer, shown, err := ask(t, t.Context(), m, Deps{Transport: server, Getenv: func(string) string { return testKey }, Random: func() float64 { return 0.5 }})
				asked := server.Asked()
				if want := len(q.Before) + 1; !q.Again && len(asked) != want || q.Again && len(asked) != 1+maxRetries {
					t.Errorf("asked %d times", len(asked))
				}
				if len(asked) > 1 && asked[1].Sub(asked[0]) < q.Waits {
					t.Errorf("asked again after %v, want %v", asked[1].Sub(asked[0]), q.Waits)
				}
				if q.Class != "" {
					var failed *Error
					if !errors.As(err, &failed) || string(failed.Class) != q.Class || !strings.Contains(failed.Message, q.Odd) || !strings.Contains(failed.Advice, q.Advice) || failed.Passing() == q.Final {
						t.Errorf("%+v, %v; want %s, %s, %s", answer, err, q.Class, q.Odd, q.Advice)
					}
					return
				}
				fatal.If(t, err)
				got := Answer{Text: answer.Text, Thinking: answer.Thinking, FinishReason: answer.FinishReason, InputTokens: answer.InputTokens, CachedTokens: answer.CachedTokens, OutputTokens: answer.OutputTokens, ReasoningTokens: answer.ReasoningTokens}
				want := Answer{Text: q.Text, Thinking: q.Thinking, FinishReason: q.Finish, InputTokens: q.In, CachedTokens: q.Cached, OutputTokens: q.Out, ReasoningTokens: q.Reasoning}
				if !reflect.DeepEqual(got, want) || shown != q.Text {
					t.Errorf("%+v, shown %q; want %+v", got, shown, want)
				}
				if odd := strings.Join(answer.Odd, "; "); !strings.Contains(odd, q.Odd) || (odd == "") != (q.Odd == "") {
					t.Errorf("odd: %q, want %q", odd, q.Odd)
				}
				if strings.Join(answer.GaveUp, " ") != q.GaveUp {
					t.Errorf("gave up %q, want %q", answer.GaveUp, q.GaveUp)
				}
			})
		})
	}
}

// TestFinishReasons: the table of tests has every finish reason.
func TestFinishReasons(t *testing.T) {
	if want := llmtest.Finishes(); !maps.Equal(finishReasons, want) {
		t.Errorf("%v, want %v", finishReasons, want)
	}
}

// TestWithoutAStream: a server that refuses to stream is asked for the answer in one piece, which is recorded.
func TestWithoutAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, bodies := script(t, func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 400, `{"error":{"message":"Your organization must be verified to stream this model.","param":"stream"}}`)
		}, func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 200, `{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}`)
		})
		answer, _, err := ask(t, t.Context(), testModel(), serve(t, handler))
		fatal.If(t, err)
		if answer.Text != "Hi" || fmt.Sprint(answer.GaveUp) != "[stream]" || (*bodies)[1]["stream"] != false || (*bodies)[1]["stream_options"] != nil {
			t.Errorf("%+v, sent %v", answer, *bodies)
		}
	})
}

// TestAddresses: the path is added before a query, and a Unix socket is an address, too. Azure alone gets the key as api-key.
func TestAddresses(t *testing.T) {
	for base, want := range map[string]string{
		"https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21": "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
		"https://x/v1/":           "https://x/v1/chat/completions",
		"unix:///run/m.sock:/v1":  "http://localhost/v1/chat/completions",
		"unix:///run/m.sock:/v1/": "http://localhost/v1/chat/completions",
	} {
		m := testModel()
		m.BaseURL = base
		fatal.If(t, m.Validate())
		c := newHTTPClient(m, Deps{}.EnsureDefaults(), openAI{})
		req, err := http.NewRequest(http.MethodPost, c.endpoint, nil)
		fatal.If(t, err)
		c.authorise(req, credentials{key: testKey})
		if azure := strings.Contains(base, ".azure.com"); c.endpoint != want || (req.Header.Get("api-key") == testKey) != azure || req.Header.Get("Authorization") != "Bearer "+testKey {
			t.Errorf("%s: %s, want %s; %v", base, c.endpoint, want, req.Header)
		}
	}
}

// TestThinkingSettings: each provider gets its own field for how much the model thinks, and any further fields.
func TestThinkingSettings(t *testing.T) {
	for toml, want := range map[string]string{
		"provider = \"openai\"\nbase_url = \"http://x\"\nreasoning_effort = \"low\"\nextra_body = { top_a = 0.5, chat = { thinking = false } }":   `{"chat":{"thinking":false},"messages":[],"model":"x","reasoning_effort":"low","stream":true,"stream_options":{"include_usage":true},"top_a":0.5}`,
		"provider = \"anthropic\"\nmax_tokens = 9000\nthinking_tokens = 2000":                                                                     `{"max_tokens":9000,"messages":[],"model":"x","stream":true,"thinking":{"budget_tokens":2000,"type":"enabled"}}`,
		"provider = \"responses\"\nbase_url = \"http://x\"\nsystem = \"s\"\nmax_tokens = 9\nreasoning_effort = \"low\"":                           `{"input":[],"instructions":"s","max_output_tokens":9,"model":"x","reasoning":{"effort":"low"},"store":false,"stream":true}`,
		"provider = \"gemini\"\nsystem = \"s\"\nmax_tokens = 9000\nthinking_tokens = 2000\ntop_k = 3":                                             `{"contents":[],"generationConfig":{"maxOutputTokens":9000,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":2000},"topK":3},"systemInstruction":{"parts":[{"text":"s"}]}}`,
		"provider = \"ollama\"\ntemperature = 0.5\nnum_ctx = 100\nextra_body = { options = { num_thread = 1, num_ctx = 200 }, truncate = false }": `{"messages":[],"model":"x","options":{"num_ctx":200,"num_thread":1,"temperature":0.5},"stream":true,"truncate":false}`,
		"provider = \"ollama\"\nthink = true":    `{"messages":[],"model":"x","stream":true,"think":true}`,
		"provider = \"ollama\"\nthink = \"low\"": `{"messages":[],"model":"x","stream":true,"think":"low"}`,
	} {
		list, err := parseModels("models.toml", "[[model]]\nname = \"a\"\nmodel = \"x\"\n"+toml+"\n")
		fatal.If(t, err)
		client, err := list[0].Client(Deps{})
		fatal.If(t, err)
		c := client.(*httpClient)
		if got := string(c.body(Request{}, c.codec.form(list[0]))); got != want {
			t.Errorf("%s\n got %s\nwant %s", toml, got, want)
		}
		plain := list[0]
		plain.ReasoningEffort, plain.ThinkingTokens, plain.Think, plain.ExtraBody = "", nil, Thinking{}, nil
		if plain.Definition() == list[0].Definition() {
			t.Errorf("%s: how much it thinks does not define the model", toml)
		}
	}
	for _, bad := range []string{"provider = \"ollama\"\nthink = 3", "provider = \"anthropic\"\nthinking_tokens = 5000", "provider = \"ollama\"\nextra_body = { stream = false }", "provider = \"ollama\"\nextra_body = 1", "provider = \"ollama\"\nreasoning_effort = \"low\""} {
		if _, err := parseModels("models.toml", "[[model]]\nname = \"a\"\nmodel = \"x\"\n"+bad+"\n"); err == nil || !strings.Contains(err.Error(), "models.toml:") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestTokensApart: tokens of a provider's cache and of thinking are counted among the others and by themselves.
func TestTokensApart(t *testing.T) {
	for _, tt := range []struct {
		codec     codec
		data      string
		in, cache int
		out, hard int
	}{
		{openAI{}, `{"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":157,"prompt_tokens_details":{"cached_tokens":900},"completion_tokens_details":{"reasoning_tokens":100}}}`, 1000, 900, 157, 100},
		{openAI{}, `{"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":1,"prompt_cache_hit_tokens":64}}`, 1000, 64, 1, 0},
		{responses{}, `{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":900},"output_tokens":157,"output_tokens_details":{"reasoning_tokens":100}}}}`, 1000, 900, 157, 100},
		{gemini{}, `{"usageMetadata":{"promptTokenCount":1000,"cachedContentTokenCount":900,"candidatesTokenCount":57,"thoughtsTokenCount":100}}`, 1000, 900, 157, 100},
		{anthropic{}, `{"type":"message_start","message":{"usage":{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":790}}}`, 1000, 790, 0, 0},
	} {
		if p, err := tt.codec.decode([]byte(tt.data)); err != nil || p.input != tt.in || p.cached != tt.cache || p.output != tt.out || p.reasoning != tt.hard {
			t.Errorf("%s: %+v, %v", tt.data, p, err)
		}
	}
}

// TestUnixSocket: a server behind a Unix socket answers.
func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.sock")
	listener, err := net.Listen("unix", path)
	fatal.If(t, err)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		events(w, chunk(r.URL.Path), finish)
	})}
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(func() { s.Close() })
	m := testModel()
	m.BaseURL = "unix://" + path + ":/v1"
	answer, _, err := ask(t, t.Context(), m, Deps{Getenv: func(string) string { return testKey }})
	if err != nil || answer.Text != "/v1/chat/completions" {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestErrorAfterTheEnd: what a server reports after an answer is whole does not discard it, and is said.
func TestErrorAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, _, err := ask(t, t.Context(), testModel(), serve(t, func(w http.ResponseWriter, _ *http.Request) {
			events(w, chunk("Hi"), finish, `{"error":{"message":"late"}}`)
		}))
		if err != nil || answer.Text != "Hi" || len(answer.Odd) != 1 || !strings.Contains(answer.Odd[0], "late") {
			t.Errorf("%+v, %v", answer, err)
		}
	})
}
