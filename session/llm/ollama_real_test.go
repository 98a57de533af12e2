package llm

import (
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
)

// TestRealServerOllama asks a real Ollama for its smallest model. ASSAY_OLLAMA is its address; testdata/tinyllama says how
// to build one and to give it a model. The content of answers is not checked.
func TestRealServerOllama(t *testing.T) {
	base := strings.TrimRight(os.Getenv("ASSAY_OLLAMA"), "/")
	if base == "" {
		t.Skip("ASSAY_OLLAMA names no Ollama, such as http://127.0.0.1:11434")
	}
	ctx := t.Context()
	_, names, err := Place{Name: "ollama", Provider: ProviderOllama, BaseURL: base}.Models(ctx, Deps{})
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	holds := 256
	m := Model{Name: "m", Provider: ProviderOllama, BaseURL: base, Model: names[len(names)-1], NumCtx: &holds, MaxTokens: new(20), Seed: new(int64(7)),
		ExtraBody: Fields{"options": map[string]any{"num_thread": 1, "temperature": 0.0}}} // more threads wait for each other on a busy machine
	t.Logf("%s of %v", m.Model, names)
	ask := func(m Model, words ...string) (Answer, error) {
		client, err := m.Client(Deps{})
		fatal.If(t, err)
		var turns []Message
		for i, text := range words {
			turns = append(turns, Message{[]string{User, Assistant}[i%2], text})
		}
		return client.Stream(ctx, Request{Messages: turns}, nil)
	}
	long := strings.Repeat("write f of x ", 200)
	byOpenAI := m
	byOpenAI.Provider, byOpenAI.BaseURL, byOpenAI.NumCtx, byOpenAI.ExtraBody = ProviderOpenAI, base+"/v1", nil, nil
	for name, tt := range map[string]struct {
		change func(*Model)
		words  []string
		cut    bool
	}{
		"a short prompt":          {nil, []string{"hi"}, false},
		"a prompt that is cut":    {nil, []string{long}, true},
		"turns that are left out": {nil, []string{long, "a", "hi"}, true},
		"a conversation":          {nil, []string{"hi", "", "again"}, false},
		"an answer that fills the context, if it is that long":  {func(m *Model) { m.MaxTokens = new(1000) }, []string{"hi"}, false},
		"an answer that repeats itself, if the model is random": {func(m *Model) { m.MaxTokens = new(1000); m.NumCtx = new(4096) }, []string{"hi"}, false},
		"more than the model was trained with":                  {func(m *Model) { m.NumCtx = new(1 << 20) }, []string{strings.Repeat(long, 10)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			m := m
			if tt.change != nil {
				tt.change(&m)
			}
			a, err := ask(m, tt.words...)
			fatal.If(t, err)
			if want := tt.cut || a.InputTokens+a.OutputTokens > *m.NumCtx; a.PromptCut != want || (a.InputTokens == 0 || a.OutputTokens == 0) != (a.FinishReason == finishLoop) || a.FinishReason == finishNone || len(a.Odd) > 0 {
				t.Errorf("%+v", a)
			}
			t.Logf("%s, %d and %d tokens", a.FinishReason, a.InputTokens, a.OutputTokens)
		})
	}
	if a, err := ask(byOpenAI, long); err != nil || a.Fingerprint != ollamaPrint || a.InputTokens == 0 {
		t.Errorf("by OpenAI's protocol: %+v, %v", a, err)
	}
	if size := byOpenAI.ContextSize(ctx, Deps{}); size == 0 {
		t.Error("by OpenAI's protocol no context is known")
	}
	whole := m
	whole.ExtraBody = Fields{"truncate": false}
	missing := m
	missing.Model = "no-such-model"
	thinks := m
	thinks.Think = Thinking{true}
	for want, m := range map[string]Model{"exceed the model's context": whole, "ollama pull no-such-model": missing, `drop = ["think"]`: thinks} {
		if _, err := ask(m, long); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
