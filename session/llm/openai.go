package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// openAI is the chat-completions protocol, which most servers offer: OpenAI, vLLM, llama.cpp, LM Studio,
// Ollama and many hosts.
type openAI struct{}

func (openAI) endpoint(base string) string {
	if strings.HasSuffix(base, "/chat/completions") {
		return base
	}
	return base + "/chat/completions"
}

func (openAI) authorise(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func (openAI) form(m Model) form { return form{usage: !m.drops(streamOptions), oldLength: true} }

func (openAI) wire(parameter string) string { return parameter }

func (openAI) body(m Model, req Request, f form) map[string]any {
	fields := map[string]any{"model": m.Model, "messages": wireMessages(m.withSystem(req.Messages)), "stream": true}
	if f.usage {
		fields[streamOptions] = map[string]bool{"include_usage": true}
	}
	for _, p := range m.sampling(req.Sample) {
		if p.name == "max_tokens" && !f.oldLength {
			p.name = "max_completion_tokens"
		}
		fields[p.name] = p.value
	}
	return fields
}

func (openAI) events(kind string, r io.Reader) (eventSource, bool) {
	switch kind {
	case "text/event-stream":
		return newSSEReader(r), true
	case "application/json":
		return nil, true
	}
	return nil, false
}

// completion is a chunk of a stream, or a complete answer without streaming.
type completion struct {
	Model       string `json:"model"`
	Fingerprint string `json:"system_fingerprint"`
	Choices     []struct {
		Delta        completionText `json:"delta"`
		Message      completionText `json:"message"`
		FinishReason string         `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
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
	if err := json.Unmarshal(data, &chunk); err != nil {
		return piece{}, err
	}
	if len(chunk.Error) > 0 && string(chunk.Error) != "null" {
		return piece{failed: reportedError(data)}, nil
	}
	p := piece{model: chunk.Model, fingerprint: chunk.Fingerprint}
	if chunk.Usage != nil {
		p.input, p.output = count(chunk.Usage.PromptTokens), count(chunk.Usage.CompletionTokens)
	}
	if len(chunk.Choices) == 0 {
		return p, nil
	}
	choice := chunk.Choices[0]
	for _, part := range []text{choice.Delta.Content, choice.Delta.Refusal, choice.Message.Content, choice.Message.Refusal} {
		p.text += string(part)
	}
	p.thinking = choice.Delta.thinking() + choice.Message.thinking()
	if p.finish = finishReason(choice.FinishReason); p.finish == "error" {
		p.finish, p.failed = "", reportedError(data)
	}
	return p, nil
}

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
