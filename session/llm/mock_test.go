package llm

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
)

// TestAgainstAMockServer uses an independent server that implements all three protocols, such as
// @copilotkit/aimock. ASSAY_TEST_MOCK is its address; CONTRIBUTING.md describes how to start one.
func TestAgainstAMockServer(t *testing.T) {
	base := strings.TrimRight(os.Getenv("ASSAY_TEST_MOCK"), "/")
	if base == "" {
		t.Skip("ASSAY_TEST_MOCK names no server")
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" {
		t.Fatalf("ASSAY_TEST_MOCK is %q: it must be an address such as http://127.0.0.1:4010", base)
	}
	for _, d := range dialects() {
		t.Run(d.provider, func(t *testing.T) {
			m := everything(d.provider)
			m.BaseURL, m.APIKeyEnv = base, "MOCK_KEY"
			if d.provider == ProviderOpenAI {
				m.BaseURL += "/v1"
			}
			deps := Deps{Getenv: func(name string) string { return map[string]string{"MOCK_KEY": "mock-key-0123456789"}[name] }}
			got := m.Check(t.Context(), deps, "")
			if !got.OK || strings.TrimSpace(got.Answer.Text) != "ready" || got.Answer.FinishReason != "stop" || got.FirstText <= 0 {
				t.Fatalf("got %+v", got)
			}
			t.Logf("%q, %d and %d tokens; %s", got.Answer.Text, got.Answer.InputTokens, got.Answer.OutputTokens, strings.Join(got.Notes, "; "))

			client, err := m.Client(deps)
			fatal.If(t, err)
			pieces := 0
			conversation := []Message{{User, "hello"}, {Assistant, "Hi."}, {User, "count"}}
			answer, err := client.Stream(t.Context(), Request{Messages: conversation}, func(string) { pieces++ })
			if err != nil || answer.Text != "one two three four five six seven eight nine ten" || pieces < 2 {
				t.Errorf("got %+v in %d pieces, %v", answer, pieces, err)
			}
			if _, err := client.Stream(t.Context(), Request{Messages: []Message{{User, "fail with 400"}}}, nil); err == nil || !strings.Contains(err.Error(), "400") {
				t.Errorf("got %v, want a refusal", err)
			}
		})
	}
}
