package llm

import "context"

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

// Request asks for one answer. Task and Attempt say which task and attempt
// (from 1) of a session the request belongs to: the rehearsal and replay
// providers choose the recorded answer by them, the others ignore them.
type Request struct {
	Messages []Message
	Task     string
	Attempt  int

	// Sample numbers independent answers to the same messages, from 0. A model
	// with a fixed seed adds it to the seed: otherwise n samples would be one
	// sample n times.
	Sample int
	// Prompt names the wording of the task, where there are several: a replay that has
	// answers to that wording plays those.
	Prompt string
}

// Answer is a complete answer: one that ended with a finish reason.
type Answer struct {
	Text         string
	FinishReason string // "stop", "length", "refusal", "content_filter", or as the provider says it
	Model        string // as the provider reports it
	InputTokens  int    // 0 where the provider does not say
	OutputTokens int

	// What the provider tells beside the answer, for who checks a model.
	Fingerprint string   // of the server's configuration: with it a seed can be trusted
	Whole       bool     // the answer came in one piece: the server does not stream
	GaveUp      []string // fields that the server refused and that were then left out
}

// Client streams answers of one model. It is safe for concurrent use.
type Client interface {
	// Stream sends req and calls delta with each piece of text in order as it
	// arrives; it never calls delta after it has returned. It returns when the
	// answer is complete, with ctx's error when ctx ends, or with an *Error; an
	// answer that was cut short is an error, never an Answer. A nil delta is
	// allowed.
	Stream(ctx context.Context, req Request, delta func(string)) (Answer, error)
}
