package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
)

// gemini is Google's generateContent.
type gemini struct{}

func (gemini) endpoint(base string, m Model) string {
	if !strings.HasSuffix(base, "/v1beta") && !strings.HasSuffix(base, "/v1") {
		base += "/v1beta"
	}
	method := ":streamGenerateContent?alt=sse"
	if m.drops(streamField) {
		method = ":generateContent"
	}
	model := m.Model
	if !strings.Contains(model, "/") { // as in "tunedModels/…"
		model = "models/" + model
	}
	return base + "/" + model + method
}

func (gemini) authorise(h http.Header, key string) {
	if key != "" {
		h.Set("x-goog-api-key", key)
	}
}

// form is fixed: the address says whether the answer is streamed.
func (gemini) form(Model) form { return form{whole: true} }

func (gemini) wire(parameter string) string {
	return cmp.Or(map[string]string{
		"top_p":             "topP",
		"top_k":             "topK",
		"max_tokens":        "maxOutputTokens",
		"stop":              "stopSequences",
		"presence_penalty":  "presencePenalty",
		"frequency_penalty": "frequencyPenalty",
		"thinking_tokens":   "thinkingConfig",
	}[parameter], parameter)
}

type geminiPart struct {
	Text    string         `json:"text"`
	Thought bool           `json:"thought,omitempty"` // the text is thinking
	Call    calledFunction `json:"functionCall,omitzero"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

func (g gemini) body(m Model, req Request, _ form) map[string]any {
	system, rest := splitSystem(m.withSystem(req.Messages))
	contents := []geminiContent{}
	for _, message := range rest {
		role := message.Role
		if role == Assistant {
			role = "model"
		}
		contents = append(contents, geminiContent{role, []geminiPart{{Text: message.Text}}})
	}
	fields := map[string]any{"contents": contents}
	if system != "" {
		fields["systemInstruction"] = geminiContent{Parts: []geminiPart{{Text: system}}}
	}
	config := map[string]any{}
	for _, p := range m.sampling(req.Sample) {
		if p.name == "thinking_tokens" {
			p.value = map[string]any{"thinkingBudget": p.value, "includeThoughts": true}
		}
		config[g.wire(p.name)] = p.value
	}
	if len(config) > 0 {
		fields["generationConfig"] = config
	}
	return fields
}

// geminiReply is a message of a stream, or a complete answer. Its counts are those of the answer so far.
type geminiReply struct {
	Candidates []struct {
		Index        int           `json:"index"`
		Content      geminiContent `json:"content"`
		FinishReason string        `json:"finishReason"`
	} `json:"candidates"`
	Feedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage struct {
		Prompt   tokens `json:"promptTokenCount"`
		Cached   tokens `json:"cachedContentTokenCount"`
		Answer   tokens `json:"candidatesTokenCount"`
		Thoughts tokens `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
	Model string          `json:"modelVersion"`
	Error json.RawMessage `json:"error"`
}

func (gemini) decode(data []byte) (piece, error) {
	var r geminiReply
	if err := decodeFields(data, &r, "candidates"); err != nil {
		return piece{}, err
	}
	if isError(r.Error) {
		return piece{failed: reportedError(data)}, nil
	}
	p := piece{model: r.Model, input: int(r.Usage.Prompt), cached: int(r.Usage.Cached), output: int(r.Usage.Answer + r.Usage.Thoughts), reasoning: int(r.Usage.Thoughts)}
	if r.Feedback.BlockReason != "" && len(r.Candidates) == 0 {
		p.failed = &reported{class: Filtered, message: "the server blocks the prompt: " + r.Feedback.BlockReason}
		return p, nil
	}
	for _, candidate := range r.Candidates {
		if candidate.Index != 0 { // one answer was asked for
			p.odd = append(p.odd, "more than one answer")
			continue
		}
		for _, part := range candidate.Content.Parts {
			if part.Thought {
				p.thinking += part.Text
			} else {
				p.text += part.Text
			}
			if part.Call.Name != "" {
				p.tools = append(p.tools, part.Call.Name)
			}
		}
		p.finished(candidate.FinishReason)
	}
	return p, nil
}
