package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
)

// Embedder requests embedding vectors of texts from a server. Connections, time-outs, retries, errors and
// the redaction of keys are those of the client for answers.
type Embedder struct{ client *httpClient }

// embeddedAtOnce is the largest number of texts in one request: servers reject long lists, and a failed
// request is paid for again.
const embeddedAtOnce = 64

// Embedder returns an embedder for m, which must be an embedding model.
func (m Model) Embedder(deps Deps) (*Embedder, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if !m.Embeddings {
		return nil, fmt.Errorf("the model %q answers prompts: name one for embeddings, which has embeddings = true in the models file", m.Name)
	}
	return &Embedder{newHTTPClient(m, deps.EnsureDefaults(), m.provider().embeddings)}, nil
}

// Embed embeds texts in batches. It passes each batch to done as soon as it arrives; from is the index of
// its first text. All vectors are finite and have the same length. The error is an *Error, ctx's, or
// done's.
func (e *Embedder) Embed(ctx context.Context, texts []string, done func(from int, vectors [][]float64) error) error {
	length := 0
	for from := 0; from < len(texts); from += embeddedAtOnce {
		batch := texts[from:min(from+embeddedAtOnce, len(texts))]
		var req Request
		for _, text := range batch {
			req.Messages = append(req.Messages, Message{Role: User, Text: text})
		}
		answer, err := e.client.Stream(ctx, req, nil)
		if err != nil {
			return err
		}
		vectors, err := vectorsOf(answer.Text, len(batch), length)
		if err != nil {
			return &Error{Class: NotAModel, Message: fmt.Sprintf("%s sent embeddings that cannot be used: %v", e.client.host, err),
				Advice: "check model and base_url in the models file: is it a model for embeddings?", Err: err}
		}
		length = len(vectors[0])
		if err := done(from, vectors); err != nil {
			return err
		}
	}
	return nil
}

// embedded is a response in either protocol.
type embedded struct {
	Data []struct {
		Index  *int       `json:"index"`
		Vector []*float64 `json:"embedding"` // some servers write null for a number that JSON cannot represent
	} `json:"data"`
	Embeddings [][]*float64    `json:"embeddings"`
	Model      string          `json:"model"`
	Error      json.RawMessage `json:"error"`
}

// vectorsOf decodes a response that was checked before: n vectors of the given length, or of any length if
// it is 0.
func vectorsOf(text string, n, length int) ([][]float64, error) {
	var r embedded
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return nil, err
	}
	sent := r.Embeddings
	if r.Data != nil {
		sent = make([][]*float64, len(r.Data))
		for i, d := range r.Data {
			at := i
			if d.Index != nil {
				at = *d.Index
			}
			if at < 0 || at >= len(sent) || sent[at] != nil {
				return nil, fmt.Errorf("the index %d matches no text, or one that already has a vector", at)
			}
			sent[at] = d.Vector
		}
	}
	if len(sent) != n {
		return nil, fmt.Errorf("there are %d vectors for %d texts", len(sent), n)
	}
	vectors := make([][]float64, n)
	for i := range sent {
		for _, x := range sent[i] {
			if x == nil {
				return nil, fmt.Errorf("vector %d contains something other than a number", i)
			}
			vectors[i] = append(vectors[i], *x)
		}
	}
	for i, v := range vectors {
		if length == 0 {
			length = len(v)
		}
		if len(v) != length || length == 0 {
			return nil, fmt.Errorf("vector %d has %d numbers, and the first has %d", i, len(v), length)
		}
		sum := 0.0
		for _, x := range v {
			sum += x * x
		}
		if !(sum > 0) || math.IsInf(sum, 0) {
			return nil, fmt.Errorf("vector %d has no direction: all its numbers are 0, or they are too large", i)
		}
	}
	return vectors, nil
}

// decodeEmbedded accepts a response as a whole; vectorsOf decodes its vectors.
func decodeEmbedded(data []byte) (piece, error) {
	var r embedded
	if err := json.Unmarshal(data, &r); err != nil {
		return piece{}, err
	}
	if len(r.Error) > 0 && string(r.Error) != "null" {
		return piece{failed: reportedError(data)}, nil
	}
	if r.Data == nil && r.Embeddings == nil {
		return piece{}, errors.New("it has neither data nor embeddings")
	}
	return piece{text: string(data), model: r.Model, finish: "stop", end: true}, nil
}

func inputs(req Request) []string {
	var texts []string
	for _, m := range req.Messages {
		texts = append(texts, m.Text)
	}
	return texts
}

// openAIEmbeddings is the protocol of /v1/embeddings. Server and keys are those of openAI.
type openAIEmbeddings struct{ openAI }

func (openAIEmbeddings) endpoint(base string, _ Model) string {
	return completed(base, "", "/embeddings")
}

func (openAIEmbeddings) form(Model) form { return form{} }

func (openAIEmbeddings) body(m Model, req Request, _ form) map[string]any {
	return map[string]any{"model": m.Model, "input": inputs(req)}
}

func (openAIEmbeddings) decode(data []byte) (piece, error) { return decodeEmbedded(data) }

// ollamaEmbeddings is Ollama's /api/embed. It asks the server not to truncate texts longer than the model's
// context, which the server would not report.
type ollamaEmbeddings struct{}

func (ollamaEmbeddings) endpoint(base string, _ Model) string {
	return completed(base, "/api", "/embed")
}

func (ollamaEmbeddings) authorise(h http.Header, key string) { openAI{}.authorise(h, key) }
func (ollamaEmbeddings) form(Model) form                     { return form{} }
func (ollamaEmbeddings) wire(parameter string) string        { return ollama{}.wire(parameter) }

func (ollamaEmbeddings) body(m Model, req Request, _ form) map[string]any {
	fields := map[string]any{"model": m.Model, "input": inputs(req), "truncate": false}
	if m.NumCtx != nil {
		fields["options"] = map[string]any{"num_ctx": *m.NumCtx}
	}
	return fields
}

func (ollamaEmbeddings) decode(data []byte) (piece, error) { return decodeEmbedded(data) }
