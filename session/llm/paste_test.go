package llm

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
)

func TestPasteAnswersTheWaitingPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPaste("paste")
		if err := p.Submit("early"); !errors.Is(err, errNotWaiting) {
			t.Errorf("before the prompt: %v", err)
		}
		got := make(chan Answer, 1)
		delta := ""
		go func() {
			answer, err := p.Stream(t.Context(), Request{}, func(s string) { delta += s })
			if err != nil {
				t.Error(err)
			}
			got <- answer
		}()
		synctest.Wait()
		if !p.Waiting() {
			t.Error("it does not wait")
		}
		if err := p.Submit(" \n"); !errors.Is(err, errNothingPasted) {
			t.Errorf("nothing pasted: %v", err)
		}
		fatal.If(t, p.Submit("the answer\n"))
		answer := <-got
		if answer.Text != "the answer\n" || delta != answer.Text || answer.FinishReason != "pasted" || answer.Model != "paste" {
			t.Errorf("got %+v, delta %q", answer, delta)
		}
		if p.Waiting() {
			t.Error("it still waits")
		}
	})
}

func TestPasteCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPaste("paste")
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := p.Stream(ctx, Request{}, nil)
			failed <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		// The text for a withdrawn prompt must not answer the next one.
		if err := p.Submit("late"); !errors.Is(err, errNotWaiting) {
			t.Errorf("got %v", err)
		}
	})
}

// If Submit precedes a cancellation, the text counts.
func TestPasteNeverLosesWhatItTook(t *testing.T) {
	for range 200 {
		p := NewPaste("paste")
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error, 1)
		go func() {
			_, err := p.Stream(ctx, Request{}, nil)
			result <- err
		}()
		go cancel()
		taken := p.Submit("x") == nil
		cancel()
		if err := <-result; taken != (err == nil) {
			t.Fatalf("taken %v, but Stream gave %v", taken, err)
		}
	}
}
