package llm

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
)

// sse frames events; ev is an event of Anthropic's.
func sse(events ...string) string {
	var b strings.Builder
	for _, event := range events {
		b.WriteString("data: " + event + "\n\n")
	}
	return b.String()
}

func delta(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }

func ended(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const hi = `{"choices":[{"index":0,"delta":{"content":"Hi"}}]}`

// quirk is what a server sends, and what becomes of it.
type quirk struct {
	provider         string // "" is ProviderOpenAI
	name, kind, body string
	text, finish     string
	odd              string // what is said about it; "": nothing
	class            Class  // of the error; "": it is an answer
	thinking         string
	in, out          int
}

// openAIQuirks are ways of servers with OpenAI's protocol, taken from bug reports of other clients.
func openAIQuirks() []quirk {
	const events = "text/event-stream"
	all := []quirk{
		{name: "counts as fractions", body: sse(hi, ended("stop"), `{"choices":[],"usage":{"prompt_tokens":101.0,"completion_tokens":57.0}}`), text: "Hi", finish: "stop", in: 101, out: 57},
		{name: "counts as texts", body: sse(hi, ended("stop"), `{"choices":[],"usage":{"prompt_tokens":"101","completion_tokens":"57"}}`), text: "Hi", finish: "stop", in: 101, out: 57},
		{name: "counts that are no numbers", body: sse(hi, ended("stop"), `{"choices":[],"usage":{"prompt_tokens":"many","completion_tokens":null}}`), text: "Hi", finish: "stop"},
		{name: "a list for the counts", body: sse(hi, ended("stop"), `{"choices":[],"usage":[]}`), text: "Hi", finish: "stop"},
		{name: "fields of other types", body: sse(`{"model":5,"system_fingerprint":[],"choices":[{"index":0,"delta":{"content":"Hi"}}]}`, ended("stop")), text: "Hi", finish: "stop"},
		{name: "two answers", body: sse(hi, `{"choices":[{"index":1,"delta":{"content":"Ho"}}]}`, delta(`"content":"gh"`), `{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`, ended("stop")), text: "High", finish: "stop", odd: "more than one answer"},
		{name: "a call in a second answer", body: sse(hi, `{"choices":[{"index":1,"delta":{"tool_calls":[{"function":{"name":"x"}}]},"finish_reason":"tool_calls"}]}`, ended("stop")), text: "Hi", finish: "stop", odd: "more than one answer"},
		{name: "a call without text", body: sse(delta(`"tool_calls":[{"function":{"name":"python"}}]`), ended("tool_calls")), finish: "tool_calls", odd: "the tool python"},
		{name: "a call of the older form", body: sse(delta(`"function_call":{"name":"run"}`), ended("function_call")), finish: "tool_calls", odd: "the tool run"},
		{name: "DONE without a reason", body: sse(hi, "[DONE]"), text: "Hi", finish: "none", odd: "no finish reason"},
		{name: "neither DONE nor a reason", body: sse(hi), class: CutOff},
		{name: "DONE alone", body: sse("[DONE]"), class: CutOff},
		{name: "one piece without a reason", kind: "application/json", body: `{"choices":[{"index":0,"message":{"content":"Hi"}}]}`, text: "Hi", finish: "none", odd: "no finish reason"},
		{name: "events as plain text", kind: "text/plain; charset=utf-8", body: sse(hi, ended("stop")), text: "Hi", finish: "stop"},
		{name: "events without a type", kind: "none", body: sse(hi, ended("stop")), text: "Hi", finish: "stop"},
		{name: "events as bytes", kind: "application/octet-stream", body: ": wait\n\n" + sse(hi, ended("stop")), text: "Hi", finish: "stop"},
		{name: "events as JSON", kind: "application/json", body: "\ufeff" + sse(hi, ended("stop")), text: "Hi", finish: "stop"},
		{name: "lines of JSON", kind: "application/x-ndjson", body: hi + "\n" + ended("stop") + "\n", text: "Hi", finish: "stop"},
		{name: "one piece as plain text", kind: "text/plain", body: `{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}`, text: "Hi", finish: "stop"},
		{name: "a page as plain text", kind: "text/plain", body: "<html>Sign in</html>", class: NotAModel},
		{name: "a page", kind: "text/html", body: sse(hi, ended("stop")), class: NotAModel},
		{name: "an error event", body: sse(hi) + "event: error\ndata: {\"message\":\"no memory\"}\n\n", class: Server, odd: "no memory"},
		{name: "an error object", body: sse(hi, `{"object":"error","message":"no memory","code":500}`), class: Server, odd: "no memory"},
		{name: "an error as text", body: sse(hi, `{"error":"gone"}`), class: Server, odd: "gone"},
		{name: "an error with the answer's end", body: sse(hi, `{"choices":[{"delta":{},"finish_reason":"error"}],"error":{"message":"left"}}`), class: Server, odd: "left"},
		{name: "nulls", body: sse(`{"choices":null}`, `{"choices":[{"index":0,"delta":null}]}`, hi, `{"choices":[{"index":0,"finish_reason":"stop"}]}`), text: "Hi", finish: "stop"},
		{name: "an unknown reason", body: sse(hi, ended("tired")), text: "Hi", finish: "tired", odd: `unknown finish reason "tired"`},
		{name: "two reasons", body: sse(hi, ended("stop"), ended("length")), text: "Hi", finish: "stop"},
		{name: "thinking", body: sse(delta(`"content":null,"reasoning_content":"hm"`), hi, ended("stop")), text: "Hi", thinking: "hm", finish: "stop"},
		{name: "Ollama, a token again and again", body: sse(slices.Repeat([]string{`{"model":"tiny","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":" count"},"finish_reason":null}]}`}, 31)...), text: strings.Repeat(" count", 31), finish: "repetition"},
		{name: "another server, a token again and again", body: sse(slices.Repeat([]string{hi}, 40)...), class: CutOff},
		{name: "Ollama, its runner was killed", body: sse(`{"model":"slow:7b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}`,
			`{"model":"","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`), class: CutOff},
		{name: "content of another type", body: sse(delta(`"content":{"a":1}`), ended("stop")), class: NotAModel},
	}
	for i := range all {
		if all[i].kind == "" {
			all[i].kind = events
		}
	}
	for _, word := range slices.Sorted(maps.Keys(finishReasons)) {
		reason := finishReasons[word]
		for _, word := range []string{word, strings.ToUpper(word)} {
			q := quirk{name: "ends with " + word, kind: events, body: sse(hi, ended(word)), text: "Hi", finish: reason}
			if reason == finishByServer {
				q.class, q.odd = Server, "finish reason "+word
			}
			all = append(all, q)
		}
	}
	return all
}

// anthropicEvents frames events of Anthropic's protocol.
func anthropicEvents(events ...string) string {
	var b strings.Builder
	for _, event := range events {
		kind, data, _ := strings.Cut(event, " ")
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,%s}\n\n", kind, kind, data)
	}
	return b.String()
}

// anthropicQuirks are ways of Anthropic's servers and of gateways with their protocol.
func anthropicQuirks() []quirk {
	const start = `message_start "message":{"model":"c","usage":{"input_tokens":7}}`
	const text = `content_block_delta "index":0,"delta":{"type":"text_delta","text":"Hi"}`
	end := func(reason string) string {
		return `message_delta "delta":{"stop_reason":"` + reason + `"},"usage":{"output_tokens":3}`
	}
	all := []quirk{
		{name: "thinking before the text", body: anthropicEvents(start, `content_block_delta "index":0,"delta":{"type":"thinking_delta","thinking":"hm"}`, text, end("end_turn"), `message_stop "x":0`), text: "Hi", thinking: "hm", finish: "stop", in: 7, out: 3},
		{name: "hidden thinking", body: anthropicEvents(start, `content_block_start "index":0,"content_block":{"type":"redacted_thinking","data":"EmwK"}`, text, end("end_turn")), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "unknown events and blocks", body: anthropicEvents(start, `brand_new "x":1`, `content_block_start "index":0,"content_block":{"type":"new","zz":"no"}`, `content_block_delta "index":0,"delta":{"type":"new","zz":"no"}`, text, end("end_turn")), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "the end of a message without a reason", body: anthropicEvents(start, text, `message_stop "x":0`), text: "Hi", finish: "none", odd: "no finish reason", in: 7},
		{name: "cut off", body: anthropicEvents(start, text), class: CutOff},
		{name: "a tool", body: anthropicEvents(start, `content_block_start "index":0,"content_block":{"type":"tool_use","name":"bash"}`, end("tool_use")), finish: "tool_calls", odd: "the tool bash", in: 7, out: 3},
		{name: "overloaded in the middle", body: anthropicEvents(start, text, `error "error":{"type":"overloaded_error","message":"Overloaded"}`), class: Server, odd: "Overloaded"},
		{name: "a turn that is paused", body: anthropicEvents(start, text, end("pause_turn")), class: Server, odd: "pause_turn"},
		{name: "an unknown reason", body: anthropicEvents(start, text, end("tired")), text: "Hi", finish: "tired", odd: "tired", in: 7, out: 3},
		{name: "counts as texts", body: anthropicEvents(`message_start "message":{"usage":{"input_tokens":"7"}}`, text, `message_delta "delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3.0}`), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "one piece", kind: "application/json", body: `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":3}}`, text: "Hi", thinking: "hm", finish: "stop", in: 7, out: 3},
	}
	ends := map[string]string{"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refusal"}
	for _, word := range slices.Sorted(maps.Keys(ends)) {
		reason := ends[word]
		all = append(all, quirk{name: "ends with " + word, body: anthropicEvents(start, text, end(word)), text: "Hi", finish: reason, in: 7, out: 3})
	}
	return of(ProviderAnthropic, "Anthropic", all)
}

// ollamaQuirks are ways of Ollama.
func ollamaQuirks() []quirk {
	const text = `{"message":{"content":"Hi"},"done":false}` + "\n"
	end := func(reason string) string {
		return `{"message":{"content":""},"done":true,"done_reason":"` + reason + `","prompt_eval_count":7,"eval_count":3}` + "\n"
	}
	all := []quirk{
		{name: "thinking", body: `{"message":{"content":"","thinking":"hm"},"done":false}` + "\n" + text + end("stop"), text: "Hi", thinking: "hm", finish: "stop", in: 7, out: 3},
		{name: "an older one without reasons", body: text + `{"message":{"content":""},"done":true}` + "\n", text: "Hi", finish: "none", odd: "no finish reason"},
		{name: "the length limit", body: text + end("length"), text: "Hi", finish: "length", in: 7, out: 3},
		{name: "only loaded", body: end("load"), class: CutOff},
		{name: "an error in the middle", body: text + `{"error":"an error was encountered while running the model: CUDA error"}` + "\n", class: Server, odd: "CUDA error"},
		{name: "cut off", body: text, class: CutOff},
		{name: "a token again and again", body: text + strings.Repeat(`{"model":"tiny","message":{"role":"assistant","content":" count"},"done":false}`+"\n", 31), text: "Hi" + strings.Repeat(" count", 31), finish: "repetition"},
		{name: "cut off while it repeats a token", body: text + strings.Repeat(`{"model":"tiny","message":{"role":"assistant","content":" count"},"done":false}`+"\n", 30), class: CutOff},
		{name: "cut off after it repeated a token", body: strings.Repeat(text, 40) + `{"message":{"content":"!"},"done":false}` + "\n", class: CutOff},
		{name: "a tool", body: `{"message":{"content":"","tool_calls":[{"function":{"name":"bash"}}]},"done":false}` + "\n" + end("stop"), text: "", finish: "stop", odd: "the tool bash", in: 7, out: 3},
		{name: "without a type", kind: "none", body: text + end("stop"), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "one piece", kind: "application/json", body: `{"message":{"content":"Hi"},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`, text: "Hi", finish: "stop", in: 7, out: 3},
	}
	for i := range all {
		all[i].kind = cmp.Or(all[i].kind, "application/x-ndjson")
	}
	return of(ProviderOllama, "Ollama", all)
}

// responsesQuirks are ways of servers with OpenAI's Responses API.
func responsesQuirks() []quirk {
	const (
		usage   = `"usage":{"input_tokens":7,"output_tokens":3}`
		created = `{"type":"response.created","response":{"model":"c","status":"in_progress","output":[],"error":null}}`
		text    = `{"type":"response.output_text.delta","output_index":0,"delta":"Hi"}`
		message = `{"type":"message","content":[{"type":"output_text","text":"Hi"}]}`
	)
	end := func(event, fields string) string {
		return `{"type":"response.` + event + `","response":{"model":"c","output":[` + message + `],` + usage + `,` + fields + `}}`
	}
	completed := end("completed", `"status":"completed","error":null,"incomplete_details":null`)
	all := []quirk{
		{name: "a stream", body: sse(created, text, `{"type":"response.output_text.done","text":"Hi"}`, completed), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "thinking", body: sse(created, `{"type":"response.output_item.added","item":{"type":"reasoning","summary":[]}}`, `{"type":"response.reasoning_summary_text.delta","delta":"h"}`, `{"type":"response.reasoning_text.delta","delta":"m"}`, text, completed), text: "Hi", thinking: "hm", finish: "stop", in: 7, out: 3},
		{name: "the end alone", body: sse(created, completed), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "a refusal", body: sse(created, `{"type":"response.refusal.delta","delta":"No"}`, completed), text: "No", finish: "stop", in: 7, out: 3},
		{name: "the length limit", body: sse(text, end("incomplete", `"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}`)), text: "Hi", finish: "length", in: 7, out: 3},
		{name: "the filter", body: sse(text, end("incomplete", `"status":"incomplete","incomplete_details":{"reason":"content_filter"}`)), text: "Hi", finish: "content_filter", in: 7, out: 3},
		{name: "a failure", body: sse(created, text, end("failed", `"status":"failed","error":{"code":"server_error","message":"no memory"}`)), class: Server, odd: "no memory"},
		{name: "an error event", body: sse(created, `{"type":"error","code":"ERR","message":"gone","param":null}`), class: Server, odd: "gone"},
		{name: "an error within an event", body: sse(created, `{"type":"error","error":{"type":"rate_limit_error","message":"slower"}}`), class: RateLimited, odd: "slower"},
		{name: "cut off", body: sse(created, text), class: CutOff},
		{name: "DONE alone", body: sse("[DONE]"), class: CutOff},
		{name: "a tool", body: sse(created, `{"type":"response.output_item.added","item":{"type":"function_call","name":"bash"}}`, text, completed), text: "Hi", finish: "stop", odd: "the tool bash", in: 7, out: 3},
		{name: "a search", body: sse(created, `{"type":"response.output_item.added","item":{"type":"web_search_call"}}`, text, completed), text: "Hi", finish: "stop", odd: "the tool web_search", in: 7, out: 3},
		{name: "unknown events", body: sse(created, `{"type":"response.brand.new","delta":"no"}`, text, completed), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "counts as texts", body: sse(text, `{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":"7","output_tokens":3.0}}}`), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "one piece", kind: "application/json", body: `{"object":"response","status":"completed","output":[{"type":"reasoning","summary":[{"text":"h"}],"content":[{"type":"reasoning_text","text":"m"}]},` + message + `],` + usage + `}`, text: "Hi", thinking: "mh", finish: "stop", in: 7, out: 3},
		{name: "output of another type", kind: "application/json", body: `{"object":"response","status":"completed","output":5}`, class: NotAModel},
	}
	return of(ProviderResponses, "Responses", all)
}

// geminiQuirks are ways of Google's servers.
func geminiQuirks() []quirk {
	part := func(parts string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[` + parts + `]}}]}`
	}
	end := func(reason string) string {
		return `{"candidates":[{"content":{},"finishReason":"` + reason + `"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2,"thoughtsTokenCount":1},"modelVersion":"g"}`
	}
	text := part(`{"text":"Hi"}`)
	all := []quirk{
		{name: "a stream", body: sse(part(`{"text":"H"}`), part(`{"text":"i"}`), end("STOP")), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "thinking", body: sse(part(`{"text":"hm","thought":true},{"text":"Hi","thoughtSignature":"x"}`), end("STOP")), text: "Hi", thinking: "hm", finish: "stop", in: 7, out: 3},
		{name: "counts with each message", body: sse(`{"candidates":[{"content":{"parts":[{"text":"Hi"}]}}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":1}}`, end("STOP")), text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "a blocked prompt", body: sse(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`), class: Filtered, odd: "PROHIBITED_CONTENT"},
		{name: "a blocked answer", body: sse(text, end("SAFETY")), text: "Hi", finish: "content_filter", in: 7, out: 3},
		{name: "a recitation", body: sse(text, end("RECITATION")), text: "Hi", finish: "content_filter", in: 7, out: 3},
		{name: "the length limit", body: sse(text, end("MAX_TOKENS")), text: "Hi", finish: "length", in: 7, out: 3},
		{name: "an unknown reason", body: sse(text, end("TIRED")), text: "Hi", finish: "TIRED", odd: "TIRED", in: 7, out: 3},
		{name: "two answers", body: sse(text, `{"candidates":[{"index":1,"content":{"parts":[{"text":"Ho"}]},"finishReason":"STOP"}]}`, end("STOP")), text: "Hi", finish: "stop", odd: "more than one answer", in: 7, out: 3},
		{name: "a tool", body: sse(part(`{"functionCall":{"name":"bash","args":{}}}`), end("STOP")), finish: "stop", odd: "the tool bash", in: 7, out: 3},
		{name: "an error in the middle", body: sse(text, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), class: Server, odd: "overloaded"},
		{name: "cut off", body: sse(text), class: CutOff},
		{name: "one piece", kind: "application/json", body: `{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}}`, text: "Hi", finish: "stop", in: 7, out: 3},
		{name: "candidates of another type", body: sse(`{"candidates":5}`), class: NotAModel},
	}
	return of(ProviderGemini, "Gemini", all)
}

// of makes quirks those of a provider's streams, unless they say otherwise.
func of(provider, name string, all []quirk) []quirk {
	for i := range all {
		all[i].provider, all[i].kind, all[i].name = provider, cmp.Or(all[i].kind, "text/event-stream"), name+": "+all[i].name
	}
	return all
}

// TestQuirks: an answer that the server sends as a whole is taken, whole, however it is sent; a failure of the server is
// never an answer.
func TestQuirks(t *testing.T) {
	for _, q := range slices.Concat(openAIQuirks(), anthropicQuirks(), ollamaQuirks(), responsesQuirks(), geminiQuirks()) {
		t.Run(q.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := testModel()
				if q.provider != "" {
					m.Provider, m.BaseURL = q.provider, "http://model.test"
				}
				answer, shown, err := ask(t, t.Context(), m, serve(t, func(w http.ResponseWriter, _ *http.Request) {
					w.Header()["Content-Type"] = nil
					if q.kind != "none" {
						w.Header().Set("Content-Type", q.kind)
					}
					io.WriteString(w, q.body)
				}))
				var failed *Error
				switch {
				case q.class != "":
					if !errors.As(err, &failed) || failed.Class != q.class || !strings.Contains(failed.Message, q.odd) {
						t.Errorf("%+v, %v; want %s, %s", answer, err, q.class, q.odd)
					}
					return
				case err != nil:
					t.Fatal(err)
				}
				if answer.Text != q.text || shown != q.text || answer.Thinking != q.thinking || answer.FinishReason != q.finish || answer.InputTokens != q.in || answer.OutputTokens != q.out {
					t.Errorf("%+v, shown %q; want %+v", answer, shown, q)
				}
				if got := strings.Join(answer.Odd, "; "); !strings.Contains(got, q.odd) || (got == "") != (q.odd == "") {
					t.Errorf("odd: %q, want %q", got, q.odd)
				}
			})
		})
	}
}

// TestRefusals: an error tells what the user can do about it, and is tried again only where that may help.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		class  Class
		advice string
		again  bool
	}{
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.","code":"context_length_exceeded"}}`, TooLong, "fresh", false},
		{400, `{"error":{"message":"the request exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error"}}`, TooLong, "fresh", false},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, TooLong, "fresh", false},
		{400, `{"object":"error","message":"max context is 4096 tokens","code":400}`, TooLong, "fresh", false},
		{400, `[{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed: input too long"}}]`, TooLong, "fresh", false},
		{400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","code":"content_filter"}}`, Filtered, "word it differently", false},
		{400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model."}}`, BadRequest, `drop = ["temperature"]`, false},
		{400, `{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model."}}`, BadRequest, `drop = ["system"]`, false},
		{500, `{"error":{"message":"System role not supported at row 1, column 30 (jinja)"}}`, BadRequest, `drop = ["system"]`, false},
		{422, `{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}`, BadRequest, "settings", false},
		{408, `{}`, Server, "try again", true},
		{409, `{}`, Server, "try again", true},
		{425, `{}`, Server, "try again", true},
		{404, "404 page not found", NotAModel, "base_url", false},
		{405, `{"detail":"Method Not Allowed"}`, NotAModel, "base_url", false},
		{307, "", NotAModel, "base_url", false},
		{413, "<title>413 Request Entity Too Large</title>", BadRequest, "settings", false},
	} {
		t.Run(fmt.Sprintf("%d %.40s", tt.status, tt.body), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked, hot := 0, 0.2
				m := testModel()
				m.Temperature, m.System = &hot, "be brief"
				_, _, err := ask(t, t.Context(), m, serve(t, func(w http.ResponseWriter, _ *http.Request) {
					if asked++; tt.status == 307 {
						w.Header().Set("Location", "https://login.test/in")
					}
					w.WriteHeader(tt.status)
					io.WriteString(w, tt.body)
				}))
				var failed *Error
				if !errors.As(err, &failed) || failed.Class != tt.class || !strings.Contains(failed.Advice, tt.advice) || failed.Passing() != tt.again || (asked > 1) != tt.again {
					t.Fatalf("asked %d times, class %s: %v", asked, failed.Class, err)
				}
				if tt.class == NotAModel && !strings.Contains(failed.Message, "/chat/completions") || tt.status == 307 && !strings.Contains(failed.Message, "https://login.test/in") {
					t.Errorf("the address is not named: %s", failed.Message)
				}
			})
		})
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

// TestAddresses: the path is added before a query, and a Unix socket is an address, too.
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
		if c := newHTTPClient(m, Deps{}.EnsureDefaults(), openAI{}); c.endpoint != want {
			t.Errorf("%s: %s, want %s", base, c.endpoint, want)
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
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, sse(delta(fmt.Sprintf(`"content":%q`, r.URL.Path)), ended("stop")))
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
			events(w, hi, ended("stop"), `{"error":{"message":"late"}}`)
		}))
		if err != nil || answer.Text != "Hi" || len(answer.Odd) != 1 || !strings.Contains(answer.Odd[0], "late") {
			t.Errorf("%+v, %v", answer, err)
		}
	})
}
