package llm

import (
	"encoding/json"
	"net/http"
	"slices"
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
		Index        tokens          `json:"index"`
		Delta        completionText  `json:"delta"`
		Message      completionText  `json:"message"`
		Text         string          `json:"text"` // of the older completions
		FinishReason word            `json:"finish_reason"`
		Usage        completionUsage `json:"usage"` // Moonshot's
		Error        json.RawMessage `json:"error"` // OpenRouter's
	} `json:"choices"`
	Usage completionUsage `json:"usage"`
	Groq  struct {
		Usage completionUsage `json:"usage"`
	} `json:"x_groq"`
	Error   json.RawMessage `json:"error"`
	MiniMax struct {
		Code tokens `json:"status_code"`
	} `json:"base_resp"`
}

// completionUsage counts tokens. Some gateways use Anthropic's names.
type completionUsage struct {
	Prompt        tokens `json:"prompt_tokens"`
	Input         tokens `json:"input_tokens"`
	Completion    tokens `json:"completion_tokens"`
	Output        tokens `json:"output_tokens"`
	Total         tokens `json:"total_tokens"`
	PromptDetails struct {
		Cached tokens `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit          tokens `json:"prompt_cache_hit_tokens"` // DeepSeek's
	CompletionDetails struct {
		Reasoning tokens `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// count sets the counts of p. What the total has beyond prompt and answer is thinking, which xAI and Google's gateway
// bill as output and do not count with the answer; or it is the answer, where that has no count.
func (u completionUsage) count(p *piece) {
	p.input, p.output = int(max(u.Prompt, u.Input)), int(max(u.Completion, u.Output))
	p.cached, p.reasoning = int(max(u.PromptDetails.Cached, u.CacheHit)), int(u.CompletionDetails.Reasoning)
	if more := int(u.Total) - p.input - p.output; more > 0 && p.input > 0 {
		if p.output > 0 && p.reasoning == 0 {
			p.reasoning = more
		}
		p.output += more
	}
}

// completionText is the part of a message that a tester reads. Reasoning, which servers send in a field of its own, or
// as the same text in several, is not part of the answer; a refusal is.
type completionText struct {
	Content          content          `json:"content"`
	Refusal          content          `json:"refusal"`
	ReasoningContent any              `json:"reasoning_content"`
	Reasoning        any              `json:"reasoning"`
	ReasoningText    any              `json:"reasoning_text"`
	Thinking         any              `json:"thinking"`
	Details          reasoningDetails `json:"reasoning_details"`
	ToolCalls        []struct {
		Function calledFunction `json:"function"`
	} `json:"tool_calls"`
	FunctionCall calledFunction `json:"function_call"` // the older form
}

// reasoningDetails is the text of OpenRouter's list of thoughts; what is of another form counts as absent.
type reasoningDetails string

func (r *reasoningDetails) UnmarshalJSON(data []byte) error {
	var list []struct{ Text, Summary string }
	_ = json.Unmarshal(data, &list)
	for _, one := range list {
		*r += reasoningDetails(one.Text + one.Summary)
	}
	return nil
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
	for _, field := range []any{t.Content.thinking, t.ReasoningContent, t.Reasoning, t.ReasoningText, t.Thinking, string(t.Details)} {
		if text, is := field.(string); is && text != "" {
			return text
		}
	}
	return ""
}

func (openAI) decode(data []byte) (piece, error) {
	var chunk completion
	if err := decodeFields(data, &chunk, "choices"); err != nil {
		return piece{}, err
	}
	p := piece{model: chunk.Model, fingerprint: chunk.Fingerprint}
	said := chunk.MiniMax.Code != 0
	if len(chunk.Choices) == 0 && !said { // an error may be the whole message
		_, said = serverMessage(data)
	}
	if said || isError(chunk.Error) {
		p.failed = reportedError(data)
		return p, nil
	}
	usage := []completionUsage{chunk.Usage, chunk.Groq.Usage}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 { // one answer was asked for
			p.odd = append(p.odd, "more than one answer")
			continue
		}
		p.text += choice.Delta.Content.text + choice.Delta.Refusal.text + choice.Text
		p.whole += choice.Message.Content.text + choice.Message.Refusal.text // next to a delta it is the text so far
		p.thinking += choice.Delta.thinking() + choice.Message.thinking()
		p.tools = append(p.tools, append(choice.Delta.tools(), choice.Message.tools()...)...)
		p.finished(string(choice.FinishReason))
		if isError(choice.Error) {
			p.failed = reportedError(choice.Error)
		}
		usage = append(usage, choice.Usage)
	}
	for _, u := range usage {
		if u != (completionUsage{}) {
			u.count(&p)
			break
		}
	}
	return p, nil
}

func isError(field json.RawMessage) bool { return len(field) > 0 && string(field) != "null" }
