package llmtest

import "time"

// refusals are responses that are no stream: what the user is told, and whether asking again may help.
func refusals() []Quirk {
	const context = "fresh"
	key, credit, filter := "key", "credit", "word it differently"
	all := []Quirk{
		{Name: "too long: OpenAI", Status: 400, Body: `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.","code":"context_length_exceeded"}}`, Class: "too_long", Advice: context},
		{Name: "too long: llama.cpp", Status: 400, Body: `{"error":{"message":"the request exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error"}}`, Class: "too_long", Advice: context},
		{Name: "too long: Anthropic", Status: 400, Body: `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, Class: "too_long", Advice: context},
		{Name: "too long: Anthropic with max_tokens", Status: 400, Body: `{"type":"error","error":{"type":"invalid_request_error","message":"input length and max_tokens exceed context limit: 199000 + 20000 > 200000, decrease input length or max_tokens and try again"}}`, Class: "too_long", Advice: context},
		{Name: "too long: Anthropic by bytes", Status: 413, Body: `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, Class: "too_long", Advice: context},
		{Name: "too long: vLLM", Status: 400, Body: `{"object":"error","message":"max context is 4096 tokens","code":400}`, Class: "too_long", Advice: context},
		{Name: "too long: SGLang", Status: 400, Body: `{"object":"error","message":"The input (9001 tokens) is longer than the model's context length (8192 tokens).","code":400}`, Class: "too_long", Advice: context},
		{Name: "too long: TGI", Status: 422, Body: `{"error":"Input validation error: inputs must have less than 4096 tokens. Given: 9001","error_type":"validation"}`, Class: "too_long", Advice: context},
		{Name: "too long: Google", Status: 400, Body: `[{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed: input too long"}}]`, Class: "too_long", Advice: context},
		{Name: "too long: xAI", Status: 400, Body: `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`, Class: "too_long", Advice: context},
		{Name: "too long: Moonshot", Status: 400, Body: `{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192","type":"invalid_request_error"}}`, Class: "too_long", Advice: context},
		{Name: "too long: DashScope", Status: 400, Body: `{"error":{"message":"Range of input length should be [1, 30720]","code":"invalid_parameter_error"}}`, Class: "too_long", Advice: context},
		{Name: "too long: Z.ai", Status: 400, Body: `{"error":{"code":"1261","message":"Prompt exceeds max length"}}`, Class: "too_long", Advice: context},
		{Name: "too long: MiniMax", Status: 400, Body: `{"type":"error","error":{"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)"}}`, Class: "too_long", Advice: context},
		{Name: "too long: Copilot", Status: 400, Body: `{"error":{"message":"prompt token count of 128001 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}`, Class: "too_long", Advice: context},
		{Name: "too long: LM Studio", Status: 400, Body: `{"error":"Trying to keep the first 5123 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, Class: "too_long", Advice: context},
		{Name: "too long: Groq", Status: 413, Body: `{"error":{"message":"Request too large for model llama on tokens per minute (TPM): Limit 6000, Requested 9001, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}`, Class: "too_long", Advice: context},
		{Name: "too long: Azure", Status: 400, Body: `{"error":{"message":"Invalid 'messages[0].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2000000 instead.","code":"string_above_max_length"}}`, Class: "too_long", Advice: context},
		{Name: "too long: Bedrock", Status: 400, Body: `{"message":"Input is too long for requested model."}`, Class: "too_long", Advice: context},
		{Name: "too long: Ollama", Provider: ollama, Status: 400, Body: `{"error":"the input length exceeds the context length"}`, Class: "too_long", Advice: context},
		{Name: "too long for the proxy", Status: 413, Kind: "text/html", Body: "<title>413 Request Entity Too Large</title>", Class: "too_long", Odd: "Too Large", Advice: "proxy"},
		{Name: "a filter: Azure", Status: 400, Body: `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","code":"content_filter"}}`, Class: "filtered", Advice: filter},
		{Name: "a filter: DeepSeek", Status: 400, Body: `{"error":{"message":"Content Exists Risk","type":"invalid_request_error","code":"invalid_request_error"}}`, Class: "filtered", Advice: filter},
		{Name: "a filter: Moonshot", Status: 400, Body: `{"error":{"message":"The request was rejected because it was considered high risk","type":"content_filter"}}`, Class: "filtered", Advice: filter},
		{Name: "a filter: Anthropic", Provider: anthropic, Status: 400, Body: `{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}`, Class: "filtered", Advice: filter},
		{Name: "a filter: OpenRouter", Status: 403, Body: `{"error":{"code":403,"message":"The model requires moderation. Your input was flagged for \"violence\"","metadata":{"reasons":["violence"]}}}`, Class: "filtered", Advice: filter},
		{Name: "a setting: temperature", Status: 400, Body: `{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model."}}`, Class: "bad_request", Advice: `drop = ["temperature"]`},
		{Name: "a setting: the system role", Status: 400, Body: `{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model."}}`, Class: "bad_request", Advice: `drop = ["system"]`},
		{Name: "a setting: the system role, by a template", Status: 500, Body: `{"error":{"message":"System role not supported at row 1, column 30 (jinja)"}}`, Class: "bad_request", Advice: `drop = ["system"]`},
		{Name: "a setting: the system role, in Google's words", Status: 400, Body: `{"error":{"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}`, Class: "bad_request", Advice: `drop = ["system"]`},
		{Name: "a setting that was not sent", Status: 422, Body: `{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}`, Class: "bad_request", Odd: "seed: extra fields", Advice: "settings"},
		{Name: "a key: Google", Provider: gemini, Status: 400, Body: `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`, Class: "auth", Advice: key},
		{Name: "a key: xAI", Status: 400, Body: `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: no***ne. You can obtain an API key from https://console.x.ai."}`, Class: "auth", Advice: key},
		{Name: "a country: OpenAI", Status: 403, Body: `{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}`, Class: "auth", Advice: "country"},
		{Name: "a country: Google", Provider: gemini, Status: 400, Body: `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`, Class: "auth", Advice: "country"},
		{Name: "a model that the key may not use", Status: 403, Body: `{"error":{"message":"Project proj_1 does not have access to model gpt-9","code":"model_not_found"}}`, Class: "auth", Odd: "gpt-9", Advice: "model"},
		{Name: "credit: DeepSeek", Status: 402, Body: `{"error":{"message":"Insufficient Balance","type":"unknown_error"}}`, Class: "quota", Advice: credit},
		{Name: "credit: xAI", Status: 403, Body: `{"code":"The caller does not have permission to execute the specified operation","error":"Your team has either used all available credits or reached its monthly spending limit."}`, Class: "quota", Advice: credit},
		{Name: "credit: OpenRouter", Status: 403, Body: `{"error":{"message":"Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys","code":403}}`, Class: "quota", Advice: credit},
		{Name: "credit: Moonshot", Status: 429, Body: `{"error":{"message":"Your account is suspended, please check your plan and billing details","type":"exceeded_current_quota_error"}}`, Class: "quota", Advice: credit},
		{Name: "credit: Z.ai", Status: 429, Body: `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`, Class: "quota", Advice: credit},
		{Name: "a page instead of a model", Status: 404, Kind: "text/plain", Body: "404 page not found", Class: "not_a_model", Odd: "/chat/completions", Advice: "base_url"},
		{Name: "another method", Status: 405, Body: `{"detail":"Method Not Allowed"}`, Class: "not_a_model", Odd: "/chat/completions", Advice: "base_url"},
		{Name: "a redirect to a login page", Status: 307, Header: map[string]string{"Location": "https://login.test/in"}, Class: "not_a_model", Odd: "https://login.test/in", Advice: "base_url"},
		{Name: "a permanent redirect", Status: 308, Header: map[string]string{"Location": "https://model.test/v1/chat/completions"}, Class: "not_a_model", Odd: "https://model.test/v1", Advice: "base_url"},
		{Name: "an error in a list: Cloudflare", Status: 400, Body: `{"success":false,"errors":[{"code":7009,"message":"No such model"}],"result":null}`, Class: "bad_request", Odd: "No such model"},
		{Name: "an error of a gateway: Apigee", Status: 500, Body: `{"fault":{"faultstring":"Execution of policy failed","detail":{"errorcode":"x"}}}`, Class: "server_error", Odd: "Execution of policy failed", Again: true},
		{Name: "an error as a problem document", Status: 400, Kind: "application/problem+json", Body: `{"type":"about:blank","title":"Bad Request","status":400,"detail":"no such deployment"}`, Class: "bad_request", Odd: "no such deployment"},
		{Name: "an error with a capital: AWS", Status: 400, Body: `{"Message":"The provided model identifier is invalid."}`, Class: "bad_request", Odd: "model identifier"},
		{Name: "the gateway's provider", Status: 400, Body: `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"detail\":\"top_k must be positive\"}","provider_name":"Other"}}}`, Class: "bad_request", Odd: "top_k must be positive"},
		{Name: "408 for ever", Status: 408, Body: `{}`, Class: "server_error", Advice: "try again", Again: true},
		{Name: "409 for ever", Status: 409, Body: `{}`, Class: "server_error", Advice: "try again", Again: true},
		{Name: "425 for ever", Status: 425, Body: `{}`, Class: "server_error", Advice: "try again", Again: true},
		{Name: "524: Cloudflare", Status: 524, Kind: "text/html", Body: "<title>A timeout occurred</title>", Class: "server_error", Odd: "A timeout occurred", Again: true},
		{Name: "a server that says not to ask again", Status: 500, Header: map[string]string{"x-should-retry": "false"}, Body: `{"error":{"message":"this request always fails"}}`, Class: "server_error", Odd: "always fails", Final: true},
	}
	for i := range all {
		if all[i].Kind == "" {
			all[i].Kind = "application/json"
		}
	}
	return of(openAI, "refusal", all)
}

// retries are answers that come after refusals.
func retries() []Quirk {
	limited := func(header, value string) []Response {
		r := Response{Status: 429, Kind: "application/json", Body: `{"error":{"message":"Rate limit reached"}}`}
		if header != "" {
			r.Header = map[string]string{header: value}
		}
		return []Response{r}
	}
	status := func(code int) []Response {
		return []Response{{Status: code, Kind: "application/json", Body: `{"error":{"message":"not now"}}`}}
	}
	body := sse(hi, ended("stop"))
	all := []Quirk{
		{Name: "429 with seconds", Before: limited("Retry-After", "7"), Waits: 7 * time.Second},
		{Name: "429 with half seconds", Before: limited("Retry-After", "1.5"), Waits: 1500 * time.Millisecond},
		{Name: "429 with seconds and their unit", Before: limited("Retry-After", "20s"), Waits: 20 * time.Second},
		{Name: "429 with milliseconds", Before: limited("retry-after-ms", "1500"), Waits: 1500 * time.Millisecond},
		{Name: "429 without a hint", Before: limited("", "")},
		{Name: "429 with a delay in the body: Google", Before: []Response{{Status: 429, Kind: "application/json", Body: `[{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 18.2s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"18s"}]}}]`}}, Waits: 18 * time.Second},
		{Name: "408 once", Before: status(408)},
		{Name: "409 once", Before: status(409)},
		{Name: "425 once", Before: status(425)},
		{Name: "500 once", Before: status(500)},
		{Name: "520 once", Before: status(520)},
		{Name: "529 once", Before: status(529)},
		{Name: "503 while the model loads", Before: append(status(503), status(503)...)},
		{Name: "400, and the server says to ask again", Before: []Response{{Status: 400, Kind: "application/json", Header: map[string]string{"x-should-retry": "true"}, Body: `{"error":{"message":"not ready"}}`}}},
		{Name: "it does not stream", Before: []Response{{Status: 400, Kind: "application/json", Body: `{"error":{"message":"Your organization must be verified to stream this model.","param":"stream"}}`}}, Kind: "application/json", Body: `{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}`, GaveUp: "stream"},
		{Name: "it knows no stream_options", Before: []Response{{Status: 422, Kind: "application/json", Body: `{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`}}, GaveUp: "stream_options"},
	}
	for i := range all {
		q := &all[i]
		if q.Body == "" {
			q.Body = body
		}
		q.Text, q.Finish = "Hi", "stop"
	}
	return of(openAI, "retry", all)
}
