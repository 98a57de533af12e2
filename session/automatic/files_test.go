package automatic_test

import (
	"strings"
	"testing"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
)

// A model without tools gets the files of a repository with the statement, and the outcome in words.
func TestRepository(t *testing.T) {
	b := newBench(t, func(r llm.Request) (string, error) {
		return map[int]string{1: enginetest.UnfittingDiff, 2: enginetest.BreakingFiles}[r.Attempt] + map[bool]string{true: enginetest.ResolvingDiff}[r.Attempt == 3], nil
	})
	c := choice(1, 5, session.FeedbackFirst, 0, session.Conversation)
	c.Benchmark = enginetest.Repositories(1)
	state, _ := b.run(c)
	if got := outcome(state); !strings.Contains(got, "satisfied") {
		t.Errorf("outcome %s", got)
	}
	for i, wanted := range [][]string{
		{"The total of a cart is wrong", "unified diff", "README.md\nlogo.png\nshop/__init__.py", "shop/cart.py\n```\n\"\"\"The cart", "sum += price"},
		{"does not apply", "def sum(things)"},
		{"breaks tests that passed before", "test_two, which must pass now, fails", "assert 3 == 6"},
	} {
		messages := b.model.asked[i].Messages
		for _, text := range wanted {
			if prompt := messages[len(messages)-1].Text; !strings.Contains(prompt, text) {
				t.Errorf("prompt %d does not have %q:\n%s", i+1, text, prompt)
			}
		}
	}
}
