package llm

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// serverMessage extracts a server's message from the body of an error: {"error": {"message": …}}, {"error":
// "…"}, {"message": …}, {"detail": …} and what other servers call it, or a list of these; of a rejected field {"loc": …,
// "msg": …}; of a gateway also what its provider said.
func serverMessage(body []byte) (string, bool) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil {
		var all []string
		for _, item := range list {
			if text, ok := serverMessage(item); ok {
				all = append(all, text)
			}
		}
		return strings.Join(all, "; "), len(all) > 0
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return "", false
	}
	for name, raw := range fields { // AWS writes Message
		fields[strings.ToLower(name)] = raw
	}
	for _, name := range []string{"error", "message", "faultstring", "detail", "msg", "errors", "error_msg", "error_message", "status_msg", "base_resp", "fault"} {
		raw, ok := fields[name]
		if !ok || string(raw) == "null" {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return where(fields["loc"]) + s + providerMessage(fields["metadata"]), true
		}
		if inner, ok := serverMessage(raw); ok {
			return inner, true
		}
		return string(raw), true
	}
	return "", false
}

// where names the field that a server rejects, the last of its path, before the message.
func where(path json.RawMessage) string {
	var steps []any
	if json.Unmarshal(path, &steps) != nil || len(steps) == 0 {
		return ""
	}
	return fmt.Sprintf("%v: ", steps[len(steps)-1])
}

// providerMessage is what the provider behind a gateway said, as OpenRouter passes it on, after the gateway's message.
func providerMessage(metadata json.RawMessage) string {
	var said struct {
		Raw string `json:"raw"`
	}
	if json.Unmarshal(metadata, &said) != nil || said.Raw == "" {
		return ""
	}
	if text, ok := serverMessage([]byte(said.Raw)); ok {
		return ": " + text
	}
	return ": " + said.Raw
}

// reportedError returns an error sent with status 200. Its type or code is classified only where the user's
// options differ.
func reportedError(data []byte) *reported {
	message, _ := serverMessage(data)
	r := &reported{class: Server, message: message}
	var body struct {
		Error struct {
			Type   string `json:"type"`
			Code   word   `json:"code"`
			Status string `json:"status"`
		} `json:"error"`
	}
	if decodeFields(data, &body) != nil {
		return r
	}
	switch kind := body.Error; {
	case kind.Type == "authentication_error" || kind.Type == "permission_error":
		r.class = Auth
	case kind.Type == "rate_limit_error" || kind.Code == "rate_limit_exceeded" || kind.Code == "429" || kind.Status == "RESOURCE_EXHAUSTED":
		r.class = RateLimited
	case kind.Type == "invalid_request_error" || kind.Type == "not_found_error" || kind.Type == "request_too_large":
		r.class = BadRequest
	}
	if body.Error.Type != "" && message != body.Error.Type {
		r.message = strings.TrimSpace(body.Error.Type + ": " + message)
	}
	return r
}

// overflow matches servers' messages about a conversation that exceeds the model's context, filtered those about a
// prompt that a filter refuses, noCredit those about an account without credit, as opposed to a rate limit, badKey
// those about a rejected key that come with another status than 401, elsewhere those about a country that is not
// served, notAllowed those about a model that the key may not use. The words are of OpenAI, Azure, Anthropic, Google,
// Bedrock, Mistral, DeepSeek, xAI, Groq, Moonshot, DashScope, Z.ai, MiniMax, OpenRouter, Copilot, vLLM, SGLang,
// llama.cpp, TGI, LM Studio and Ollama.
var (
	overflow = regexp.MustCompile(`(?i)context_length_exceeded|exceed_context_size|maximum context length|context (length|window|size) (is|of|was)? ?(only )?\d|` +
		`exceeds? the (available |maximum |model'?s? )*(context|input|token)|(prompt|input|string|message) (is )?too long|too many (input )?tokens|max(imum)? context|` +
		"inputs`? (tokens \\+|must have less than)|input length .* exceeds|reduce (the length of the (messages|prompt|input)|your message size)|larger than .*context|longer than the (maximum )?(model|context)|" +
		`exceeds? context limit|maximum prompt length|exceed(s|ed)? (the )?model token limit|exceeds? (the )?max(imum)? (prompt )?(length|size)|context window exceeds|range of input length|` +
		`prompt token count of \d+ exceeds|tokens? to keep from the initial prompt|request (is )?too large`)
	filtered = regexp.MustCompile(`(?i)"content_filter"|content management policy|ResponsibleAIPolicyViolation|content_policy_violation|(prompt|input) was (blocked|flagged)|blockReason|data_inspection_failed|` +
		`content exists risk|considered high risk|content filtering policy|new_sensitive|requires moderation`)
	noCredit = regexp.MustCompile(`(?i)insufficient[_ ](quota|credit|fund|balance)|exceeded_current_quota|credit balance is too low|billing_(hard_limit|not_active)|payment required|` +
		`used all available credits|key limit exceeded|reached your (\w+ )?usage limit|monthly (spending limit|included credits)`)
	badKey     = regexp.MustCompile(`(?i)API_KEY_INVALID|InvalidApiKey|invalid[_ ]api[_ -]?key|incorrect api[_ -]?key|api[_ -]?key (is )?(not valid|invalid|incorrect)`)
	elsewhere  = regexp.MustCompile(`(?i)unsupported_country|location is not supported|not (available|supported) in your (country|region)|country[^.]{0,40} not supported`)
	notAllowed = regexp.MustCompile(`(?i)\b(not|no) (have )?access to (the )?(this )?model`)
)

const (
	tooLongAdvice  = `the prompt and the turns before it exceed the model's context: shorten the prompt, or set context = "fresh" for this model in the models file, so that earlier turns are not sent`
	tooLargeAdvice = `the request is too large for the server or a proxy before it: shorten the prompt, or set context = "fresh" for this model in the models file, so that earlier turns are not sent`
	filteredAdvice = "the provider's filter refuses this prompt: word it differently, or use another model"
	creditAdvice   = "the account has no credit left: add some with the provider, or use another model"
)

// told returns the class of an error that its words tell, with what to do; "" if they do not. The status is 0 for an
// error within a stream.
func (e *exchange) told(status int, message string, body []byte) (Class, string) {
	client := status < 500 // 0, too
	switch {
	case status == 402 || client && status != 401 && noCredit.Match(body):
		return Quota, creditAdvice
	case client && elsewhere.Match(body):
		return Auth, "the provider does not serve the country that it is asked from: use another model"
	case status != 429 && overflow.MatchString(message):
		return TooLong, tooLongAdvice
	case status == 413:
		return TooLong, tooLargeAdvice
	case client && filtered.Match(body):
		return Filtered, filteredAdvice
	case status == 403 && notAllowed.MatchString(message):
		return Auth, fmt.Sprintf("the account of this key may not use the model %q: ask for access to it, or name another as model in the models file", e.client.model.Model)
	case (status == 0 || status == 400) && badKey.Match(body):
		return Auth, e.keyAdvice()
	}
	return "", ""
}
