package generate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/session/llm"
)

// counter is a server that counts the tokens of the answers that it gave whole, in the words of its protocol.
type counter struct {
	provider string

	mu     sync.Mutex
	random *rand.Rand
	sum    session.Account
	bill   float64
}

// tokens are those of one answer: read anew, read from the cache, said and thought.
type answerTokens struct{ fresh, cached, said, thought int }

// reply is an answer in the protocol, with its counts as the protocol has them.
func (s *counter) reply(n answerTokens) (kind, body string) {
	in, out := n.fresh+n.cached, n.said+n.thought
	event := func(lines ...string) string { return "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n" }
	switch s.provider {
	case llm.ProviderResponses:
		return "text/event-stream", event(`{"type":"response.output_text.delta","delta":"x = 1"}`,
			fmt.Sprintf(`{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d}}}}`, in, n.cached, out, n.thought))
	case llm.ProviderAnthropic:
		return "text/event-stream", event(fmt.Sprintf(`{"type":"message_start","message":{"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":1}}}`, n.fresh/2, n.fresh-n.fresh/2, n.cached),
			`{"type":"content_block_delta","delta":{"type":"text_delta","text":"x = 1"}}`, fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":%d}}`, out), `{"type":"message_stop"}`)
	case llm.ProviderGemini:
		return "text/event-stream", event(`{"candidates":[{"content":{"parts":[{"text":"x = 1"}]}}]}`,
			fmt.Sprintf(`{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":%d,"cachedContentTokenCount":%d,"candidatesTokenCount":%d,"thoughtsTokenCount":%d}}`, in, n.cached, n.said, n.thought))
	case llm.ProviderOllama:
		return "application/x-ndjson", `{"message":{"content":"x = 1"},"done":false}` + "\n" + fmt.Sprintf(`{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":%d,"eval_count":%d}`+"\n", in, out)
	}
	return "text/event-stream", event(`{"choices":[{"index":0,"delta":{"content":"x = 1"}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d},"completion_tokens":%d,"completion_tokens_details":{"reasoning_tokens":%d}}}`, in, n.cached, out, n.thought), "[DONE]")
}

func (s *counter) RoundTrip(req *http.Request) (*http.Response, error) {
	respond := func(status int, kind, text string) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(text)), Request: req}, nil
	}
	if req.Method == http.MethodGet || strings.HasSuffix(req.URL.Path, "/api/show") {
		return respond(404, "application/json", `{"error":"not here"}`)
	}
	var body map[string]any
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		return nil, err
	}
	select {
	case <-time.After(time.Second):
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := answerTokens{1 + s.random.IntN(3000), s.random.IntN(2) * s.random.IntN(5000), 1 + s.random.IntN(800), s.random.IntN(2) * s.random.IntN(900)}
	if s.provider == llm.ProviderOllama {
		n.cached, n.thought = 0, 0 // which it does not tell
	}
	if s.provider == llm.ProviderAnthropic {
		n.thought = 0 // likewise
	}
	kind, text := s.reply(n)
	switch s.random.IntN(6) {
	case 0:
		return respond(503, "application/json", `{"error":{"message":"busy"}}`)
	case 1:
		return respond(200, kind, text[:len(text)/3])
	}
	s.sum.Add(session.Account{Answers: 1, Input: int64(n.fresh + n.cached), Cached: int64(n.cached), Output: int64(n.said + n.thought), Reasoning: int64(n.thought)})
	s.bill += float64(n.fresh)*2.5/1e6 + float64(n.cached)*0.25/1e6 + float64(n.said+n.thought)*10/1e6
	return respond(200, kind, text)
}

// TestTheAccountIsTheServers: a batch that is stopped and gone on with, on a server that fails, has the server's own count
// of the tokens of its answers, cached ones and those of thinking included, and its bill.
func TestTheAccountIsTheServers(t *testing.T) {
	for i, provider := range []string{llm.ProviderOpenAI, llm.ProviderResponses, llm.ProviderAnthropic, llm.ProviderGemini, llm.ProviderOllama} {
		t.Run(provider, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &counter{provider: provider, random: rand.New(rand.NewPCG(uint64(i), 54))}
				m := model("m")
				m.Provider, m.PriceIn, m.PriceCached, m.PriceOut = provider, new(2.5), new(0.25), new(10.0)
				m.BaseURL = "http://m.test"
				fatal.If(t, m.PricedAt.UnmarshalText([]byte("2026-03-01")))
				if provider != llm.ProviderOpenAI && provider != llm.ProviderOllama && provider != llm.ProviderGemini {
					m.Seed = nil
				}
				fatal.If(t, m.Validate())
				o := Options{Plan: Plan{Benchmark: benchmarkOf(5), Models: []llm.Model{m}, Prompts: wordings("level-1", "level-2"), N: 4}, Dir: t.TempDir() + "/run",
					Deps: llm.Deps{Transport: s, Getenv: func(string) string { return "" }}}
				for range 100 {
					ctx, stop := context.WithTimeout(t.Context(), 3500*time.Millisecond)
					got, err := run(ctx, t, o)
					stop()
					if err == nil && got.Complete() {
						break
					}
				}
				r, err := Open(o)
				fatal.If(t, err)
				defer r.Close()
				got := r.Summary()
				x := got.Models[0]
				if !got.Complete() || s.sum.Answers != x.Stored || x.Guessed {
					t.Fatalf("%d of %d answers are stored, the server gave %d", x.Stored, x.Cells, s.sum.Answers)
				}
				if x.InputTokens != s.sum.Input || x.OutputTokens != s.sum.Output || x.Cached != s.sum.Cached || x.Reasoning != s.sum.Reasoning {
					t.Errorf("%+v, the server counted %+v", x, s.sum)
				}
				var both session.Account
				for _, prompt := range []string{"level-1", "level-2"} {
					both.Add(r.Account("m", prompt))
				}
				if both != s.sum {
					t.Errorf("the prompts took %+v, the server counted %+v", both, s.sum)
				}
				if math.Abs(x.Cost-s.bill) > 1e-9 || math.Abs(m.Price().Of(both).Amount-s.bill) > 1e-9 || got.Spent < s.bill-1e-9 || x.Currency != "USD" || x.PricedAt != "2026-03-01" {
					t.Errorf("%v %s (%v in all), the server's bill is %v", x.Cost, x.Currency, got.Spent, s.bill)
				}
			})
		})
	}
}
