package engine

import (
	"time"

	"assay/session"
	"assay/session/llm"
)

// Waiting is a snapshot of the wait for an answer, for display.
type Waiting struct {
	llm.Progress
	Elapsed time.Duration // since the prompt was sent
	Silent  time.Duration // since something last arrived or the try began
	Next    time.Duration // while Retrying or Queued: until the next try, if known
	First   time.Duration // from sending the prompt to the first words; 0: none has arrived
	Rate    float64       // tokens a second since then, estimated at four bytes each; 0: not known yet
	GivenUp time.Duration // the silence after which the client gives up; 0: never
}

// Waiting describes the wait for the current or last answer; the side is "" where one model answers.
func (e *Engine) Waiting(side session.Side) Waiting {
	now := e.cfg.Stamp()
	s := e.stream(side)
	s.mu.Lock()
	defer s.mu.Unlock()
	since := func(mono int64) time.Duration { return time.Duration(max(0, now.Mono-mono)) * time.Millisecond }
	w := Waiting{Progress: s.progress, Elapsed: since(s.since.Mono), Silent: since(s.arrived)}
	if s.first > 0 {
		w.First = time.Duration(s.first-s.since.Mono) * time.Millisecond
		if seconds := (w.Elapsed - w.First).Seconds(); seconds >= 1 {
			w.Rate = float64(s.text.Len()+s.thinking.Len()) / 4 / seconds
		}
	}
	switch w.Stage {
	case llm.Retrying, llm.Queued:
		w.Next = max(0, w.Wait-since(s.heard))
	default:
		w.GivenUp = w.Silence
		if w.Total > 0 { // the total limit may end the request before silence does
			if left := w.Silent + w.Total - w.Elapsed; w.GivenUp == 0 || left < w.GivenUp {
				w.GivenUp = left
			}
		}
	}
	return w
}

// report stores the client's report, and reports whether the description of the wait changes. Arriving text
// is signalled separately.
func (s *stream) report(p llm.Progress, now session.Stamp) (news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	news = p.Stage != s.progress.Stage || p.Try != s.progress.Try
	if p.Try != s.progress.Try {
		s.thinking.Reset()
		s.first = 0
	}
	s.progress, s.heard, s.arrived = p, now.Mono, now.Mono
	return news
}
