package llmtest

import "strings"

// ollamaQuirks are ways of Ollama.
func ollamaQuirks() []Quirk {
	const text = `{"message":{"content":"Hi"},"done":false}` + "\n"
	end := func(reason string) string {
		return `{"message":{"content":""},"done":true,"done_reason":"` + reason + `","prompt_eval_count":7,"eval_count":3}` + "\n"
	}
	all := []Quirk{
		{Name: "thinking", Body: `{"message":{"content":"","thinking":"hm"},"done":false}` + "\n" + text + end("stop"), Text: "Hi", Thinking: "hm", Finish: "stop", In: 7, Out: 3},
		{Name: "an older one without reasons", Body: text + `{"message":{"content":""},"done":true}` + "\n", Text: "Hi", Finish: "none", Odd: "no finish reason"},
		{Name: "the length limit", Body: text + end("length"), Text: "Hi", Finish: "length", In: 7, Out: 3},
		{Name: "only loaded", Body: end("load"), Class: "cut_off"},
		{Name: "an error in the middle", Body: text + `{"error":"an error was encountered while running the model: CUDA error"}` + "\n", Class: "server_error", Odd: "CUDA error"},
		{Name: "cut off", Body: text, Class: "cut_off"},
		{Name: "a token again and again", Body: text + strings.Repeat(`{"model":"tiny","message":{"role":"assistant","content":" count"},"done":false}`+"\n", 31), Text: "Hi" + strings.Repeat(" count", 31), Finish: "repetition"},
		{Name: "cut off while it repeats a token", Body: text + strings.Repeat(`{"model":"tiny","message":{"role":"assistant","content":" count"},"done":false}`+"\n", 30), Class: "cut_off"},
		{Name: "cut off after it repeated a token", Body: strings.Repeat(text, 40) + `{"message":{"content":"!"},"done":false}` + "\n", Class: "cut_off"},
		{Name: "a tool", Body: `{"message":{"content":"","tool_calls":[{"function":{"name":"bash"}}]},"done":false}` + "\n" + end("stop"), Text: "", Finish: "stop", Odd: "the tool bash", In: 7, Out: 3},
		{Name: "without a type", Kind: "none", Body: text + end("stop"), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "one piece", Kind: "application/json", Body: `{"message":{"content":"Hi"},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`, Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "an empty line and other line ends", Body: "\n" + strings.ReplaceAll(text+"\n"+end("stop"), "\n", "\r\n"), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "lines called events", Kind: "text/event-stream", Body: text + end("stop"), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "events called lines", Body: sse(strings.TrimSpace(text), strings.TrimSpace(end("stop"))), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "a new type of lines", Kind: "application/json-seq", Body: text + end("stop"), Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "counts of other types", Body: text + `{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":"7","eval_count":3.0}` + "\n", Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "content null", Body: `{"message":{"content":null,"thinking":"hm"},"done":false}` + "\n" + text + end("stop"), Text: "Hi", Thinking: "hm", Finish: "stop", In: 7, Out: 3},
		{Name: "the text with the end", Body: `{"message":{"content":"Hi"},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}` + "\n", Text: "Hi", Finish: "stop", In: 7, Out: 3},
		{Name: "an unknown reason", Body: text + end("tired"), Text: "Hi", Finish: "tired", Odd: "tired", In: 7, Out: 3},
		{Name: "a model that is missing", Status: 404, Body: `{"error":"model 'coder' not found"}`, Class: "bad_request", Odd: "not found", Advice: "ollama pull"},
		{Name: "a model that does not think", Status: 400, Body: `{"error":"\"coder\" does not support thinking"}`, Class: "bad_request", Odd: "does not support thinking", Advice: "settings"},
		{Name: "no memory", Status: 500, Body: `{"error":"model requires more system memory (20.0 GiB) than is available (3.2 GiB)"}`, Class: "server_error", Odd: "system memory", Again: true},
		{Name: "the limit of an account", Status: 429, Body: `{"error":"you've reached your weekly usage limit, please upgrade to continue"}`, Class: "quota", Odd: "weekly usage limit", Advice: "credit"},
	}
	return of(ollama, "Ollama", all)
}
