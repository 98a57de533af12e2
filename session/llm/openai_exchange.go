package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strings"
	"syscall"
	"time"
)

// trailer is how long to wait for the usage after the finish reason.
const trailer = 5 * time.Second

// failure is an exchange that failed, with what decides whether to try again.
type failure struct {
	*Error
	status int           // of the response, 0 where there was none
	body   string        // of an error response
	retry  bool          // the same request may be sent again
	after  time.Duration // what the server asked to wait
}

// exchange is one request and what came of it.
type exchange struct {
	client *openAI
	watch  *watchdog
	delta  func(string)

	answer Answer
	text   strings.Builder
	done   bool // a finish reason arrived
}

// exchange sends body once.
func (o *openAI) exchange(ctx context.Context, key string, body []byte, delta func(string)) (Answer, *failure) {
	ctx, watch := newWatchdog(ctx)
	defer watch.stop()
	e := &exchange{client: o, watch: watch, delta: delta}
	answer, failed := e.run(ctx, key, body)
	if failed == nil {
		return answer, nil
	}
	failed.Partial = e.text.String()
	var late *expired
	if errors.As(context.Cause(ctx), &late) {
		failed = &failure{Error: late.timeoutError("asked "+o.host+" for an answer", e.text.String())}
	}
	return Answer{}, failed
}

func (e *exchange) run(ctx context.Context, key string, body []byte) (Answer, *failure) {
	model := e.client.model
	e.watch.expect("no connection", model.ConnectTimeout.orDefault(defaultConnect), "connect_timeout")
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { e.alive() }})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.client.endpoint, bytes.NewReader(body))
	if err != nil {
		return Answer{}, &failure{Error: &Error{Class: BadRequest, Message: "could not write a request to " + e.client.host, Advice: "check base_url in the models file", Err: err}}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for name, value := range model.Headers {
		req.Header.Set(name, value)
	}
	// A redirect is never followed: a login page would answer in the model's
	// place, and the key could go to another host.
	res, err := e.client.deps.Transport.RoundTrip(req)
	if err != nil {
		return Answer{}, e.noConnection(err)
	}
	defer res.Body.Close()
	e.alive()
	stream := &liveReader{r: res.Body, alive: e.alive}
	if res.StatusCode != http.StatusOK {
		return Answer{}, e.refused(res, stream)
	}
	switch kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind {
	case "text/event-stream":
		return e.readStream(stream)
	case "application/json":
		return e.readWhole(stream)
	default:
		return Answer{}, e.notAModel(kind, stream)
	}
}

// alive begins the idle limit anew; after the finish reason it no longer does.
func (e *exchange) alive() {
	if !e.done {
		e.watch.expect("nothing arrived", e.client.model.IdleTimeout.orDefault(defaultIdle), "idle_timeout")
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

// readStream reads server-sent events to their end. The answer is complete if
// and only if a finish reason came.
func (e *exchange) readStream(r io.Reader) (Answer, *failure) {
	events := newSSEReader(r)
	for {
		data, final, err := events.next()
		if err == nil && final && !json.Valid(data) && string(bytes.TrimSpace(data)) != "[DONE]" {
			err = io.ErrUnexpectedEOF // the stream ended within this chunk
		}
		if err != nil || string(bytes.TrimSpace(data)) == "[DONE]" {
			if e.done {
				return e.complete(), nil
			}
			return Answer{}, e.cutOff(err)
		}
		if failed := e.take(data); failed != nil {
			return Answer{}, failed
		}
	}
}

// take adds one chunk to the answer.
func (e *exchange) take(data []byte) *failure {
	var chunk reply
	if err := json.Unmarshal(data, &chunk); err != nil {
		return e.garbage(data, err)
	}
	if len(chunk.Error) > 0 && string(chunk.Error) != "null" {
		return e.serverError(data)
	}
	if chunk.Model != "" {
		e.answer.Model = chunk.Model
	}
	if chunk.Usage != nil {
		e.answer.InputTokens, e.answer.OutputTokens = chunk.Usage.PromptTokens, chunk.Usage.CompletionTokens
	}
	if len(chunk.Choices) == 0 {
		return nil
	}
	choice := chunk.Choices[0]
	piece := string(choice.Delta.Content) + string(choice.Message.Content)
	if e.text.Len()+len(piece) > maxAnswer {
		return e.oversized(errTooLong)
	}
	e.text.WriteString(piece)
	if piece != "" && e.delta != nil {
		e.delta(piece)
	}
	if choice.FinishReason == "error" {
		return e.serverError(data)
	}
	if choice.FinishReason != "" && !e.done {
		e.answer.FinishReason = choice.FinishReason
		e.done = true
		e.watch.expect("no usage followed", trailer, "idle_timeout")
	}
	return nil
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
	if failed := e.take(data); failed != nil {
		return Answer{}, failed
	}
	if !e.done {
		return Answer{}, e.cutOff(nil)
	}
	return e.complete(), nil
}

func (e *exchange) complete() Answer {
	e.answer.Text = e.text.String()
	if e.answer.Model == "" {
		e.answer.Model = e.client.model.Model
	}
	return e.answer
}

// noConnection words a request that got no response.
func (e *exchange) noConnection(err error) *failure {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return &failure{retry: true, Error: &Error{
			Class: Unreachable, Message: e.client.host + " refused the connection",
			Advice: "is the model server running? try again, or use another model", Err: err,
		}}
	}
	return &failure{Error: &Error{
		Class: Unreachable, Message: fmt.Sprintf("could not reach %s (%s)", e.client.host, oneLine(err.Error(), 200)),
		Advice: "check the network and base_url in the models file", Err: err,
	}}
}
