// Package trajectory owns what an agent did, step by step: what its model said, which tools it used and what these
// returned, and the tokens and cost of each step. The formats in which programs write it are read by session/llm.
package trajectory

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Step is one answer of an agent's model, and what followed from it.
type Step struct {
	Text         string  `json:"text,omitempty"`
	Thinking     string  `json:"thinking,omitempty"`
	Calls        []Call  `json:"calls,omitempty"`
	InputTokens  int     `json:"input_tokens,omitempty"`
	CachedTokens int     `json:"cached_tokens,omitempty"` // of the input
	OutputTokens int     `json:"output_tokens,omitempty"`
	CostUSD      float64 `json:"cost_usd,omitempty"`
}

// Call is one use of a tool.
type Call struct {
	ID     string `json:"id,omitempty"` // by which the program joins call and result
	Tool   string `json:"tool"`
	Input  string `json:"input,omitempty"`
	Output string `json:"output,omitempty"` // the observation
	Exit   *int   `json:"exit,omitempty"`   // of a command
}

// Total is what steps add up to.
type Total struct {
	Steps        int     `json:"steps"`
	ToolCalls    int     `json:"tool_calls"`
	InputTokens  int     `json:"input_tokens"`
	CachedTokens int     `json:"cached_tokens"`
	OutputTokens int     `json:"output_tokens"`
	CostUSD      float64 `json:"cost_usd"`
}

// Sum adds up steps.
func Sum(steps []Step) (t Total) {
	t.Steps = len(steps)
	for _, s := range steps {
		t.ToolCalls += len(s.Calls)
		t.InputTokens, t.CachedTokens, t.OutputTokens = Add(t.InputTokens, s.InputTokens), Add(t.CachedTokens, s.CachedTokens), Add(t.OutputTokens, s.OutputTokens)
		t.CostUSD += s.CostUSD
	}
	return t
}

// Add adds two numbers of tokens, which a program may have made up, without overflow.
func Add(a, b int) int { return min(a+b, 1<<53) }

// longest is the longest text of a step that is kept, in bytes.
const longest = 64 << 10

// Clip shortens a text to what is kept of it, and says how much is left out.
func Clip(text string) string {
	if len(text) <= longest {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:longest], "") + fmt.Sprintf("\n… %d more bytes", len(text)-longest)
}

// Text returns steps as they are stored; "" for none.
func Text(steps []Step) string {
	if len(steps) == 0 {
		return ""
	}
	text, err := json.Marshal(steps)
	if err != nil {
		return "" // of numbers that JSON does not have, which no reader returns
	}
	return string(text)
}

// Parse reads what Text has written.
func Parse(text string) (steps []Step, err error) {
	if text == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &steps); err != nil {
		return nil, fmt.Errorf("the stored steps of an agent cannot be read: %w", err)
	}
	return steps, nil
}
