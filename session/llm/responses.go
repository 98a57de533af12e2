package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
)

// responses is OpenAI's Responses API. Servers are asked to store nothing.
type responses struct{}

func (responses) endpoint(base string, _ Model) string { return completed(base, "", "/responses") }

func (responses) authorise(h http.Header, key string) { openAI{}.authorise(h, key) }

func (responses) form(m Model) form { return form{whole: m.drops(streamField)} }

func (responses) wire(parameter string) string {
	return cmp.Or(map[string]string{"max_tokens": "max_output_tokens", "reasoning_effort": "reasoning"}[parameter], parameter)
}

func (r responses) body(m Model, req Request, f form) map[string]any {
	system, rest := splitSystem(m.withSystem(req.Messages))
	fields := map[string]any{"model": m.Model, "input": wireMessages(rest), "stream": !f.whole, "store": false}
	if system != "" {
		fields["instructions"] = system
	}
	for _, p := range m.sampling(req.Sample) {
		if p.name == "reasoning_effort" {
			p.value = map[string]any{"effort": p.value}
		}
		fields[r.wire(p.name)] = p.value
	}
	return fields
}

// responsesItem is a part of a response's output: a message, thinking, or a call of a tool.
type responsesItem struct {
	Type    string `json:"type"`
	Name    string `json:"name"` // of the tool
	Content []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
	Summary []struct {
		Text string `json:"text"`
	} `json:"summary"`
}

// tools lists the tool that the item calls.
func (i responsesItem) tools() []string {
	if !strings.HasSuffix(i.Type, "_call") {
		return nil
	}
	if i.Name == "" { // a tool of the server's own, such as a search
		return []string{strings.TrimSuffix(i.Type, "_call")}
	}
	return []string{i.Name}
}

// response is a complete response, or what is known of one so far.
type response struct {
	Model      string          `json:"model"`
	Status     string          `json:"status"`
	Output     []responsesItem `json:"output"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage struct {
		Input        tokens `json:"input_tokens"`
		InputDetails struct {
			Cached tokens `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Output        tokens `json:"output_tokens"`
		OutputDetails struct {
			Reasoning tokens `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
}

// piece is the whole response; data is its JSON.
func (r response) piece(data []byte) piece {
	p := piece{model: r.Model, input: int(r.Usage.Input), cached: int(r.Usage.InputDetails.Cached), output: int(r.Usage.Output), reasoning: int(r.Usage.OutputDetails.Reasoning)}
	for _, item := range r.Output {
		for _, part := range item.Content {
			if item.Type == "reasoning" {
				p.thinking += part.Text
			} else {
				p.text += part.Text + part.Refusal
			}
		}
		for _, part := range item.Summary {
			p.thinking += part.Text
		}
		p.tools = append(p.tools, item.tools()...)
	}
	switch r.Status {
	case "failed":
		p.failed = reportedError(data)
	case "incomplete":
		p.finished(r.Incomplete.Reason)
	default:
		p.finished(r.Status)
	}
	return p
}

// responsesEvent is an event of a stream. Fields of a complete response stand in it where there is no stream.
type responsesEvent struct {
	Type     string          `json:"type"`
	Object   string          `json:"object"`
	Delta    string          `json:"delta"`
	Text     string          `json:"text"`
	Item     responsesItem   `json:"item"`
	Response json.RawMessage `json:"response"`
	Error    json.RawMessage `json:"error"`
}

func (responses) decode(data []byte) (piece, error) {
	var e responsesEvent
	if err := decodeFields(data, &e, "delta", "response"); err != nil {
		return piece{}, err
	}
	switch {
	case e.Object == "response":
		return decodeResponse(data)
	case e.Type == "error", e.Type == "" && isError(e.Error):
		return piece{failed: reportedError(data)}, nil
	}
	switch e.Type {
	case "response.output_text.delta", "response.refusal.delta":
		return piece{text: e.Delta}, nil
	case "response.output_text.done":
		return piece{whole: e.Text}, nil
	case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		return piece{thinking: e.Delta}, nil
	case "response.output_item.added":
		return piece{tools: e.Item.tools()}, nil
	case "response.created", "response.in_progress":
		p, err := decodeResponse(e.Response)
		return piece{model: p.model}, err
	case "response.completed", "response.incomplete", "response.failed":
		p, err := decodeResponse(e.Response)
		p.whole, p.text, p.thinking, p.end = p.text, "", "", err == nil
		return p, err
	}
	return piece{}, nil // the ends of parts, and future additions to the protocol
}

func decodeResponse(data []byte) (piece, error) {
	var r response
	if err := decodeFields(data, &r, "output", "status"); err != nil {
		return piece{}, err
	}
	return r.piece(data), nil
}
