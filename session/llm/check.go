package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Checked is the result of a small test request to a model.
type Checked struct {
	OK     bool
	Answer Answer
	Err    error // why there is no answer

	FirstByte time.Duration // until the first byte of the answer; 0 if there was none
	FirstText time.Duration // until the first text
	Total     time.Duration

	// Drop lists the settings without which the model answered, after the server had rejected the request
	// because of them.
	Drop []string
	// Notes are sentences about what the server ignores, rejects or does not report.
	Notes []string
}

// Check sends a small request to m, and repeats it without the settings that the server rejects to find out
// whether the others work. It asks for the first answer to the given task, which matters only for recorded
// answers.
func (m Model) Check(ctx context.Context, deps Deps, task string) Checked {
	deps = deps.EnsureDefaults()
	got, try := m.tryOnce(ctx, deps, task), m
	var failed *Error
	errors.As(got.Err, &failed)
	for failed != nil && len(failed.Refused) > 0 {
		more := slices.DeleteFunc(slices.Clone(failed.Refused), func(name string) bool {
			return try.drops(name) || !slices.Contains(m.provider().mayDrop(), name)
		})
		if len(more) == 0 {
			return got
		}
		try.Drop = append(slices.Clone(try.Drop), more...)
		again := try.tryOnce(ctx, deps, task)
		if again.OK {
			got.Drop = try.Drop[len(m.Drop):]
			got.Notes = append(got.Notes, fmt.Sprintf("it answers without %s: add drop = [%s] to this model in the models file, or correct what stands there",
				strings.Join(got.Drop, " and "), quotedList(try.Drop)))
			return got
		}
		failed = nil
		errors.As(again.Err, &failed)
	}
	return got
}

// tryOnce sends the request.
func (m Model) tryOnce(ctx context.Context, deps Deps, task string) Checked {
	var got Checked
	var firstByte atomic.Int64
	start := deps.Now()
	since := func() time.Duration { return max(deps.Now().Sub(start), 1) }
	deps.Transport = &watchedTransport{m.transport(deps.Transport), func() { firstByte.CompareAndSwap(0, int64(since())) }}
	client, err := m.Client(deps)
	if err != nil {
		got.Err = err
		return got
	}
	request := Request{Messages: []Message{{Role: User, Text: "Answer with the single word ready."}}, Task: task, Attempt: 1, trial: true}
	got.Answer, got.Err = client.Stream(ctx, request, func(string) {
		if got.FirstText == 0 {
			got.FirstText = since()
		}
	})
	got.Total, got.FirstByte = since(), time.Duration(firstByte.Load())
	if got.OK = got.Err == nil; got.OK {
		got.Notes = m.notes(got.Answer)
		if holds := m.ContextSize(ctx, deps); holds > 0 {
			got.Notes = append(got.Notes, fmt.Sprintf("its context holds %d tokens%s", holds, m.cutAdvice(got.Answer)))
		}
	}
	return got
}

// cutAdvice says what Ollama does with longer prompts.
func (m Model) cutAdvice(a Answer) string {
	const part = ": of a longer prompt Ollama reads a part, without a word; "
	switch {
	case m.Provider == ProviderOllama:
		return part + "num_ctx in the models file raises it, as far as the model was trained"
	case a.Fingerprint == ollamaPrint:
		return part + `with provider = "ollama" num_ctx raises it, as far as the model was trained`
	}
	return ""
}

// notes describes what an answer reveals about the server.
func (m Model) notes(a Answer) []string {
	var notes []string
	for _, host := range a.Refused {
		notes = append(notes, fmt.Sprintf("it asked for %s, which hosts does not name, and did not get there", host))
	}
	if !m.OverHTTP() {
		return notes
	}
	if a.InputTokens == 0 && a.OutputTokens == 0 {
		notes = append(notes, "it reports no token counts, so that costs and limits cannot be reckoned")
	}
	for _, field := range a.GaveUp {
		notes = append(notes, fmt.Sprintf("it refuses %s, which costs a request each time: add drop = [%s] to this model in the models file", field, quotedList(append(slices.Clone(m.Drop), field))))
	}
	if a.Whole {
		notes = append(notes, "it does not stream: an answer appears when it is complete")
	}
	if m.Provider == ProviderOpenAI && m.Seed != nil && !m.drops("seed") && a.Fingerprint == "" {
		notes = append(notes, "it does not say whether it uses the seed (there is no system_fingerprint): the same seed may give other answers")
	}
	if m.MaxTokens != nil && !m.drops("max_tokens") && a.OutputTokens > *m.MaxTokens {
		notes = append(notes, fmt.Sprintf("it ignores max_tokens: %d tokens came, %d were allowed", a.OutputTokens, *m.MaxTokens))
	}
	if a.FinishReason == "length" {
		notes = append(notes, "the answer was cut at its longest: max_tokens is small, or the model thinks at length")
	}
	if a.FinishReason == "refusal" || a.FinishReason == "content_filter" {
		notes = append(notes, "it refused a harmless request ("+a.FinishReason+")")
	}
	for _, odd := range a.Odd {
		notes = append(notes, "it answers oddly: "+odd)
	}
	if strings.TrimSpace(a.Text) == "" && len(a.Odd) == 0 {
		notes = append(notes, "the answer is empty")
	}
	if a.Model != "" && !strings.Contains(strings.ToLower(a.Model), strings.ToLower(m.Model)) && !strings.Contains(strings.ToLower(m.Model), strings.ToLower(a.Model)) {
		notes = append(notes, fmt.Sprintf("it was asked for the model %s and reports %s: it may serve whatever is loaded", oneLine(m.Model, 80), oneLine(a.Model, 80)))
	}
	return notes
}

// watchedTransport signals when the first byte of a successful response's body arrives.
type watchedTransport struct {
	http.RoundTripper
	arrived func()
}

func (w *watchedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := w.RoundTripper.RoundTrip(r)
	if err == nil && res.StatusCode == http.StatusOK {
		res.Body = struct {
			io.Reader
			io.Closer
		}{&liveReader{r: res.Body, alive: w.arrived}, res.Body}
	}
	return res, err
}
