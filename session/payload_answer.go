package session

import "strings"

// The payloads of the wait for an answer.

// Role is the speaker of a message.
type Role string

// The roles of a conversation's messages.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message as it was sent to the model.
type Message struct {
	Role Role `json:"role"`
	Text Ref  `json:"text"`
}

// PromptSent starts the wait for an answer. Messages is everything that was sent, ending with the prompt,
// including the study's suffix if it has one.
type PromptSent struct {
	Attempt  int `json:"attempt"`
	Try      int `json:"try"` // 1; higher after provider errors
	Prompt   Ref `json:"prompt"`
	Bytes    int `json:"bytes"`
	Inserted int `json:"inserted"` // bytes of the prompt known to have been inserted, at most Bytes
	// Editor counts its bytes that were written in the tester's own editor; older logs have them in Inserted.
	Editor   int       `json:"editor,omitempty"`
	Messages []Message `json:"messages"`

	// Reflection reports that an automatic tester asks what was wrong with the previous attempt. The answer
	// that follows is not judged; the attempt's own prompt is sent after it.
	Reflection bool `json:"reflection,omitempty"`

	// Sides are the indexes, in the plan's arena, of the models on sides A and B; empty where one model answers.
	Sides []int `json:"sides,omitempty"`
}

// Asked returns the last message: the prompt with the study's suffix.
func (p PromptSent) Asked() Ref {
	if len(p.Messages) == 0 {
		return p.Prompt
	}
	return p.Messages[len(p.Messages)-1].Text
}

// FirstToken records that the first piece of an answer arrived.
type FirstToken struct {
	Attempt int  `json:"attempt"`
	Side    Side `json:"side,omitempty"` // of two answers
}

// AnswerArrived keeps what has arrived of an answer since the one before, so that a crash loses less than a second
// of it.
type AnswerArrived struct {
	Attempt  int  `json:"attempt"`
	Text     Ref  `json:"text"` // "" while the model only thinks
	Thinking Ref  `json:"thinking,omitempty"`
	Side     Side `json:"side,omitempty"` // of two answers
}

// AnswerReceived ends the wait with a complete answer.
type AnswerReceived struct {
	Attempt      int    `json:"attempt"`
	Answer       Ref    `json:"answer"`
	Bytes        int    `json:"bytes"`
	FinishReason string `json:"finish_reason"`
	Model        string `json:"model,omitempty"` // as the provider reports it
	InputTokens  int    `json:"input_tokens,omitempty"`
	OutputTokens int    `json:"output_tokens,omitempty"`
	CachedTokens int    `json:"cached_tokens,omitempty"`    // of the input
	Reasoning    int    `json:"reasoning_tokens,omitempty"` // of the output
	LatencyMS    int64  `json:"latency_ms"`                 // from sending to the end of the answer

	// Transcript is what an agent printed while it worked; the answer is the diff of its tree. Empty for other
	// models.
	Transcript Ref     `json:"transcript,omitempty"`
	Trajectory Ref     `json:"trajectory,omitempty"` // its steps, as session/trajectory writes them, as far as its output tells them
	Steps      int     `json:"steps,omitempty"`      // of the trajectory
	ToolCalls  int     `json:"tool_calls,omitempty"` // of the trajectory
	CostUSD    float64 `json:"cost_usd,omitempty"`   // in US dollars, as the agent reports it
	// Thinking is what the model thought before, where the provider sends it apart
	Thinking Ref `json:"thinking,omitempty"`
	// Odd is what was unusual about how the server answered, in a few words each.
	Odd []string `json:"odd,omitempty"`
	// PromptCut reports that the server read only a part of the prompt.
	PromptCut bool `json:"prompt_cut,omitempty"`
	Side      Side `json:"side,omitempty"` // of two answers
}

// Warnings are sentences about what a tester must know to judge the answer fairly.
func (a *AnswerReceived) Warnings() []string {
	var all []string
	if text := a.Truncated(); text != "" {
		all = append(all, text)
	}
	if a.PromptCut {
		all = append(all, "The server read only a part of the prompt: it is longer than the model's context.")
	}
	if len(a.Odd) > 0 {
		all = append(all, "The server answered oddly: "+strings.Join(a.Odd, "; ")+".")
	}
	return all
}

// Truncated explains in a sentence that the answer was cut off; "" for a complete answer.
func (a *AnswerReceived) Truncated() string {
	return map[string]string{
		"length":         "The answer reached its length limit: its end is missing.",
		"content_filter": "A content filter stopped the answer: its end is missing.",
		"refusal":        "The model refused and stopped: the answer may be incomplete.",
		"repetition":     "The server stopped the answer because it repeated itself: its end is missing.",
		"limit":          "The program reached a limit and was ended: the answer is what it had changed by then.",
	}[a.FinishReason]
}

// AnswerFailed ends the wait with a provider error. It costs no attempt: the same attempt is open again
// with its prompt as the draft.
type AnswerFailed struct {
	Attempt int    `json:"attempt"`
	Class   string `json:"class"`   // "auth", "rate_limit", "timeout", "refused", "cut_off", "not_a_model", …
	Message string `json:"message"` // what happened, for the tester
	Advice  string `json:"advice"`  // what to do
	Partial Ref    `json:"partial,omitempty"`
	// Thinking is what the model had thought, where the provider sends it apart
	Thinking Ref  `json:"thinking,omitempty"`
	Side     Side `json:"side,omitempty"` // of two answers
}

// AnswerInterrupted ends the wait because the tester stopped it or left, or because the program was killed.
// It costs no attempt.
type AnswerInterrupted struct {
	Attempt int    `json:"attempt"`
	Reason  string `json:"reason"` // "stopped", "quit" or "crashed"
	Partial Ref    `json:"partial,omitempty"`
	// Thinking is what the model had thought, where the provider sends it apart
	Thinking Ref  `json:"thinking,omitempty"`
	Side     Side `json:"side,omitempty"` // of two answers
}
