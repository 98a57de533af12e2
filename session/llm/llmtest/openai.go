package llmtest

import (
	"slices"
	"strings"
)

func delta(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }

func ended(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const hi = `{"choices":[{"index":0,"delta":{"content":"Hi"}}]}`

// openAIQuirks are ways of servers with OpenAI's protocol, taken from bug reports of other clients.
func openAIQuirks() []Quirk {
	all := []Quirk{
		{Name: "counts as fractions", Body: sse(hi, ended("stop"), `{"choices":[],"usage":{"prompt_tokens":101.0,"completion_tokens":57.0}}`), Text: "Hi", Finish: "stop", In: 101, Out: 57},
		{Name: "counts as texts", Body: sse(hi, ended("stop"), `{"choices":[],"usage":{"prompt_tokens":"101","completion_tokens":"57"}}`), Text: "Hi", Finish: "stop", In: 101, Out: 57},
		{Name: "counts that are no numbers", Body: sse(hi, ended("stop"), `{"choices":[],"usage":{"prompt_tokens":"many","completion_tokens":null}}`), Text: "Hi", Finish: "stop"},
		{Name: "a list for the counts", Body: sse(hi, ended("stop"), `{"choices":[],"usage":[]}`), Text: "Hi", Finish: "stop"},
		{Name: "fields of other types", Body: sse(`{"model":5,"system_fingerprint":[],"choices":[{"index":0,"delta":{"content":"Hi"}}]}`, ended("stop")), Text: "Hi", Finish: "stop"},
		{Name: "two answers", Body: sse(hi, `{"choices":[{"index":1,"delta":{"content":"Ho"}}]}`, delta(`"content":"gh"`), `{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`, ended("stop")), Text: "High", Finish: "stop", Odd: "more than one answer"},
		{Name: "a call in a second answer", Body: sse(hi, `{"choices":[{"index":1,"delta":{"tool_calls":[{"function":{"name":"x"}}]},"finish_reason":"tool_calls"}]}`, ended("stop")), Text: "Hi", Finish: "stop", Odd: "more than one answer"},
		{Name: "a call without text", Body: sse(delta(`"tool_calls":[{"function":{"name":"python"}}]`), ended("tool_calls")), Finish: "tool_calls", Odd: "the tool python"},
		{Name: "a call of the older form", Body: sse(delta(`"function_call":{"name":"run"}`), ended("function_call")), Finish: "tool_calls", Odd: "the tool run"},
		{Name: "DONE without a reason", Body: sse(hi, "[DONE]"), Text: "Hi", Finish: "none", Odd: "no finish reason"},
		{Name: "neither DONE nor a reason", Body: sse(hi), Class: "cut_off"},
		{Name: "DONE alone", Body: sse("[DONE]"), Class: "cut_off"},
		{Name: "one piece without a reason", Kind: "application/json", Body: `{"choices":[{"index":0,"message":{"content":"Hi"}}]}`, Text: "Hi", Finish: "none", Odd: "no finish reason"},
		{Name: "events as plain text", Kind: "text/plain; charset=utf-8", Body: sse(hi, ended("stop")), Text: "Hi", Finish: "stop"},
		{Name: "events without a type", Kind: "none", Body: sse(hi, ended("stop")), Text: "Hi", Finish: "stop"},
		{Name: "events as bytes", Kind: "application/octet-stream", Body: ": wait\n\n" + sse(hi, ended("stop")), Text: "Hi", Finish: "stop"},
		{Name: "events as JSON", Kind: "application/json", Body: "\ufeff" + sse(hi, ended("stop")), Text: "Hi", Finish: "stop"},
		{Name: "lines of JSON", Kind: "application/x-ndjson", Body: hi + "\n" + ended("stop") + "\n", Text: "Hi", Finish: "stop"},
		{Name: "one piece as plain text", Kind: "text/plain", Body: `{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}`, Text: "Hi", Finish: "stop"},
		{Name: "a page as plain text", Kind: "text/plain", Body: "<html>Sign in</html>", Class: "not_a_model"},
		{Name: "a page", Kind: "text/html", Body: sse(hi, ended("stop")), Class: "not_a_model"},
		{Name: "an error event", Body: sse(hi) + "event: error\ndata: {\"message\":\"no memory\"}\n\n", Class: "server_error", Odd: "no memory"},
		{Name: "an error object", Body: sse(hi, `{"object":"error","message":"no memory","code":500}`), Class: "server_error", Odd: "no memory"},
		{Name: "an error as text", Body: sse(hi, `{"error":"gone"}`), Class: "server_error", Odd: "gone"},
		{Name: "an error with the answer's end", Body: sse(hi, `{"choices":[{"delta":{},"finish_reason":"error"}],"error":{"message":"left"}}`), Class: "server_error", Odd: "left"},
		{Name: "nulls", Body: sse(`{"choices":null}`, `{"choices":[{"index":0,"delta":null}]}`, hi, `{"choices":[{"index":0,"finish_reason":"stop"}]}`), Text: "Hi", Finish: "stop"},
		{Name: "an unknown reason", Body: sse(hi, ended("tired")), Text: "Hi", Finish: "tired", Odd: `unknown finish reason "tired"`},
		{Name: "two reasons", Body: sse(hi, ended("stop"), ended("length")), Text: "Hi", Finish: "stop"},
		{Name: "thinking", Body: sse(delta(`"content":null,"reasoning_content":"hm"`), hi, ended("stop")), Text: "Hi", Thinking: "hm", Finish: "stop"},
		{Name: "Ollama, a token again and again", Body: sse(slices.Repeat([]string{`{"model":"tiny","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":" count"},"finish_reason":null}]}`}, 31)...), Text: strings.Repeat(" count", 31), Finish: "repetition"},
		{Name: "another server, a token again and again", Body: sse(slices.Repeat([]string{hi}, 40)...), Class: "cut_off"},
		{Name: "Ollama, its runner was killed", Body: sse(`{"model":"slow:7b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}`,
			`{"model":"","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`), Class: "cut_off"},
		{Name: "content of another type", Body: sse(delta(`"content":{"a":1}`), ended("stop")), Class: "not_a_model"},
	}
	return of(openAI, "", all)
}
