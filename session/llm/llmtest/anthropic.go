package llmtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
func anthropicQuirks() []Quirk {
	const (
		start = `message_start "message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}`
		begin = `content_block_start "index":0,"content_block":{"type":"text","text":""}`
		said  = `content_block_delta "index":0,"delta":{"type":"text_delta","text":"Hi"}`
		stop  = `message_stop "x":0`
	)
	end := func(reason string) string {
		return `message_delta "delta":{"stop_reason":"` + reason + `"},"usage":{"output_tokens":3}`
	}
	whole := func(between ...string) string {
		return anthropicEvents(slices.Concat([]string{start}, between, []string{end("end_turn"), stop})...)
	}
	thinking := []string{`content_block_start "index":0,"content_block":{"type":"thinking","thinking":""}`, `content_block_delta "index":0,"delta":{"type":"thinking_delta","thinking":"hm"}`,
		`content_block_delta "index":0,"delta":{"type":"signature_delta","signature":"x"}`, `content_block_stop "index":0`,
		`content_block_start "index":1,"content_block":{"type":"text","text":""}`, `content_block_delta "index":1,"delta":{"type":"text_delta","text":"Hi"}`, `content_block_stop "index":1`}
	all := []Quirk{
		{Name: "thinking before the text", Body: whole(thinking...), Text: "Hi", Thinking: "hm", Finish: "stop", In: 7, Out: 3},
		{Name: "hidden thinking", Body: whole(`content_block_start "index":0,"content_block":{"type":"redacted_thinking","data":"EmwK"}`, `content_block_start "index":1,"content_block":{"type":"text","text":""}`, `content_block_delta "index":1,"delta":{"type":"text_delta","text":"Hi"}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "unknown events and blocks", Body: whole(`brand_new "x":1`, begin, `content_block_delta "index":0,"delta":{"type":"new","zz":"no"}`, said), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "text with the start of its block", Body: whole(`content_block_start "index":0,"content_block":{"type":"text","text":"H"}`, `content_block_delta "index":0,"delta":{"type":"text_delta","text":"i"}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "text without the start of its block", Body: whole(said), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "two blocks of text", Body: whole(begin, `content_block_delta "index":0,"delta":{"type":"text_delta","text":"H"}`, `content_block_stop "index":0`, `content_block_start "index":1,"content_block":{"type":"text","text":""}`, `content_block_delta "index":1,"delta":{"type":"text_delta","text":"i"}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "a sign of life", Body: whole(`ping "x":0`, begin, `ping "x":0`, said), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "the end of a message without a reason", Body: anthropicEvents(start, begin, said, stop), Text: "Hi", Finish: "none", Odd: "no finish reason", In: 7},
		{Name: "DONE at the end", Body: anthropicEvents(start, begin, said) + sse("[DONE]"), Text: "Hi", Finish: "none", Odd: "no finish reason", In: 7},
		{Name: "cut off", Body: anthropicEvents(start, begin, said), Class: "cut_off"},
		{Name: "a tool", Body: anthropicEvents(start, `content_block_start "index":0,"content_block":{"type":"tool_use","id":"t","name":"bash","input":{}}`, `content_block_delta "index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}`, end("tool_use"), stop), Finish: "tool_calls", Odd: "the tool bash", In: 7, Out: 3},
		{Name: "overloaded in the middle", Body: anthropicEvents(start, begin, said, `error "error":{"type":"overloaded_error","message":"Overloaded"}`), Class: "server_error", Odd: "Overloaded"},
		{Name: "an error without a type", Body: anthropicEvents(start, begin, said) + "event: error\ndata: {\"error\":{\"message\":\"no memory\"}}\n\n", Class: "server_error", Odd: "no memory"},
		{Name: "a limit in the middle", Body: anthropicEvents(start, `error "error":{"type":"rate_limit_error","message":"slower"}`), Class: "rate_limit", Odd: "slower"},
		{Name: "a turn that is paused", Body: anthropicEvents(start, begin, said, end("pause_turn")), Class: "server_error", Odd: "pause_turn"},
		{Name: "an unknown reason", Body: anthropicEvents(start, begin, said, end("tired"), stop), Text: "Hi", Finish: "tired", Odd: "tired", In: 7, Out: 3},
		{Name: "a reason that comes later", Body: anthropicEvents(start, begin, said, `message_delta "delta":{"stop_reason":null},"usage":{"output_tokens":2}`, end("end_turn"), stop), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "counts as texts", Body: anthropicEvents(`message_start "message":{"content":[],"usage":{"input_tokens":"7"}}`, begin, said, `message_delta "delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3.0}`, stop), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "counts at the end alone", Body: anthropicEvents(`message_start "message":{"content":[],"usage":{"input_tokens":0,"output_tokens":0}}`, begin, said, `message_delta "delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":10,"cache_read_input_tokens":60,"output_tokens":3}`, stop), Text: "Hi", Finish: "stop", In: 70, Cached: 60, Out: 3},
		{Name: "counts of the cache", Body: anthropicEvents(`message_start "message":{"content":[],"usage":{"input_tokens":4,"cache_creation_input_tokens":6,"cache_read_input_tokens":60,"output_tokens":1}}`, begin, said, end("end_turn"), stop), Text: "Hi", Finish: "stop", In: 70, Cached: 60, Out: 3},
		{Name: "one piece", Kind: "application/json", Body: `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":3}}`, Text: "Hi", Thinking: "hm", Finish: "stop", In: 7, Out: 3},
		{Name: "an error in one piece", Kind: "application/json", Body: `{"error":{"message":"no such worker"}}`, Class: "server_error", Odd: "no such worker"},
		{Name: "overloaded", Status: 529, Kind: "application/json", Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, Class: "server_error", Odd: "Overloaded", Again: true},
	}
	ends := map[string]string{"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refusal"}
	for _, word := range slices.Sorted(maps.Keys(ends)) {
		all = append(all, Quirk{Name: "ends with " + word, Body: anthropicEvents(start, begin, said, end(word), stop), Text: "Hi", Finish: ends[word], In: 7, Out: 3})
	}
	return of(anthropic, "Anthropic", all)
}
