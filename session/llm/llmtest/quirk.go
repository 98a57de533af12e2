package llmtest

import (
	"cmp"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing/iotest"
	"time"
)

// The providers of rows, as a models file names them.
const (
	openAI    = "openai"
	anthropic = "anthropic"
	ollama    = "ollama"
	responses = "responses"
	gemini    = "gemini"
)

// Response is what a server sends.
type Response struct {
	Status int               // 0: 200
	Kind   string            // content type; "": that of the provider's streams; "none": no such header
	Header map[string]string // further headers
	Body   string
}

// Quirk is a row: what a server sends to every request, and what becomes of it.
type Quirk struct {
	Provider, Name string
	Before         []Response // to the first requests, one each
	Kind           string     // like those of Response
	Status         int
	Header         map[string]string
	Body           string

	Text, Thinking, Finish string
	In, Out                int    // tokens
	Cached, Reasoning      int    // of them
	Odd                    string // what is said about the answer, or the error; "": nothing

	Class  string        // of the error; "": it is an answer
	Advice string        // words of the error's advice
	Again  bool          // the client itself sends the request again after the error
	Final  bool          // an error that a batch does not ask again for, either
	GaveUp string        // what the server rejected in the first request and the client then left out
	Waits  time.Duration // at least, before the second request
}

// Quirks returns all rows.
func Quirks() []Quirk {
	return slices.Concat(openAIQuirks(), openAIStreams(), finishQuirks(), anthropicQuirks(), ollamaQuirks(), responsesQuirks(), geminiQuirks(), refusals(), retries())
}

// of completes rows of a provider.
func of(provider, prefix string, all []Quirk) []Quirk {
	kind := "text/event-stream"
	if provider == ollama {
		kind = "application/x-ndjson"
	}
	for i := range all {
		q := &all[i]
		q.Provider, q.Kind = cmp.Or(q.Provider, provider), cmp.Or(q.Kind, kind)
		if prefix != "" {
			q.Name = prefix + ": " + q.Name
		}
		switch q.Class {
		case "auth", "quota", "bad_request", "too_long", "filtered":
			q.Final = true
		case "not_a_model":
			q.Final = q.Final || q.Status >= 300
		}
	}
	return all
}

// Base is the address of the row's server in a models file.
func (q Quirk) Base() string {
	if q.Provider == openAI {
		return "http://model.test/v1"
	}
	return "http://model.test"
}

// Flags returns the flags of a batch's answer.
func (q Quirk) Flags() []string {
	var all []string
	if q.Text == "" && q.Finish != "tool_calls" {
		all = append(all, "empty")
	} else if q.Text != "" {
		all = append(all, "no_code")
	}
	switch q.Finish {
	case "refusal", "content_filter":
		all = append(all, "refusal")
	case "length", "repetition":
		all = append(all, "truncated")
	case "tool_calls":
		return append(all, "tool_call")
	}
	if q.Odd != "" {
		all = append(all, "odd")
	}
	return all
}

// Server answers as the row says. It is safe for concurrent use.
type Server struct {
	quirk Quirk

	mu    sync.Mutex
	asked []time.Time
}

// Server returns a server of the row, as the transport of its client.
func (q Quirk) Server() *Server { return &Server{quirk: q} }

// Asked returns when the server was asked for an answer.
func (s *Server) Asked() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// RoundTrip implements http.RoundTripper. Bodies arrive byte by byte. What a model's context holds, and which models
// there are, the server does not tell.
func (s *Server) RoundTrip(req *http.Request) (*http.Response, error) {
	q := s.quirk
	r := Response{q.Status, q.Kind, q.Header, q.Body}
	if req.Method == http.MethodGet || strings.HasSuffix(req.URL.Path, "/api/show") {
		r = Response{Status: http.StatusNotFound}
	} else {
		s.mu.Lock()
		if n := len(s.asked); n < len(q.Before) {
			r = q.Before[n]
		}
		s.asked = append(s.asked, time.Now())
		s.mu.Unlock()
	}
	if req.Body != nil {
		_ = req.Body.Close()
	}
	res := &http.Response{StatusCode: cmp.Or(r.Status, http.StatusOK), Header: http.Header{}, Request: req,
		Body: io.NopCloser(iotest.OneByteReader(strings.NewReader(r.Body)))}
	if kind := cmp.Or(r.Kind, q.Kind); kind != "none" {
		res.Header.Set("Content-Type", kind)
	}
	for name, value := range r.Header {
		res.Header.Set(name, value)
	}
	return res, nil
}

// sse frames data as events.
func sse(data ...string) string {
	var b strings.Builder
	for _, one := range data {
		b.WriteString("data: " + one + "\n\n")
	}
	return b.String()
}
