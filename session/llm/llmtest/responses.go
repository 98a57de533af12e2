package llmtest

// responsesQuirks are ways of servers with OpenAI's Responses API.
func responsesQuirks() []Quirk {
	const (
		usage   = `"usage":{"input_tokens":7,"output_tokens":3}`
		begun   = `{"type":"response.created","response":{"model":"c","status":"in_progress","output":[],"error":null}}`
		added   = `{"type":"response.output_item.added","output_index":0,"item":{"type":"message","content":[]}}`
		part    = `{"type":"response.content_part.added","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`
		created = begun + "\n\ndata: " + added + "\n\ndata: " + part
		text    = `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hi"}`
		message = `{"type":"message","content":[{"type":"output_text","text":"Hi"}]}`
	)
	end := func(event, fields string) string {
		return `{"type":"response.` + event + `","response":{"model":"c","output":[` + message + `],` + usage + `,` + fields + `}}`
	}
	completed := end("completed", `"status":"completed","error":null,"incomplete_details":null`)
	all := []Quirk{
		{Name: "a stream", Body: sse(created, text, `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"Hi"}`, completed), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "thinking", Body: sse(created, `{"type":"response.output_item.added","output_index":1,"item":{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":""}]}}`, `{"type":"response.reasoning_summary_text.delta","output_index":1,"delta":"h"}`, `{"type":"response.reasoning_text.delta","output_index":1,"content_index":0,"delta":"m"}`, text, completed), Text: "Hi", Thinking: "hm", Finish: "stop", In: 7, Out: 3},
		{Name: "the end alone", Body: sse(created, completed), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "a refusal", Body: sse(created, `{"type":"response.refusal.delta","output_index":0,"content_index":0,"delta":"No"}`, completed), Text: "No", Finish: "stop", In: 7, Out: 3},
		{Name: "the length limit", Body: sse(created, text, end("incomplete", `"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}`)), Text: "Hi", Finish: "length", In: 7, Out: 3},
		{Name: "the filter", Body: sse(created, text, end("incomplete", `"status":"incomplete","incomplete_details":{"reason":"content_filter"}`)), Text: "Hi", Finish: "content_filter", In: 7, Out: 3},
		{Name: "a failure", Body: sse(created, text, end("failed", `"status":"failed","error":{"code":"server_error","message":"no memory"}`)), Class: "server_error", Odd: "no memory"},
		{Name: "an error event", Body: sse(created, `{"type":"error","code":"ERR","message":"gone","param":null}`), Class: "server_error", Odd: "gone"},
		{Name: "an error within an event", Body: sse(created, `{"type":"error","error":{"type":"rate_limit_error","message":"slower"}}`), Class: "rate_limit", Odd: "slower"},
		{Name: "cut off", Body: sse(created, text), Class: "cut_off"},
		{Name: "DONE alone", Body: sse("[DONE]"), Class: "cut_off"},
		{Name: "a tool", Body: sse(created, `{"type":"response.output_item.added","item":{"type":"function_call","name":"bash"}}`, text, completed), Text: "Hi", Finish: "stop", Odd: "the tool bash", In: 7, Out: 3},
		{Name: "a search", Body: sse(created, `{"type":"response.output_item.added","item":{"type":"web_search_call"}}`, text, completed), Text: "Hi", Finish: "stop", Odd: "the tool web_search", In: 7, Out: 3},
		{Name: "unknown events", Body: sse(created, `{"type":"response.brand.new","delta":"no"}`, text, completed), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "counts as texts", Body: sse(created, text, `{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":"7","output_tokens":3.0}}}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "one piece", Kind: "application/json", Body: `{"object":"response","status":"completed","output":[{"type":"reasoning","summary":[{"text":"h"}],"content":[{"type":"reasoning_text","text":"m"}]},` + message + `],` + usage + `}`, Text: "Hi", Thinking: "mh", Finish: "stop", In: 7, Out: 3},
		{Name: "output of another type", Kind: "application/json", Body: `{"object":"response","status":"completed","output":5}`, Class: "not_a_model"},
		{Name: "the ends of parts alone", Body: sse(created, `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"Hi"}`, `{"type":"response.completed","response":{"model":"c","status":"completed","output":[],`+usage+`}}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "an empty output at the end", Body: sse(created, text, `{"type":"response.completed","response":{"model":"c","status":"completed","output":[],`+usage+`}}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "DONE without an end", Body: sse(created, text, "[DONE]"), Text: "Hi", Finish: "none", Odd: "no finish reason"},
		{Name: "DONE after the end", Body: sse(created, text, completed, "[DONE]"), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "incomplete without a reason", Body: sse(created, text, end("incomplete", `"status":"incomplete","incomplete_details":null`)), Text: "Hi", Finish: "none", Odd: "no finish reason", In: 7, Out: 3},
		{Name: "cancelled", Body: sse(created, text, end("completed", `"status":"cancelled"`)), Class: "server_error", Odd: "cancelled"},
		{Name: "the context in a failure", Body: sse(created, end("failed", `"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}`)), Class: "too_long", Odd: "context window", Advice: "fresh"},
		{Name: "a limit in a failure", Body: sse(created, end("failed", `"status":"failed","error":{"code":"rate_limit_exceeded","message":"Rate limit reached"}`)), Class: "rate_limit", Odd: "Rate limit"},
		{Name: "cached and thought tokens", Body: sse(created, text, `{"type":"response.completed","response":{"status":"completed","output":[],"usage":{"input_tokens":70,"input_tokens_details":{"cached_tokens":60},"output_tokens":30,"output_tokens_details":{"reasoning_tokens":20}}}}`), Text: "Hi", Finish: "stop", In: 70, Cached: 60, Out: 30, Reasoning: 20},
	}
	return of(responses, "Responses", all)
}
