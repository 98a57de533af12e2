package llm

import (
	"net/http"
	"testing"

	"assay/data/fatal"
)

// Thinking that a provider sends apart is reported as it arrives, and kept apart from the answer.
func TestThinkingIsKeptApart(t *testing.T) {
	for name, row := range map[string]struct {
		codec codec
		data  string
	}{
		"reasoning_content": {openAI{}, `{"choices":[{"delta":{"reasoning_content":"hmm","content":null}}]}`},
		"reasoning":         {openAI{}, `{"choices":[{"delta":{"reasoning":"hmm","content":""}}]}`},
		"not streamed":      {openAI{}, `{"choices":[{"message":{"reasoning_content":"hmm"}}]}`},
		"anthropic":         {anthropic{}, `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hmm"}}`},
		"ollama":            {ollama{}, `{"message":{"content":"","thinking":"hmm"}}`},
	} {
		if p, err := row.codec.decode([]byte(row.data)); err != nil || p.thinking != "hmm" || p.text != "" {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	if p, err := (openAI{}).decode([]byte(`{"choices":[{"delta":{"reasoning":{"effort":1},"content":"a"}}]}`)); err != nil || p.text != "a" || p.thinking != "" {
		t.Errorf("a field of another type: %+v, %v", p, err)
	}
	heard := ""
	ctx := WithThinking(t.Context(), func(piece string) { heard += piece })
	answer, deltas, err := ask(t, ctx, testModel(), serve(t, func(w http.ResponseWriter, _ *http.Request) {
		events(w, `{"choices":[{"delta":{"reasoning_content":"First"}}]}`, `{"choices":[{"delta":{"reasoning_content":" this."}}]}`, chunk("Hi"), finish, done)
	}))
	fatal.If(t, err)
	if answer.Thinking != "First this." || heard != answer.Thinking || answer.Text != "Hi" || deltas != "Hi" {
		t.Errorf("%+v, heard %q, deltas %q", answer, heard, deltas)
	}
}
