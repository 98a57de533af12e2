package llm

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// openAI is the chat-completions protocol, which most servers offer: OpenAI, vLLM, llama.cpp, LM Studio,
// Ollama and many hosts.
type openAI struct{}

func (openAI) endpoint(base string, _ Model) string { return completed(base, "", "/chat/completions") }

func (openAI) authorise(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func (openAI) form(m Model) form {
	whole := m.drops(streamField)
	return form{usage: !whole && !m.drops(streamOptions), oldLength: true, whole: whole}
}

func (openAI) wire(parameter string) string { return parameter }

func (openAI) body(m Model, req Request, f form) map[string]any {
	fields := map[string]any{"model": m.Model, "messages": wireMessages(m.withSystem(req.Messages)), "stream": !f.whole}
	if f.usage {
		fields[streamOptions] = map[string]any{"include_usage": true}
	}
	for _, p := range m.sampling(req.Sample) {
		if p.name == "max_tokens" && !f.oldLength {
			p.name = "max_completion_tokens"
		}
		fields[p.name] = p.value
	}
	return fields
}

// completion is a chunk of a stream, or a complete answer without streaming.
type completion struct {
	Model       string `json:"model"`
	Fingerprint string `json:"system_fingerprint"`
	Choices     []struct {
		Index        int            `json:"index"`
		Delta        completionText `json:"delta"`
		Message      completionText `json:"message"`
		FinishReason string         `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     tokens `json:"prompt_tokens"`
		CompletionTokens tokens `json:"completion_tokens"`
		PromptDetails    struct {
			Cached tokens `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CacheHit          tokens `json:"prompt_cache_hit_tokens"` // DeepSeek's
		CompletionDetails struct {
			Reasoning tokens `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// completionText is the part of a message that a tester reads. Reasoning, which servers send in one of two
// separate fields, is not part of the answer; a refusal is.
type completionText struct {
	Content          text `json:"content"`
	Refusal          text `json:"refusal"`
	ReasoningContent any  `json:"reasoning_content"`
	Reasoning        any  `json:"reasoning"`

	ToolCalls []struct {
		Function calledFunction `json:"function"`
	} `json:"tool_calls"`
	FunctionCall calledFunction `json:"function_call"` // the older form
}

type calledFunction struct {
	Name string `json:"name"`
}

// tools lists the functions that the message calls.
func (t completionText) tools() []string {
	names := []string{t.FunctionCall.Name}
	for _, call := range t.ToolCalls {
		names = append(names, call.Function.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func (t completionText) thinking() string {
	for _, field := range []any{t.ReasoningContent, t.Reasoning} {
		if text, is := field.(string); is && text != "" {
			return text
		}
	}
	return ""
}

func (openAI) decode(data []byte) (piece, error) {
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		return piece{end: true}, nil
	}
	var chunk completion
	if err := decodeFields(data, &chunk, "choices"); err != nil {
		return piece{}, err
	}
	p := piece{model: chunk.Model, fingerprint: chunk.Fingerprint, input: int(chunk.Usage.PromptTokens), output: int(chunk.Usage.CompletionTokens)}
	p.cached = int(max(chunk.Usage.PromptDetails.Cached, chunk.Usage.CacheHit))
	p.reasoning = int(chunk.Usage.CompletionDetails.Reasoning)
	said := false
	if len(chunk.Choices) == 0 { // an error may be the whole message
		_, said = serverMessage(data)
	}
	if said || isError(chunk.Error) {
		p.failed = reportedError(data)
		return p, nil
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 { // one answer was asked for
			p.odd = append(p.odd, "more than one answer")
			continue
		}
		for _, part := range []text{choice.Delta.Content, choice.Delta.Refusal, choice.Message.Content, choice.Message.Refusal} {
			p.text += string(part)
		}
		p.thinking += choice.Delta.thinking() + choice.Message.thinking()
		p.tools = append(p.tools, append(choice.Delta.tools(), choice.Message.tools()...)...)
		p.finished(choice.FinishReason)
	}
	return p, nil
}

func isError(field json.RawMessage) bool { return len(field) > 0 && string(field) != "null" }

// reportedError returns an error sent with status 200. Its type or code is classified only where the user's
// options differ.
func reportedError(data []byte) *reported {
	message, _ := serverMessage(data)
	r := &reported{class: Server, message: message}
	var body struct {
		Error struct {
			Type string `json:"type"`
		} `json:"error"`
	}
	if json.Unmarshal(data, &body) == nil {
		switch body.Error.Type {
		case "authentication_error", "permission_error":
			r.class = Auth
		case "rate_limit_error":
			r.class = RateLimited
		case "invalid_request_error", "not_found_error", "request_too_large":
			r.class = BadRequest
		}
		if body.Error.Type != "" && message != body.Error.Type {
			r.message = strings.TrimSpace(body.Error.Type + ": " + message)
		}
	}
	return r
}
