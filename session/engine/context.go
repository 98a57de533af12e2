package engine

import "assay/session/llm"

// askContext asks in the background how many tokens the model's context holds.
func (e *Engine) askContext() {
	if e.cfg.Holds == nil {
		return
	}
	e.job(func() {
		e.holds.Store(int64(e.cfg.Holds(e.background())))
		e.notify()
	})
}

// Exceeded returns the tokens that the model's context holds if the text exceeds it, see [Engine.Exceeds]; otherwise, and
// as long as it is not known, 0.
func (e *Engine) Exceeded(text string) (holds int) {
	holds = int(e.holds.Load())
	if !e.Exceeds(text, holds) {
		return 0
	}
	return holds
}

// Exceeds reports whether a prompt with this text and the turns that are sent along is longer than so many tokens, by
// [llm.GuessTokens]. Some servers cut such prompts without a word. Nothing exceeds 0, which stands for not known.
func (e *Engine) Exceeds(text string, tokens int) bool {
	s := e.State()
	a := s.Attempt()
	if tokens == 0 || a == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if of := (turns{s.Task().ID, a.N, a.Tries, a.Reflection != nil && a.Reflection.Answer != nil}); e.along != of {
		_, messages, err := e.conversation(s, "")
		if err != nil {
			return false // sending it says so
		}
		e.along, e.alongBytes = of, 0
		for _, m := range messages {
			e.alongBytes += len(m.Text)
		}
	}
	return llm.GuessTokens(e.alongBytes+len(text)+len(s.Plan.Suffix)) > tokens
}

// turns names the turns that are sent along with a prompt: those before it.
type turns struct {
	task           string
	attempt, tries int
	reflected      bool
}
