package llm

import (
	"context"

	"assay/benchmark"
	"assay/session/trajectory"
)

// Roles of a message.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
)

// Message is one turn of a conversation.
type Message struct {
	Role string
	Text string
}

// Request asks for one answer. Task and Attempt (from 1) identify the task and attempt of a session: the
// rehearsal and replay providers choose the recorded answer by them, other providers ignore them.
type Request struct {
	Messages []Message
	Task     string
	Attempt  int

	// Sample numbers independent answers to the same messages, from 0. A model with a fixed seed adds it to
	// the seed; otherwise all samples would be the same.
	Sample int
	// Repository is the task itself for agents, which work in a copy of its repository.
	Repository *benchmark.Task
	// Blind reports that the tester must not learn which model answers: what an agent prints, which may name it,
	// is not streamed.
	Blind bool

	trial bool // an agent works in an empty directory, to try it

	// Prompt names the wording of the task if there are several: a replay with answers to that wording
	// plays those.
	Prompt string
}

// Answer is a complete answer: one that ended with a finish reason.
type Answer struct {
	Text         string
	Thinking     string // that came apart from the text; "" if there is none
	FinishReason string // "stop", "length", "refusal", "content_filter", "repetition", "tool_calls", "none", "limit" of an agent, or the provider's own
	Model        string // as the provider reports it
	InputTokens  int    // 0 if the provider does not report it
	OutputTokens int

	CachedTokens    int // those of InputTokens that the provider read from its cache
	ReasoningTokens int // those of OutputTokens that the model thought with

	// Of an agent, whose Text is the diff of its tree: what it printed, and what it says that it cost.
	Transcript string
	Steps      []trajectory.Step // as far as what it printed tells them
	CostUSD    float64
	Refused    []string // hosts that it asked for and was not granted

	// What the provider reports besides the answer, for checking a model.
	Fingerprint string   // of the server's configuration: while it stays the same, a seed is reliable
	Whole       bool     // the answer came in one piece: the server does not stream
	Odd         []string // what was unusual about it, in a few words each
	PromptCut   bool     // the server read only as much of the prompt as its context holds
	GaveUp      []string // fields that the server rejected and that were then left out
}

// Client streams answers of one model. It is safe for concurrent use.
type Client interface {
	// Stream sends req and calls delta with each piece of text as it arrives, in order and never after it
	// has returned. It returns when the answer is complete, with ctx's error if ctx ends, or with an
	// *Error; a truncated stream is an error, never an Answer. A nil delta is allowed.
	Stream(ctx context.Context, req Request, delta func(string)) (Answer, error)
}
