package llm

import (
	"bytes"
	"encoding/json"
	"strings"
)

// form is how a request is written; servers differ in what they accept.
type form struct {
	usage     bool // ask for the usage with stream_options
	newLength bool // say max_completion_tokens for max_tokens
}

// without is the form to try next after a refusal that names a field of f. Each
// field is given up once, so that this ends.
func (f form) without(failed *failure) (form, bool) {
	if failed.status != 400 && failed.status != 422 {
		return f, false
	}
	switch {
	case f.usage && (strings.Contains(failed.body, "stream_options") || strings.Contains(failed.body, "include_usage")):
		f.usage = false
	case !f.newLength && strings.Contains(failed.body, "max_completion_tokens"):
		f.newLength = true
	default:
		return f, false
	}
	return f, true
}

// body is the JSON of a request.
func (o *openAI) body(req Request, f form) []byte {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	messages := []message{}
	for _, m := range o.model.withSystem(req.Messages) {
		messages = append(messages, message{m.Role, m.Text})
	}
	fields := map[string]any{"model": o.model.Model, "messages": messages, "stream": true}
	if f.usage {
		fields["stream_options"] = map[string]bool{"include_usage": true}
	}
	if o.model.Temperature != nil {
		fields["temperature"] = *o.model.Temperature
	}
	if o.model.TopP != nil {
		fields["top_p"] = *o.model.TopP
	}
	if o.model.Seed != nil {
		fields["seed"] = *o.model.Seed + int64(req.Sample)
	}
	if o.model.MaxTokens > 0 {
		if f.newLength {
			fields["max_completion_tokens"] = o.model.MaxTokens
		} else {
			fields["max_tokens"] = o.model.MaxTokens
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic("llm: a request of plain values does not marshal: " + err.Error())
	}
	return text
}

// reply is a chunk of a stream, or a whole answer that was not streamed.
type reply struct {
	Model   string `json:"model"`
	Choices []struct {
		Delta        content `json:"delta"`
		Message      content `json:"message"`
		FinishReason string  `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// content is the part of a message that a tester reads. Reasoning, which some
// servers send in a field of its own, is not part of the answer.
type content struct {
	Content text `json:"content"`
}

// text is a string, null, or a list of parts of which those of type text count.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("[")) {
		var parts []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(data, &parts); err != nil {
			return err
		}
		for _, p := range parts {
			if p.Type == "text" {
				*t += text(p.Text)
			}
		}
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// serverMessage finds what a server says in the body of an error: {"error":
// {"message": …}}, {"error": "…"}, {"message": …} or {"detail": …}.
func serverMessage(body []byte) (string, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return "", false
	}
	for _, name := range []string{"error", "message", "detail"} {
		raw, ok := fields[name]
		if !ok || string(raw) == "null" {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s, true
		}
		if inner, ok := serverMessage(raw); ok {
			return inner, true
		}
		return string(raw), true
	}
	return "", false
}
