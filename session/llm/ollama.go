package llm

import (
	"encoding/json"
	"net/http"
	"strings"
)

// ollama is Ollama's own protocol, which reports more than its OpenAI-compatible one: which model is
// missing, and how large the context is.
type ollama struct{}

func (ollama) endpoint(base string, _ Model) string { return completed(base, "/api", "/chat") }

func (ollama) authorise(h http.Header, key string) { openAI{}.authorise(h, key) }

func (ollama) form(m Model) form { return form{whole: m.drops(streamField)} }

func (ollama) wire(parameter string) string {
	if parameter == "max_tokens" {
		return "num_predict"
	}
	return parameter
}

func (o ollama) body(m Model, req Request, f form) map[string]any {
	fields := map[string]any{"model": m.Model, "messages": wireMessages(m.withSystem(req.Messages)), "stream": !f.whole}
	options := map[string]any{}
	for _, p := range m.sampling(req.Sample) {
		if p.name == "think" {
			fields["think"] = p.value
			continue
		}
		options[o.wire(p.name)] = p.value
	}
	if len(options) > 0 {
		fields["options"] = options
	}
	return fields
}

// ollamaReply is a line of a stream, or a complete answer without streaming.
type ollamaReply struct {
	Model   string `json:"model"`
	Message struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`

		ToolCalls []struct {
			Function calledFunction `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done       bool            `json:"done"`
	DoneReason string          `json:"done_reason"`
	Input      tokens          `json:"prompt_eval_count"`
	Output     tokens          `json:"eval_count"`
	Error      json.RawMessage `json:"error"`
}

func (ollama) decode(data []byte) (piece, error) {
	var r ollamaReply
	if err := decodeFields(data, &r, "message", "done"); err != nil {
		return piece{}, err
	}
	if isError(r.Error) {
		return piece{failed: reportedError(data)}, nil
	}
	p := piece{text: r.Message.Content, thinking: r.Message.Thinking, model: r.Model, end: r.Done}
	for _, call := range r.Message.ToolCalls {
		p.tools = append(p.tools, call.Function.Name)
	}
	if r.Done {
		p.input, p.output = int(r.Input), int(r.Output)
		// "load" and "unload" answer requests without a conversation: there is no answer.
		if r.DoneReason != "load" && r.DoneReason != "unload" {
			p.finished(r.DoneReason)
		}
	}
	return p, nil
}

// pullAdvice explains how to get a model that an Ollama server does not have; its OpenAI-compatible API
// uses the same wording.
func pullAdvice(m Model, message string) (string, bool) {
	lower := strings.ToLower(message)
	if !strings.Contains(lower, "model") || !strings.Contains(lower, "not found") || m.Provider != ProviderOllama && !strings.Contains(lower, "pull") {
		return "", false
	}
	return "type `ollama pull " + m.Model + "` on the server's machine, or correct model in the models file", true
}
