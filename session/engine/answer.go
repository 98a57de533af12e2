package engine

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"time"

	"assay/session"
	"assay/session/llm"
	"assay/session/trajectory"
)

// stream is the part of the answer that has arrived. The screen reads the latest value when it likes;
// deltas are not stored.
type stream struct {
	mu       sync.Mutex
	text     strings.Builder
	thinking strings.Builder
	since    session.Stamp
	cancel   context.CancelFunc

	progress llm.Progress // as last reported by the client
	heard    int64        // monotonic time of that report, in milliseconds
	arrived  int64        // monotonic time when something last arrived or a try began
	first    int64        // monotonic time when the first words of answer or thinking arrived; 0: none has
}

func (s *stream) reset(since session.Stamp, cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Reset()
	s.thinking.Reset()
	s.since, s.cancel = since, cancel
	s.progress, s.heard, s.arrived, s.first = llm.Progress{Stage: llm.Asked}, since.Mono, since.Mono, 0
}

func (s *stream) started() session.Stamp {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.since
}

func (s *stream) add(delta string, now session.Stamp) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first = s.text.Len() == 0
	s.text.WriteString(delta)
	s.arrived, s.first = now.Mono, cmp.Or(s.first, now.Mono)
	return first
}

func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// stream returns the stream of a side, of a single model "".
func (e *Engine) stream(side session.Side) *stream { return &e.streams[side.Index()] }

// Streamed returns the text of the awaited answer so far; the side is "" where one model answers.
func (e *Engine) Streamed(side session.Side) string { return e.stream(side).String() }

// Thinking returns what the model has thought so far before the awaited answer.
func (e *Engine) Thinking(side session.Side) string {
	s := e.stream(side)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.thinking.String()
}

func (s *stream) think(piece string, now session.Stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.thinking.WriteString(piece)
	s.arrived, s.first = now.Mono, cmp.Or(s.first, now.Mono)
}

// Send makes text the draft, commits it as the attempt's prompt, and asks the
// model in the background.
func (e *Engine) Send(ctx context.Context, text string) error { return e.send(ctx, text, false) }

// Reflect asks the model in the background what was wrong with the previous attempt. The answer is not
// judged; in a conversation, both are sent with later prompts of the task.
func (e *Engine) Reflect(ctx context.Context, text string) error { return e.send(ctx, text, true) }

func (e *Engine) send(ctx context.Context, text string, reflection bool) error {
	text = valid(text)
	var request llm.Request
	var sides []session.Side // that are asked
	var models []int
	ask, cancel := context.WithCancel(e.background())
	err := e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		if strings.TrimSpace(text) == "" {
			return nil, nil, errors.New("the prompt is empty; write what you want the model to do")
		}
		payloads, sent, err := prompted(s, text, reflection)
		if err != nil {
			return nil, nil, err
		}
		asked := text
		if s.Plan.Suffix != "" && !reflection {
			asked += "\n\n" + s.Plan.Suffix
		}
		if sent.Messages, request.Messages, err = e.conversation(s, asked); err != nil {
			return nil, nil, err
		}
		if arena := s.Plan.Arena; arena != nil {
			sent.Sides, _ = arena.Draw(s.Task().ID, sent.Attempt)
		}
		after := s.Clone()
		for i, p := range append(payloads, sent) {
			if err := after.Apply(session.Event{Seq: s.Seq + 1 + uint64(i), Stamp: s.Last, Payload: p}); err != nil {
				return nil, nil, err
			}
		}
		sides, models = after.Awaited(), sent.Sides
		request.Task, request.Attempt, request.Blind = s.Task().ID, sent.Attempt, s.Plan.Unnamed()
		if task := e.tasks[s.Current]; task.Repository != nil {
			request.Repository = task
		}
		if s.Plan.Automatic != nil && !s.Plan.Model.Recorded {
			// With a fixed seed, the same prompt would get the same answer again.
			request.Sample = sent.Attempt - 1
		}
		// Reset before the commit shows that an answer is awaited: anyone who sees that may stop it, and
		// must not see the previous answer.
		for _, side := range sides {
			e.stream(side).reset(e.cfg.Stamp(), cancel)
		}
		texts := map[session.Ref][]byte{sent.Prompt: []byte(text), sent.Asked(): []byte(asked)}
		for _, m := range request.Messages {
			if m.Text == emptyTurn {
				keep(texts, emptyTurn)
			}
		}
		return texts, append(payloads, sent), nil
	})
	if err != nil {
		cancel()
		return err
	}
	e.job(func() {
		defer cancel()
		e.askAll(ask, request, reflection, sides, models)
	})
	return nil
}

// askAll waits for the answers of the models on the sides, and measures them when all have come.
func (e *Engine) askAll(ctx context.Context, request llm.Request, reflection bool, sides []session.Side, models []int) {
	task := e.State().Current
	var asked sync.WaitGroup
	for _, side := range sides {
		client := e.cfg.Client
		if len(models) > 0 && models[side.Index()] == 1 {
			client = e.cfg.Against
		}
		asked.Go(func() { e.guarded(func() { e.ask(ctx, client, request, side) }) })
	}
	asked.Wait()
	if reflection {
		return
	}
	for _, a := range e.State().Tasks[task].Attempts {
		if a.N == request.Attempt && len(a.Received()) == len(a.Replies()) {
			e.measureAll(task, a)
		}
	}
}

// prompted returns the events that lead up to sending text, and the PromptSent without its messages.
func prompted(s *session.State, text string, reflection bool) ([]session.Payload, session.PromptSent, error) {
	a := s.Attempt()
	if a == nil {
		return nil, session.PromptSent{}, errNoTask
	}
	sent := session.PromptSent{
		Attempt: a.N, Try: a.Tries + 1, Prompt: session.RefOf([]byte(text)), Bytes: len(text),
		Inserted: len(text), Reflection: reflection,
	}
	if reflection { // nobody typed it, and it is not the draft
		if sent.Try = 1; a.Reflection != nil {
			sent.Try = a.Reflection.Tries + 1
		}
		return nil, sent, nil
	}
	payloads, err := typed(s, text)
	if err != nil {
		return nil, sent, err
	}
	// Typing may have changed the number of inserted bytes.
	after := s.Clone()
	for i, p := range payloads {
		if err := after.Apply(session.Event{Seq: s.Seq + 1 + uint64(i), Stamp: s.Last, Payload: p}); err != nil {
			return nil, sent, err
		}
	}
	sent.Inserted, sent.Editor = after.Task().InsertedBytes(), after.Task().EditorBytes()
	return payloads, sent, nil
}

// emptyTurn is sent for an earlier answer without text: many servers refuse an empty turn, and with it every later
// prompt of the task.
const emptyTurn = "(The answer was empty.)"

// turnsLeft is how many of the turns before its prompt an attempt may send: after the model refused the conversation as
// too long, the newer half of those that were sent.
func turnsLeft(a *session.Attempt) int {
	if a == nil || a.Sent == nil || a.Failed == nil || a.Failed.Class != string(llm.TooLong) {
		return math.MaxInt
	}
	return (len(a.Sent.Messages) - 1) / 4 * 2 // a prompt and its answer stay together
}

// conversation returns what is sent: the task's earlier turns unless the context is fresh, then text. The
// caller holds mu.
func (e *Engine) conversation(s *session.State, text string) ([]session.Message, []llm.Message, error) {
	var refs []session.Message
	var messages []llm.Message
	turn := func(role session.Role, ref session.Ref) error {
		content, known := e.texts[ref]
		if !known {
			var err error
			if content, err = e.cfg.Store.Blob(ref); err != nil {
				return err
			}
		}
		if strings.TrimSpace(string(content)) == "" {
			ref, content = session.RefOf([]byte(emptyTurn)), []byte(emptyTurn)
		}
		refs = append(refs, session.Message{Role: role, Text: ref})
		messages = append(messages, llm.Message{Role: string(role), Text: string(content)})
		return nil
	}
	both := func(sent *session.PromptSent, answer *session.AnswerReceived) error {
		if answer == nil {
			return nil
		}
		return errors.Join(turn(session.User, sent.Asked()), turn(session.Assistant, answer.Answer))
	}
	if s.Plan.Context == session.Conversation {
		for _, a := range s.Task().Attempts {
			if r := a.Reflection; r != nil {
				if err := both(r.Sent, r.Answer); err != nil {
					return nil, nil, err
				}
			}
			if a.Unusable() {
				continue
			}
			if err := both(a.Sent, a.Answer); err != nil {
				return nil, nil, err
			}
		}
	}
	if left := turnsLeft(s.Attempt()); left < len(refs) {
		refs, messages = refs[len(refs)-left:], messages[len(messages)-left:]
	}
	refs = append(refs, session.Message{Role: session.User, Text: session.RefOf([]byte(text))})
	messages = append(messages, llm.Message{Role: llm.User, Text: text})
	return refs, messages, nil
}

// ask waits for the answer of a model and records the outcome.
func (e *Engine) ask(ctx context.Context, client llm.Client, request llm.Request, side session.Side) {
	attempt, stream := request.Attempt, e.stream(side)
	reporting := llm.WithProgress(ctx, func(p llm.Progress) {
		if stream.report(p, e.cfg.Stamp()) {
			e.notify()
		}
	})
	reporting = llm.WithThinking(reporting, func(piece string) {
		stream.think(piece, e.cfg.Stamp())
		e.notify()
	})
	streaming, stop := context.WithCancel(ctx)
	var kept sync.WaitGroup
	kept.Go(func() { e.guarded(func() { e.keepArriving(streaming, attempt, side) }) })
	answer, err := client.Stream(reporting, request, func(delta string) {
		if delta == "" {
			return
		}
		if stream.add(delta, e.cfg.Stamp()) {
			// If a full disk loses this event, only the time of the first token is missing, not the answer.
			_ = e.do(ctx, nil, session.FirstToken{Attempt: attempt, Side: side})
		}
		e.notify()
	})
	stop()
	kept.Wait()
	switch {
	case err == nil:
		e.received(attempt, answer, side)
	case ctx.Err() != nil:
		e.interrupted(attempt, side)
	default:
		e.failed(attempt, err, side)
	}
}

// keepArriving stores what has arrived of an answer, again and again until ctx ends.
func (e *Engine) keepArriving(ctx context.Context, attempt int, side session.Side) {
	ticks := time.NewTicker(cmp.Or(e.cfg.KeepEvery, time.Second/2))
	defer ticks.Stop()
	for said, thought := 0, 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		text, thinking := e.Streamed(side), e.Thinking(side)
		if len(text) == said && len(thinking) == thought {
			continue
		}
		texts := map[session.Ref][]byte{}
		// A piece that cannot be stored is stored with the next one.
		if e.do(ctx, texts, session.AnswerArrived{Attempt: attempt, Text: keep(texts, text[said:]), Thinking: keep(texts, thinking[thought:]), Side: side}) == nil {
			said, thought = len(text), len(thinking)
		}
	}
}

// arrived returns what was stored of an awaited answer, and of what the model thought before.
func (e *Engine) arrived(a *session.Attempt) (text, thinking string, err error) {
	for _, piece := range a.Arriving {
		said, missing := e.Text(piece.Text)
		thought, lost := e.Text(piece.Thinking)
		text, thinking, err = text+said, thinking+thought, errors.Join(err, missing, lost)
	}
	return text, thinking, err
}

func (e *Engine) received(attempt int, answer llm.Answer, side session.Side) {
	ref := session.RefOf([]byte(answer.Text))
	latency := e.cfg.Stamp().Mono - e.stream(side).started().Mono
	if e.State().Plan.Blind() { // an agent's transcript names it, and its price may
		answer.Model, answer.Transcript, answer.Steps, answer.CostUSD = "", "", nil, 0
	}
	texts := map[session.Ref][]byte{ref: []byte(answer.Text)}
	did := trajectory.Sum(answer.Steps)
	e.insist(texts, session.AnswerReceived{
		Attempt: attempt, Answer: ref, Bytes: len(answer.Text), FinishReason: answer.FinishReason,
		Model: answer.Model, InputTokens: answer.InputTokens, OutputTokens: answer.OutputTokens, CachedTokens: answer.CachedTokens, Reasoning: answer.ReasoningTokens, LatencyMS: latency,
		Trajectory: keep(texts, trajectory.Text(answer.Steps)), Steps: did.Steps, ToolCalls: did.ToolCalls,
		Transcript: keep(texts, answer.Transcript), Thinking: keep(texts, answer.Thinking), CostUSD: answer.CostUSD,
		Odd: answer.Odd, PromptCut: answer.PromptCut, Side: side,
	})
}

func (e *Engine) failed(attempt int, err error, side session.Side) {
	failure := session.AnswerFailed{Attempt: attempt, Side: side, Class: "error", Message: err.Error(), Advice: "try again"}
	var known *llm.Error
	texts := map[session.Ref][]byte{}
	failure.Thinking = keep(texts, e.Thinking(side))
	if errors.As(err, &known) {
		failure.Class, failure.Message, failure.Advice = string(known.Class), known.Message, known.Advice
		failure.Partial = keep(texts, known.Partial)
	}
	if a := e.State().Attempt(); known != nil && known.Class == llm.TooLong && a != nil && a.Sent != nil && len(a.Sent.Messages) > 1 {
		failure.Advice = "send it again: the older half of the earlier turns is left out then; or shorten the prompt"
	}
	if e.State().Plan.Unnamed() && (known == nil || !known.Own) { // a provider's own words name the model
		failure.Message, failure.Advice = "the model did not answer", "try again; if that does not help, tell the study's owner"
	}
	e.insist(texts, failure)
}

func (e *Engine) interrupted(attempt int, side session.Side) {
	texts := map[session.Ref][]byte{}
	reason := "stopped"
	if e.background().Err() != nil {
		reason = "quit"
	}
	e.insist(texts, e.broken(texts, attempt, side, reason))
}

// broken is the record of an interruption, with what has arrived.
func (e *Engine) broken(texts map[session.Ref][]byte, attempt int, side session.Side, reason string) session.AnswerInterrupted {
	return session.AnswerInterrupted{Attempt: attempt, Reason: reason, Partial: keep(texts, e.Streamed(side)), Thinking: keep(texts, e.Thinking(side)), Side: side}
}

// keep adds text to texts and returns its reference, "" for no text.
func keep(texts map[session.Ref][]byte, text string) session.Ref {
	if text == "" {
		return ""
	}
	ref := session.RefOf([]byte(text))
	texts[ref] = []byte(text)
	return ref
}

// Stop stops waiting for an answer, or for both. It costs no attempt.
func (e *Engine) Stop() {
	for i := range e.streams {
		s := &e.streams[i]
		s.mu.Lock()
		if s.cancel != nil {
			s.cancel()
		}
		s.mu.Unlock()
	}
}

// Pasted submits the answer that the tester pasted from a chat page.
func (e *Engine) Pasted(text string) error {
	paste, ok := e.cfg.Client.(interface{ Submit(string) error })
	if !ok {
		return errors.New("the answers of this session come from the model, not from the clipboard")
	}
	return paste.Submit(text)
}

// insist stores the result of background work, retrying until the store accepts it: an answer that was paid
// for must not be lost because the disk is full for a minute. Trouble shows the reason meanwhile.
func (e *Engine) insist(texts map[session.Ref][]byte, payload session.Payload) {
	for {
		err := e.do(context.Background(), texts, payload)
		if err == nil || errors.Is(err, session.ErrNotNow) {
			e.setTrouble("")
			return
		}
		e.setTrouble(err.Error())
		select {
		case <-e.background().Done():
			return
		case <-time.After(e.cfg.RetryEvery):
		}
	}
}

func (e *Engine) setTrouble(text string) {
	if e.Trouble() != text {
		e.trouble.Store(&text)
		e.notify()
	}
}
