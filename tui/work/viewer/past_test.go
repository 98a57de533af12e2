package viewer

import (
	"testing"

	"assay/session"
)

// An imported attempt shows what is known of it, and tells what is not.
func TestAbsent(t *testing.T) {
	const imported = "This session was imported from tables, which have no prompts, answers or code."
	for _, tt := range []struct {
		prompt, answer session.Ref
		tab            tab
		want           string
	}{
		{"", "", TabAnswer, imported},
		{"", "", tabPrompt, imported},
		{"", "a", TabAnswer, ""},
		{"", "a", tabPrompt, "The prompt of this answer was not imported."},
		{"p", "", tabPrompt, ""},
		{"p", "", TabAnswer, "There is no answer to this prompt."},
		{"p", "a", TabChanges, "The code was not taken from this answer."},
		{"p", "a", TabAnswer, ""},
	} {
		m := &reading{subject: subject{past: &past{}, State: &session.State{}}}
		m.review.tab = tt.tab
		a := &session.Attempt{Sent: &session.PromptSent{Prompt: tt.prompt}, Answer: &session.AnswerReceived{Answer: tt.answer}}
		if got := m.absent(a); got != tt.want {
			t.Errorf("prompt %q, answer %q, tab %d: %q, want %q", tt.prompt, tt.answer, tt.tab, got, tt.want)
		}
	}
}
