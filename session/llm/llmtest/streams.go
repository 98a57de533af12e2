package llmtest

// openAIStreams are further ways of servers and gateways with OpenAI's protocol: framing, thinking, counts and errors
// within a stream.
func openAIStreams() []Quirk {
	stop := ended("stop")
	usage := func(fields string) string { return `{"choices":[],"usage":{` + fields + `}}` }
	return of(openAI, "", []Quirk{
		{Name: "events without data", Body: "data:\n\ndata: \n\n" + sse(hi) + "data:\n\n" + sse(stop), Text: "Hi", Finish: "stop"},
		{Name: "null and nothing as messages", Body: sse("null", "{}", hi, "null", stop), Text: "Hi", Finish: "stop"},
		{Name: "keep-alive events", Body: "event: ping\ndata: ping\n\n" + sse(hi) + "event: heartbeat\ndata: 7\n\n" + sse(stop), Text: "Hi", Finish: "stop"},
		{Name: "events without blank lines", Body: "data: " + hi + "\ndata: " + delta(`"content":"gh"`) + "\ndata: " + stop + "\ndata: [DONE]\n\n", Text: "High", Finish: "stop"},
		{Name: "lines of JSON called events", Body: hi + "\n" + stop + "\n", Text: "Hi", Finish: "stop"},
		{Name: "events called lines of JSON", Kind: "application/x-ndjson", Body: sse(hi, stop), Text: "Hi", Finish: "stop"},
		{Name: "events of another type", Kind: "application/stream+json", Body: sse(hi, stop), Text: "Hi", Finish: "stop"},
		{Name: "one piece called events", Body: `{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}`, Text: "Hi", Finish: "stop"},
		{Name: "one piece over several lines", Kind: "application/json", Body: "{\n \"choices\": [\n  {\"message\": {\"content\": \"Hi\"}, \"finish_reason\": \"stop\"}\n ]\n}\n", Text: "Hi", Finish: "stop"},
		{Name: "status 201", Status: 201, Body: sse(hi, stop), Text: "Hi", Finish: "stop"},
		{Name: "DONE in quotes", Body: sse(hi, `"[DONE]"`), Text: "Hi", Finish: "none", Odd: "no finish reason"},
		{Name: "the reason null as a text", Body: sse(`{"choices":[{"index":0,"delta":{"content":"H"},"finish_reason":"null"}]}`, `{"choices":[{"index":0,"delta":{"content":"i"},"finish_reason":"stop"}]}`), Text: "Hi", Finish: "stop"},
		{Name: "a reason in each message", Body: sse(`{"choices":[{"index":0,"delta":{"content":"H"},"finish_reason":"stop"}]}`, `{"choices":[{"index":0,"delta":{"content":"i"},"finish_reason":"stop"}]}`), Text: "Hi", Finish: "stop"},
		{Name: "a reason that is no text", Body: sse(hi, `{"choices":[{"index":0,"delta":{},"finish_reason":{"type":"eos"}}]}`), Text: "Hi", Finish: `{"type":"eos"}`, Odd: "unknown finish reason"},
		{Name: "an index as a text", Body: sse(`{"choices":[{"index":"0","delta":{"content":"Hi"}}]}`, stop), Text: "Hi", Finish: "stop"},
		{Name: "the text so far next to each piece", Body: sse(`{"choices":[{"index":0,"delta":{"content":"H"},"message":{"content":"H"}}]}`, `{"choices":[{"index":0,"delta":{"content":"i"},"message":{"content":"Hi"},"finish_reason":"stop"}]}`), Text: "Hi", Finish: "stop"},
		{Name: "the older completions", Body: sse(`{"choices":[{"index":0,"text":"Hi"}]}`, `{"choices":[{"index":0,"text":"","finish_reason":"stop"}]}`), Text: "Hi", Finish: "stop"},
		{Name: "a delta that is a text", Body: sse(`{"choices":[{"index":0,"delta":"Hi"}]}`, stop), Class: "not_a_model"},
		{Name: "thinking as parts", Body: sse(delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"},{"type":"text","text":"m"}]}]`), delta(`"content":[{"type":"text","text":"Hi"}]`), stop), Text: "Hi", Thinking: "hm", Finish: "stop"},
		{Name: "thinking with details alone", Body: sse(delta(`"content":"","reasoning_details":[{"type":"reasoning.text","text":"h"},{"type":"reasoning.summary","summary":"m"},{"type":"reasoning.encrypted","data":"xx"}]`), hi, stop), Text: "Hi", Thinking: "hm", Finish: "stop"},
		{Name: "thinking in two fields", Body: sse(delta(`"reasoning":"hm","reasoning_content":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]`), hi, stop), Text: "Hi", Thinking: "hm", Finish: "stop"},
		{Name: "thinking in a field of gateways", Body: sse(delta(`"reasoning_text":"h"`), delta(`"thinking":"m"`), hi, stop), Text: "Hi", Thinking: "hm", Finish: "stop"},
		{Name: "thinking alone", Body: sse(delta(`"reasoning_content":"hm"`), stop), Thinking: "hm", Finish: "stop"},
		{Name: "counts in the choice", Body: sse(hi, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":7,"completion_tokens":3}}]}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "counts in a field of the host", Body: sse(hi, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":7,"completion_tokens":3}}}`), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "counts in the words of Anthropic", Body: sse(hi, stop, usage(`"input_tokens":7,"output_tokens":3`)), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "thinking counted apart from the answer", Body: sse(hi, stop, usage(`"prompt_tokens":7,"completion_tokens":3,"total_tokens":60,"completion_tokens_details":{"reasoning_tokens":50}`)), Text: "Hi", Finish: "stop", In: 7, Out: 53, Reasoning: 50},
		{Name: "thinking counted in the total alone", Body: sse(hi, stop, usage(`"prompt_tokens":7,"completion_tokens":3,"total_tokens":60`)), Text: "Hi", Finish: "stop", In: 7, Out: 53, Reasoning: 50},
		{Name: "a total, and no count of the answer", Body: sse(hi, stop, usage(`"prompt_tokens":7,"completion_tokens":null,"total_tokens":10`)), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "cached and thought tokens", Body: sse(hi, stop, usage(`"prompt_tokens":70,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens":30,"total_tokens":100,"completion_tokens_details":{"reasoning_tokens":20}`)), Text: "Hi", Finish: "stop", In: 70, Cached: 60, Out: 30, Reasoning: 20},
		{Name: "an error event in plain words", Body: sse(hi) + "event: error\ndata: upstream connect error\n\n", Class: "server_error", Odd: "upstream connect error"},
		{Name: "an error of a choice", Body: sse(hi, `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"Upstream idle timeout exceeded"}}]}`), Class: "server_error", Odd: "Upstream idle timeout"},
		{Name: "an error of the account with status 200", Kind: "application/json", Body: `{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, Class: "quota", Odd: "insufficient balance", Advice: "credit"},
		{Name: "a code of success next to the answer", Kind: "application/json", Body: `{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}],"base_resp":{"status_code":0,"status_msg":""}}`, Text: "Hi", Finish: "stop"},
		{Name: "an error with status 200 in words of its own", Kind: "application/json", Body: `{"error_code":336100,"error_msg":"try again later"}`, Class: "server_error", Odd: "try again later"},
		{Name: "a rejected key with status 200", Kind: "application/json", Body: `{"code":"InvalidApiKey","message":"Invalid API-key provided.","request_id":"1"}`, Class: "auth", Odd: "Invalid API-key", Advice: "key"},
		{Name: "too long a prompt within the stream", Body: sse(`{"error":{"message":"This model's maximum context length is 8192 tokens","code":400}}`), Class: "too_long", Odd: "8192", Advice: "fresh"},
		{Name: "a filter within the stream", Body: sse(`{"error":{"message":"Content Exists Risk","type":"invalid_request_error"}}`), Class: "filtered", Odd: "Risk", Advice: "word it differently"},
		{Name: "a rate limit within the stream", Body: sse(`{"error":{"message":"Rate limit reached, slow down","type":"tokens","code":"rate_limit_exceeded"}}`), Class: "rate_limit", Odd: "slow down"},
		{Name: "the error that a gateway got", Body: sse(`{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"{\"error\":\"worker died\"}","provider_name":"Other"}}}`), Class: "server_error", Odd: "worker died"},
	})
}
