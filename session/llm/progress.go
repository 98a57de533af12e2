package llm

import (
	"context"
	"time"
)

// Stage is the stage of a request for an answer.
type Stage string

// The stages.
const (
	Queued     Stage = "queued"     // waiting for its turn among other requests
	Preparing  Stage = "preparing"  // an agent's repository and box are being made
	Connecting Stage = "connecting" // no connection yet
	Asked      Stage = "asked"      // sent; nothing has arrived
	Arriving   Stage = "arriving"   // something has just arrived
	Retrying   Stage = "retrying"   // a try failed; the next one follows after Wait
)

// Progress describes a request under way.
type Progress struct {
	Stage Stage
	Try   int // from 1; while Retrying, the next try
	Tries int // most tries; 0: not known

	Why   string        // while Retrying: how the previous try failed, such as "429 Too Many Requests"
	Asked bool          // the server asked for the wait
	Wait  time.Duration // while Retrying or Queued: until the next try; 0: not known

	Silence time.Duration // the try ends if nothing arrives for this long; 0: never
	Total   time.Duration // the request ends if it takes this long; 0: never
}

type progressKey struct{}

// WithProgress returns a context for Client.Stream that reports each stage of the request. A client may
// report none. The function must not block, and must be safe for concurrent use.
func WithProgress(ctx context.Context, heard func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, heard)
}

type thinkingKey struct{}

// WithThinking returns a context for Client.Stream that reports each piece of what the model thinks apart from its
// answer; another try begins anew. The function must be safe for concurrent use.
func WithThinking(ctx context.Context, heard func(string)) context.Context {
	return context.WithValue(ctx, thinkingKey{}, heard)
}

// Think reports a piece of thinking to the function given to WithThinking.
func Think(ctx context.Context, piece string) {
	if heard, ok := ctx.Value(thinkingKey{}).(func(string)); ok {
		heard(piece)
	}
}

// Tell reports p to the function given to WithProgress.
func Tell(ctx context.Context, p Progress) {
	if heard, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		heard(p)
	}
}
