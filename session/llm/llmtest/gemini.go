package llmtest

// geminiQuirks are ways of Google's servers.
func geminiQuirks() []Quirk {
	part := func(parts string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[` + parts + `]}}]}`
	}
	end := func(reason string) string {
		return `{"candidates":[{"content":{},"finishReason":"` + reason + `"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2,"thoughtsTokenCount":1},"modelVersion":"g"}`
	}
	text := part(`{"text":"Hi"}`)
	all := []Quirk{
		{Name: "a stream", Body: sse(part(`{"text":"H"}`), part(`{"text":"i"}`), end("STOP")), Text: "Hi", Finish: "stop", In: 7, Out: 3, Reasoning: 1},
		{Name: "thinking", Body: sse(part(`{"text":"hm","thought":true},{"text":"Hi","thoughtSignature":"x"}`), end("STOP")), Text: "Hi", Thinking: "hm", Finish: "stop", In: 7, Out: 3, Reasoning: 1},
		{Name: "counts with each message", Body: sse(`{"candidates":[{"content":{"parts":[{"text":"Hi"}]}}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":1}}`, end("STOP")), Text: "Hi", Finish: "stop", In: 7, Out: 3, Reasoning: 1},
		{Name: "a blocked prompt", Body: sse(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`), Class: "filtered", Odd: "PROHIBITED_CONTENT"},
		{Name: "a blocked answer", Body: sse(text, end("SAFETY")), Text: "Hi", Finish: "content_filter", In: 7, Out: 3, Reasoning: 1},
		{Name: "a recitation", Body: sse(text, end("RECITATION")), Text: "Hi", Finish: "content_filter", In: 7, Out: 3, Reasoning: 1},
		{Name: "the length limit", Body: sse(text, end("MAX_TOKENS")), Text: "Hi", Finish: "length", In: 7, Out: 3, Reasoning: 1},
		{Name: "an unknown reason", Body: sse(text, end("TIRED")), Text: "Hi", Finish: "TIRED", Odd: "TIRED", In: 7, Out: 3, Reasoning: 1},
		{Name: "two answers", Body: sse(text, `{"candidates":[{"index":1,"content":{"parts":[{"text":"Ho"}]},"finishReason":"STOP"}]}`, end("STOP")), Text: "Hi", Finish: "stop", Odd: "more than one answer", In: 7, Out: 3, Reasoning: 1},
		{Name: "a tool", Body: sse(part(`{"functionCall":{"name":"bash","args":{}}}`), end("STOP")), Finish: "stop", Odd: "the tool bash", In: 7, Out: 3, Reasoning: 1},
		{Name: "an error in the middle", Body: sse(text, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), Class: "server_error", Odd: "overloaded"},
		{Name: "cut off", Body: sse(text), Class: "cut_off"},
		{Name: "one piece", Kind: "application/json", Body: `{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}}`, Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "candidates of another type", Body: sse(`{"candidates":5}`), Class: "not_a_model"},
		{Name: "all messages as a list", Kind: "application/json", Body: "[" + text + ",\n" + end("STOP") + "\n]\n", Text: "Hi", Finish: "stop", In: 7, Out: 3, Reasoning: 1},
		{Name: "an error as a list", Kind: "application/json", Body: `[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]`, Class: "server_error", Odd: "overloaded"},
		{Name: "a reason in each message", Body: sse(`{"candidates":[{"content":{"parts":[{"text":"H"}]},"finishReason":"STOP"}]}`, `{"candidates":[{"content":{"parts":[{"text":"i"}]},"finishReason":"STOP"}]}`, end("STOP")), Text: "Hi", Finish: "stop", In: 7, Out: 3, Reasoning: 1},
		{Name: "a tool called wrongly", Body: sse(text, end("MALFORMED_FUNCTION_CALL")), Text: "Hi", Finish: "tool_calls", In: 7, Out: 3, Reasoning: 1},
		{Name: "content without parts", Body: sse(`{"candidates":[{"content":{"role":"model"},"index":0}]}`, text, end("STOP")), Text: "Hi", Finish: "stop", In: 7, Out: 3, Reasoning: 1},
		{Name: "cached tokens", Body: sse(text, `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":70,"cachedContentTokenCount":60,"candidatesTokenCount":3,"totalTokenCount":73}}`), Text: "Hi", Finish: "stop", In: 70, Cached: 60, Out: 3},
		{Name: "DONE at the end", Body: sse(text, "[DONE]"), Text: "Hi", Finish: "none", Odd: "no finish reason"},
		{Name: "a limit", Status: 429, Body: `{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}`, Class: "rate_limit", Odd: "exhausted", Again: true},
	}
	return of(gemini, "Gemini", all)
}
