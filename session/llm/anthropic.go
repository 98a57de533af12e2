package llm

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
)

const (
	// anthropicVersion is the version of the Messages API implemented here. A header in the models file
	// overrides it.
	anthropicVersion = "2023-06-01"
	// anthropicMaxTokens is sent if the models file has no max_tokens, which the protocol requires.
	anthropicMaxTokens = 4096
)

// anthropic is Anthropic's Messages API.
type anthropic struct{}

func (anthropic) endpoint(base string) string {
	switch {
	case strings.HasSuffix(base, "/messages"):
		return base
	case strings.HasSuffix(base, "/v1"):
		return base + "/messages"
	}
	return base + "/v1/messages"
}

func (anthropic) authorise(h http.Header, key string) {
	h.Set("anthropic-version", anthropicVersion)
	if key != "" {
		h.Set("x-api-key", key)
	}
}

func (anthropic) form(Model) form { return form{} }

func (anthropic) wire(parameter string) string {
	if parameter == "stop" {
		return "stop_sequences"
	}
	return parameter
}

func (a anthropic) body(m Model, req Request, _ form) map[string]any {
	system, rest := splitSystem(m.withSystem(req.Messages))
	// The API rejects a turn without text, which would fail the rest of a conversation after one empty
	// answer. It accepts two consecutive turns of one role.
	rest = slices.DeleteFunc(rest, func(m Message) bool { return strings.TrimSpace(m.Text) == "" })
	fields := map[string]any{"model": m.Model, "messages": wireMessages(rest), "stream": true, "max_tokens": anthropicMaxTokens}
	if system != "" {
		fields["system"] = system
	}
	for _, p := range m.sampling(req.Sample) {
		fields[a.wire(p.name)] = p.value
	}
	return fields
}

func (anthropic) events(kind string, r io.Reader) (eventSource, bool) {
	return openAI{}.events(kind, r) // the same content types
}

// anthropicUsage counts tokens. Prompt tokens read from a cache or written to one are counted separately
// from the others.
type anthropicUsage struct {
	Input   int `json:"input_tokens"`
	Written int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
	Output  int `json:"output_tokens"`
}

func (u anthropicUsage) input() int { return count(u.Input) + count(u.Written) + count(u.Read) }

// anthropicMessage is a complete message, or the part of one in message_start.
type anthropicMessage struct {
	Model      string         `json:"model"`
	Content    text           `json:"content"`
	StopReason string         `json:"stop_reason"`
	Usage      anthropicUsage `json:"usage"`
}

// anthropicEvent is an event of a stream, or a complete message. Of the kinds of content only text is part
// of the answer: thinking is kept apart, and no tools are offered.
type anthropicEvent struct {
	Type    string           `json:"type"`
	Message anthropicMessage `json:"message"`
	Block   struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content_block"`
	Delta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		Thinking   string `json:"thinking"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage anthropicUsage `json:"usage"`
}

func (anthropic) decode(data []byte) (piece, error) {
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return piece{}, err
	}
	switch e.Type {
	case "message":
		var m anthropicMessage
		if err := json.Unmarshal(data, &m); err != nil {
			return piece{}, err
		}
		var thought struct {
			Content []struct {
				Thinking string `json:"thinking"`
			} `json:"content"`
		}
		_ = json.Unmarshal(data, &thought) // content that is no list has none
		var thinking strings.Builder
		for _, block := range thought.Content {
			thinking.WriteString(block.Thinking)
		}
		return piece{
			text: string(m.Content), thinking: thinking.String(), model: m.Model, finish: finishReason(m.StopReason),
			input: m.Usage.input(), output: count(m.Usage.Output),
		}, nil
	case "message_start":
		// Ignore this event's output tokens, which count only the start: message_delta has them all.
		return piece{model: e.Message.Model, input: e.Message.Usage.input()}, nil
	case "content_block_start":
		if e.Block.Type == "text" {
			return piece{text: e.Block.Text}, nil
		}
	case "content_block_delta":
		switch e.Delta.Type {
		case "text_delta":
			return piece{text: e.Delta.Text}, nil
		case "thinking_delta":
			return piece{thinking: e.Delta.Thinking}, nil
		}
	case "message_delta":
		return piece{finish: finishReason(e.Delta.StopReason), input: e.Usage.input(), output: count(e.Usage.Output)}, nil
	case "message_stop":
		return piece{end: true}, nil
	case "error":
		return piece{failed: reportedError(data)}, nil
	}
	return piece{}, nil // ping, the ends of blocks, and future additions to the protocol
}
