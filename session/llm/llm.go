package llm

import (
	"context"
	"fmt"
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

// Request asks for one answer. Task and Attempt say which task and attempt
// (from 1) of a session the request belongs to: the rehearsal and replay
// providers choose the recorded answer by them, the others ignore them.
type Request struct {
	Messages []Message
	Task     string
	Attempt  int
}

// Answer is a complete answer: one that ended with a finish reason.
type Answer struct {
	Text         string
	FinishReason string // as the provider says it: "stop", "length", …
	Model        string // as the provider reports it
	InputTokens  int    // 0 where the provider does not say
	OutputTokens int
}

// Client streams answers of one model. It is safe for concurrent use.
type Client interface {
	// Stream sends req and calls delta with each piece of text in order as it
	// arrives. It returns when the answer is complete, when ctx ends, or with
	// an *Error; an answer that was cut short is an error, never an Answer.
	Stream(ctx context.Context, req Request, delta func(string)) (Answer, error)
}

// Class groups provider errors by what a person can do about them.
type Class string

// The classes of error.
const (
	Auth        Class = "auth"         // the key is missing or refused
	RateLimited Class = "rate_limit"   // 429, after the allowed retries
	Unreachable Class = "unreachable"  // no connection
	TimedOut    Class = "timeout"      // connect, idle or total time-out
	CutOff      Class = "cut_off"      // the stream ended without a finish reason
	NotAModel   Class = "not_a_model"  // an HTML page or another content type
	BadRequest  Class = "bad_request"  // the provider refused the request
	Server      Class = "server_error" // 5xx, after the allowed retries
	Program     Class = "program"      // a command that failed
	NoAnswer    Class = "no_answer"    // nothing recorded for this task
)

// Error is a failed request, in words for the tester.
type Error struct {
	Class   Class
	Message string // what was attempted and what happened
	Advice  string // what to do
	Partial string // text received before the failure
	Err     error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Message, e.Advice) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
