package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
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

func (anthropic) endpoint(base string, _ Model) string {
	if strings.HasSuffix(base, "/messages") {
		return base
	}
	return completed(base, "/v1", "/messages")
}

func (anthropic) authorise(h http.Header, key string) {
	h.Set("anthropic-version", anthropicVersion)
	if key != "" {
		h.Set("x-api-key", key)
	}
}

func (anthropic) form(m Model) form { return form{whole: m.drops(streamField)} }

func (anthropic) wire(parameter string) string {
	return cmp.Or(map[string]string{"stop": "stop_sequences", "thinking_tokens": "thinking"}[parameter], parameter)
}

func (a anthropic) body(m Model, req Request, f form) map[string]any {
	system, rest := splitSystem(m.withSystem(req.Messages))
	fields := map[string]any{"model": m.Model, "messages": wireMessages(rest), "stream": !f.whole, "max_tokens": anthropicMaxTokens}
	if system != "" {
		fields["system"] = system
	}
	for _, p := range m.sampling(req.Sample) {
		if p.name == "thinking_tokens" {
			p.value = map[string]any{"type": "enabled", "budget_tokens": p.value}
		}
		fields[a.wire(p.name)] = p.value
	}
	return fields
}

// anthropicUsage counts tokens. Prompt tokens read from a cache or written to one are counted separately
// from the others.
type anthropicUsage struct {
	Input   tokens `json:"input_tokens"`
	Written tokens `json:"cache_creation_input_tokens"`
	Read    tokens `json:"cache_read_input_tokens"`
	Output  tokens `json:"output_tokens"`
}

func (u anthropicUsage) input() int { return int(u.Input + u.Written + u.Read) }

// anthropicMessage is a complete message, or the part of one in message_start.
type anthropicMessage struct {
	Model      string         `json:"model"`
	Content    content        `json:"content"`
	StopReason string         `json:"stop_reason"`
	Usage      anthropicUsage `json:"usage"`
}

// anthropicBlock is a part of a message's content.
type anthropicBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Thinking string `json:"thinking"`
	Name     string `json:"name"` // of the tool
}

// tools lists the tool that the block calls.
func (b anthropicBlock) tools() []string {
	if b.Type != "tool_use" || b.Name == "" {
		return nil
	}
	return []string{b.Name}
}

// anthropicEvent is an event of a stream, or a complete message. Of the kinds of content only text is part
// of the answer: thinking is kept apart, and no tools are offered.
type anthropicEvent struct {
	Type    string           `json:"type"`
	Message anthropicMessage `json:"message"`
	Block   anthropicBlock   `json:"content_block"`
	Delta   struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		Thinking   string `json:"thinking"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage anthropicUsage  `json:"usage"`
	Error json.RawMessage `json:"error"`
}

func (anthropic) decode(data []byte) (piece, error) {
	var e anthropicEvent
	if err := decodeFields(data, &e, "content", "content_block", "delta"); err != nil {
		return piece{}, err
	}
	switch e.Type {
	case "message":
		var m anthropicMessage
		if err := decodeFields(data, &m, "content"); err != nil {
			return piece{}, err
		}
		p := piece{text: m.Content.text, thinking: m.Content.thinking, model: m.Model, input: m.Usage.input(), cached: int(m.Usage.Read), output: int(m.Usage.Output)}
		var blocks struct {
			Content []anthropicBlock `json:"content"`
		}
		_ = json.Unmarshal(data, &blocks) // content that is no list has none
		for _, block := range blocks.Content {
			p.tools = append(p.tools, block.tools()...)
		}
		p.finished(m.StopReason)
		return p, nil
	case "message_start":
		// Ignore this event's output tokens, which count only the start: message_delta has them all.
		return piece{model: e.Message.Model, input: e.Message.Usage.input(), cached: int(e.Message.Usage.Read)}, nil
	case "content_block_start":
		if e.Block.Type == "text" {
			return piece{text: e.Block.Text}, nil
		}
		return piece{thinking: e.Block.Thinking, tools: e.Block.tools()}, nil
	case "content_block_delta":
		switch e.Delta.Type {
		case "text_delta":
			return piece{text: e.Delta.Text}, nil
		case "thinking_delta":
			return piece{thinking: e.Delta.Thinking}, nil
		}
	case "message_delta":
		p := piece{input: e.Usage.input(), cached: int(e.Usage.Read), output: int(e.Usage.Output)}
		p.finished(e.Delta.StopReason)
		return p, nil
	case "message_stop":
		return piece{end: true}, nil
	case "error":
		return piece{failed: reportedError(data)}, nil
	case "":
		if isError(e.Error) {
			return piece{failed: reportedError(data)}, nil
		}
	}
	return piece{}, nil // ping, the ends of blocks, and future additions to the protocol
}
