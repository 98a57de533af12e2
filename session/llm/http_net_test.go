package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"assay/data/fatal"
)

// These tests run in a bubble with a fake clock, over pipes, so that time-outs of minutes and delays
// between retries take no time.

const testKey = "sk-very-secret-0123456789"

// pipes is a network of one server.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.closed); return nil } // the server closes its listener once
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve starts a server and returns the dependencies that reach it.
func serve(t *testing.T, handler http.HandlerFunc) Deps {
	t.Helper()
	p := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A server detects a disconnected client only after it has read the body.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	})}
	go server.Serve(p)
	deps := via(t, p.dial)
	t.Cleanup(func() { server.Close() })
	return deps
}

func via(t *testing.T, dial func(context.Context, string, string) (net.Conn, error)) Deps {
	transport := &http.Transport{DialContext: dial}
	t.Cleanup(transport.CloseIdleConnections)
	return Deps{
		Transport: transport,
		Getenv:    func(name string) string { return map[string]string{"TEST_KEY": testKey}[name] },
		Random:    func() float64 { return 0.5 },
	}
}

func testModel() Model {
	return Model{Name: "m", Provider: ProviderOpenAI, BaseURL: "http://model.test/v1", Model: "coder-1", APIKeyEnv: "TEST_KEY"}
}

// ask sends one request and returns the result and the joined deltas.
func ask(t *testing.T, ctx context.Context, m Model, deps Deps) (Answer, string, error) {
	t.Helper()
	client, err := m.Client(deps)
	fatal.If(t, err)
	var deltas strings.Builder
	answer, err := client.Stream(ctx, Request{Messages: []Message{{User, "write f"}}}, func(s string) { deltas.WriteString(s) })
	return answer, deltas.String(), err
}

func events(w http.ResponseWriter, datas ...string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, d := range datas {
		fmt.Fprintf(w, "data: %s\n\n", d)
	}
	w.(http.Flusher).Flush()
}

func chunk(text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"model":"coder-1-0926","choices":[{"delta":{"content":%s}}]}`, quoted)
}

const (
	finish = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
	usage  = `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5}}`
	done   = "[DONE]"
)

func jsonError(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}
