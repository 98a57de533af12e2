package automatic_test

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/llm"
	"assay/session/report"
	"assay/session/report/sessions"
)

// TestAgainstAMockServer runs sessions with an independent server for the three protocols, such as
// @copilotkit/aimock: its model fails at first and corrects itself after feedback, but never without.
// ASSAY_TEST_MOCK is the server's address; CONTRIBUTING.md describes how to start it.
func TestAgainstAMockServer(t *testing.T) {
	base := strings.TrimRight(os.Getenv("ASSAY_TEST_MOCK"), "/")
	if base == "" {
		t.Skip("ASSAY_TEST_MOCK names no server")
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" {
		t.Fatalf("ASSAY_TEST_MOCK is %q: it must be an address such as http://127.0.0.1:4010", base)
	}
	for provider, path := range map[string]string{llm.ProviderOpenAI: "/v1", llm.ProviderAnthropic: "", llm.ProviderOllama: ""} {
		for _, policy := range session.Feedbacks() {
			for _, context := range []session.Context{session.Conversation, session.Fresh} {
				t.Run(provider+"/"+string(policy)+"/"+string(context), func(t *testing.T) {
					b := newBench(t, nil)
					m := llm.Model{Name: "mock", Provider: provider, BaseURL: base + path, Model: "mock-1", APIKeyEnv: "MOCK_KEY"}
					client, err := m.Client(llm.Deps{Getenv: func(string) string { return "mock-key-0123456789" }})
					fatal.If(t, err)
					b.client = client
					s, events := b.run(choice(3, 3, policy, 1, context))
					r, err := sessions.Build(events)
					fatal.If(t, err)
					survival := []report.Number{1, 0, 0} // not satisfied yet after each attempt
					if policy == session.FeedbackNone {
						survival = []report.Number{1, 1, 1}
					}
					for i, step := range r.Tries.Steps {
						if step.Survival != survival[i] {
							t.Errorf("the curve is at %v after attempt %d, want %v", step.Survival, i+1, survival[i])
						}
					}
					reflections := 0
					if policy == session.FeedbackReflection {
						reflections = 3
					}
					if s.Closed != "finished" || r.Counts.Analysed != 3 || r.Events.Reflections != reflections || r.Events.Failures > 0 {
						t.Errorf("%s, %+v, %+v", s.Closed, r.Counts, r.Events)
					}
				})
			}
		}
	}
}
