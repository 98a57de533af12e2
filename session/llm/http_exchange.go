package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"time"
)

// trailer is how long to wait for the usage after the finish reason.
const trailer = 5 * time.Second

// mostOdd is how many oddities of an answer are kept.
const mostOdd = 10

// failure is a failed exchange, with what decides about a retry.
type failure struct {
	*Error
	status int    // of the response, 0 where there was none
	body   string // of an error response
	retry  bool   // the same request may be sent again
}

// exchange is one request with its response.
type exchange struct {
	client *httpClient
	cred   credentials
	watch  *watchdog
	report func(Progress)
	delta  func(string)
	hide   *streamRedactor // redacts the text: what was emitted cannot be taken back
	think  func(string)
	veil   *streamRedactor // redacts the thinking

	answer   Answer
	text     strings.Builder
	thinking strings.Builder
	done     bool // a finish reason has arrived
	raw      int  // bytes of text and thinking so far
	said     int  // bytes of text

	last  string // piece of text, without the space around it
	alike int    // pieces since then that are the same
}

// exchange sends body once.
func (c *httpClient) exchange(ctx context.Context, cred credentials, body []byte, delta func(string)) (Answer, *failure) {
	ctx, watch := newWatchdog(ctx)
	defer watch.stop()
	e := &exchange{client: c, cred: cred, watch: watch, delta: delta, hide: cred.hide.stream(), think: func(piece string) { Think(ctx, piece) }, veil: cred.hide.stream()}
	e.report = func(p Progress) { Tell(ctx, p) }
	answer, failed := e.run(ctx, body)
	if failed == nil {
		return answer, nil
	}
	e.emit(e.hide.rest())
	failed.Partial = e.cred.hide.finished(e.text.String())
	var late *expired
	if errors.As(context.Cause(ctx), &late) {
		failed = &failure{Error: late.timeoutError("asked "+c.host+" for an answer", failed.Partial)}
	}
	return Answer{}, failed
}

func (e *exchange) run(ctx context.Context, body []byte) (Answer, *failure) {
	model := e.client.model
	connect := model.ConnectTimeout.orDefault(defaultConnect)
	e.watch.expect("no connection", connect, "connect_timeout")
	e.report(Progress{Stage: Connecting, Silence: connect})
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { e.alive(Asked) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.client.endpoint, bytes.NewReader(body))
	if err != nil {
		return Answer{}, &failure{Error: &Error{Class: BadRequest, Message: "could not write a request to " + e.client.host, Advice: "check " + e.client.setting("base_url"), Err: err}}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/x-ndjson, application/json")
	e.client.authorise(req, e.cred)
	// Redirects are never followed: a login page would answer in place of the model, and the key could go
	// to another host.
	res, err := e.client.deps.Transport.RoundTrip(req)
	if err != nil {
		return Answer{}, e.noConnection(err)
	}
	defer res.Body.Close()
	e.alive(Asked)
	stream := &liveReader{r: res.Body, alive: func() { e.alive(Arriving) }}
	if res.StatusCode/100 != 2 {
		return Answer{}, e.refused(res, stream)
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	start := bufio.NewReaderSize(stream, 32<<10)
	var answer Answer
	var failed *failure
	switch framingOf(model.Provider, kind, start) {
	case framedAsEvents:
		answer, failed = e.readStream(newSSEReader(start))
	case framedAsLines:
		answer, failed = e.readStream(newLineReader(start))
	case framedWhole:
		answer, failed = e.readWhole(start)
	default:
		failed = e.notAModel(kind, start)
	}
	if failed == nil {
		answer.PromptCut = e.promptCut(ctx, answer, len(body))
	}
	return answer, failed
}

// framing is how a response holds its messages.
type framing int

const (
	framedUnknown  framing = iota // no model sends it
	framedAsEvents                // server-sent events
	framedAsLines                 // JSON Lines
	framedWhole                   // one message
)

// framingOf returns the framing of a response of the given content type. What it starts with counts first: some servers
// send events as JSON, as plain text or without a type, and lines of JSON as events.
func framingOf(provider, kind string, r *bufio.Reader) framing {
	if kind == "text/html" || kind == "application/xhtml+xml" {
		return framedUnknown
	}
	start := firstBytes(r)
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(start, []byte(field)) {
			return framedAsEvents
		}
	}
	json, object := kind == "application/json", bytes.HasPrefix(start, []byte("{"))
	lines := kind == "application/x-ndjson" || kind == "application/ndjson" || kind == "application/jsonl"
	switch {
	case lines || object && !json && (kind == "text/event-stream" || provider == ProviderOllama):
		return framedAsLines
	case json || object || bytes.HasPrefix(start, []byte("[")):
		return framedWhole
	case kind == "text/event-stream" || len(start) == 0: // or an empty stream
		return framedAsEvents
	}
	return framedUnknown
}

// firstBytes returns up to six bytes of what r starts with, after white space and a byte-order mark, which it skips.
func firstBytes(r *bufio.Reader) []byte {
	for {
		b, err := r.Peek(1)
		if err != nil || !bytes.Contains([]byte(" \t\r\n\xEF\xBB\xBF"), b) {
			break
		}
		_, _ = r.Discard(1)
	}
	for n := 1; ; n++ {
		if start, err := r.Peek(n); err != nil || n == 6 || start[n-1] == ':' || start[0] == '{' {
			return start
		}
	}
}

// authorise sets the headers that a request needs: key, protocol, and those of the models file.
func (c *httpClient) authorise(req *http.Request, cred credentials) {
	c.codec.authorise(req.Header, cred.key)
	if strings.HasSuffix(req.URL.Hostname(), ".azure.com") && cred.key != "" {
		req.Header.Set("api-key", cred.key) // Azure takes a key there, and a token as Authorization
	}
	for name, value := range cred.headers {
		req.Header.Set(name, value)
	}
}

// alive restarts the idle limit, but not after the finish reason.
func (e *exchange) alive(stage Stage) {
	if !e.done {
		idle := e.client.model.IdleTimeout.orDefault(defaultIdle)
		e.watch.expect("nothing arrived", idle, "idle_timeout")
		e.report(Progress{Stage: stage, Silence: idle})
	}
}

// liveReader reports every arrival of data.
type liveReader struct {
	r     io.Reader
	alive func()
}

func (l *liveReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if n > 0 {
		l.alive()
	}
	return n, err
}

// readStream reads all messages.
func (e *exchange) readStream(events eventSource) (Answer, *failure) {
	for {
		data, final, err := events.next()
		var pieces []piece
		if err == nil {
			var bad error
			if pieces, bad = e.pieces(data); bad != nil && !final {
				return Answer{}, e.garbage(data, bad)
			} else if bad != nil {
				err = io.ErrUnexpectedEOF // the stream ended within this message
			}
		}
		for _, p := range pieces {
			if failed := e.receive(p); failed != nil {
				return Answer{}, failed
			}
			if p.end {
				return e.end(nil)
			}
		}
		if err != nil {
			return e.end(err)
		}
	}
}

// pieces decodes an event, or a line: mostly one message. Some servers send events without any, several in one where
// the empty lines between events are missing, or all of them as a list.
func (e *exchange) pieces(data []byte) ([]piece, error) {
	p, bad := e.piece(data)
	if bad == nil {
		return []piece{p}, nil
	}
	var several []json.RawMessage
	if json.Unmarshal(data, &several) != nil {
		for line := range bytes.Lines(data) {
			several = append(several, line)
		}
	}
	var pieces []piece
	for _, one := range several {
		p, err := e.piece(one)
		if err != nil {
			return nil, bad
		}
		pieces = append(pieces, p)
	}
	return pieces, nil
}

// piece decodes a message. One without data says nothing, and one of each protocol may be the end of OpenAI's.
func (e *exchange) piece(data []byte) (piece, error) {
	data = bytes.TrimSpace(data)
	switch string(bytes.Trim(data, `"`)) {
	case "", "null":
		return piece{}, nil
	case "[DONE]":
		return piece{end: true}, nil
	}
	return e.client.codec.decode(data)
}

// receive adds one message to the answer.
func (e *exchange) receive(p piece) *failure {
	if name := e.label(p.model); name != "" {
		e.answer.Model = name
	}
	if fingerprint := e.label(p.fingerprint); fingerprint != "" {
		e.answer.Fingerprint = fingerprint
	}
	// A later message may repeat only one of the two counts.
	if p.input > 0 {
		e.answer.InputTokens = p.input
	}
	if p.output > 0 {
		e.answer.OutputTokens = p.output
	}
	e.answer.CachedTokens = max(e.answer.CachedTokens, p.cached)
	e.answer.ReasoningTokens = max(e.answer.ReasoningTokens, p.reasoning)
	if e.said == 0 && p.text == "" {
		p.text = p.whole
	}
	e.said += len(p.text)
	e.repeated(p)
	if e.raw += len(p.text) + len(p.thinking); e.raw > maxAnswer {
		return e.oversized(errTooLong)
	}
	e.emitThinking(e.veil.add(p.thinking))
	e.emit(e.hide.add(p.text))
	switch {
	case p.failed != nil && !e.done:
		return e.serverError(p.failed)
	case p.failed != nil:
		p.odd = append(p.odd, "an error after the end: "+p.failed.message)
	}
	e.finish(p)
	return nil
}

// fewestAlike is how many pieces alike, after a first one, are a model that repeats itself: beyond thirty Ollama ends the
// stream, without another word.
const fewestAlike = 30

// repeated counts pieces of an answer that are the same as the one before.
func (e *exchange) repeated(p piece) {
	switch text := strings.TrimSpace(p.text + p.thinking); {
	case p.text+p.thinking == "":
	case text == e.last:
		e.alike++
	default:
		e.last, e.alike = text, 0
	}
}

// fromOllama reports whether Ollama answers, by whatever protocol.
func (e *exchange) fromOllama() bool {
	return e.client.model.Provider == ProviderOllama || e.answer.Fingerprint == ollamaPrint
}

// finish notes what a message says about the answer: what is odd about it, and why it ended.
func (e *exchange) finish(p piece) {
	for _, name := range p.tools {
		p.odd = append(p.odd, "a call of the tool "+name+", which was not offered")
	}
	for _, odd := range p.odd {
		if odd = e.label(odd); !slices.Contains(e.answer.Odd, odd) && len(e.answer.Odd) < mostOdd {
			e.answer.Odd = append(e.answer.Odd, odd)
		}
	}
	if reason := e.label(p.finish); reason != "" && !e.done {
		e.answer.FinishReason = reason
		e.done = true
		e.watch.expect("no usage followed", trailer, "idle_timeout")
	}
}

// label cleans a word of the server that is shown and recorded with the answer.
func (e *exchange) label(word string) string { return oneLine(e.cred.hide.text(word), 200) }

// emit passes text on.
func (e *exchange) emit(text string) {
	e.text.WriteString(text)
	if text != "" && e.delta != nil {
		e.delta(text)
	}
}

// emitThinking passes thinking on.
func (e *exchange) emitThinking(text string) {
	if e.thinking.WriteString(text); text != "" {
		e.think(text)
	}
}

// readWhole reads an answer from a server that does not stream.
func (e *exchange) readWhole(r io.Reader) (Answer, *failure) {
	data, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err != nil {
		return Answer{}, e.cutOff(err)
	}
	if len(data) > maxAnswer {
		return Answer{}, e.oversized(errTooLong)
	}
	pieces, bad := e.pieces(data)
	if bad != nil {
		return Answer{}, e.garbage(data, bad)
	}
	for _, p := range pieces {
		if failed := e.receive(p); failed != nil {
			return Answer{}, failed
		}
	}
	e.answer.Whole = true
	return e.end(nil)
}

// end returns what has arrived if that is a whole answer: one with a finish reason, or, as the providers' own clients
// take it, one whose end the server marked otherwise.
func (e *exchange) end(err error) (Answer, *failure) {
	if !e.done && errors.Is(err, io.EOF) && e.fromOllama() && e.alike >= fewestAlike {
		e.finish(piece{finish: finishLoop})
	}
	if !e.done && err == nil && e.raw > 0 {
		e.finish(piece{finish: finishNone, odd: []string{"no finish reason"}})
	}
	if !e.done {
		return Answer{}, e.cutOff(err)
	}
	return e.complete(), nil
}

func (e *exchange) complete() Answer {
	e.emitThinking(e.veil.rest())
	e.emit(e.hide.rest())
	e.answer.Text, e.answer.Thinking = e.cred.hide.finished(e.text.String()), e.cred.hide.finished(e.thinking.String())
	if e.answer.Model == "" {
		e.answer.Model = e.client.model.Model
	}
	return e.answer
}
