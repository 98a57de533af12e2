package llm

import (
	"context"
	"errors"
	"strings"
	"sync"
)

// Errors of [Paste.Submit].
var (
	errNothingPasted = errors.New("the pasted text is empty: copy the model's whole answer and paste it again")
	errNotWaiting    = errors.New("no prompt is waiting for an answer: send the prompt first, then paste")
)

// Paste is the provider for testers who carry prompts to a chat page and paste the answers back. A client
// serves one session; its Stream calls are answered in the order in which they began.
type Paste struct {
	mu      sync.Mutex
	waiting []chan string // buffered by one, so that Submit never blocks
	name    string
}

// NewPaste returns a paste client that reports the given model name.
func NewPaste(name string) *Paste { return &Paste{name: name} }

// Stream waits until Submit is called or ctx ends.
func (p *Paste) Stream(ctx context.Context, _ Request, delta func(string)) (Answer, error) {
	slot := make(chan string, 1)
	p.mu.Lock()
	p.waiting = append(p.waiting, slot)
	p.mu.Unlock()
	select {
	case text := <-slot:
		return p.answer(text, delta), nil
	case <-ctx.Done():
	}
	if p.withdraw(slot) {
		return Answer{}, ctx.Err()
	}
	// Submit came before the withdrawal and has returned success, so the text must not be lost.
	return p.answer(<-slot, delta), nil
}

func (p *Paste) answer(text string, delta func(string)) Answer {
	if delta != nil {
		delta(text)
	}
	return Answer{Text: text, FinishReason: "pasted", Model: p.name}
}

// withdraw removes slot from the queue and reports whether it was still there.
func (p *Paste) withdraw(slot chan string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range p.waiting {
		if s == slot {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// Submit passes text to the longest-waiting Stream call. It fails with [errNothingPasted] or
// [errNotWaiting], and then text is discarded: a stale answer must never become the answer to the next
// prompt.
func (p *Paste) Submit(text string) error {
	if strings.TrimSpace(text) == "" {
		return errNothingPasted
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		return errNotWaiting
	}
	p.waiting[0] <- text
	p.waiting = p.waiting[1:]
	return nil
}

// Waiting reports whether a Stream call waits for text.
func (p *Paste) Waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting) > 0
}
