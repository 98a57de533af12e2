package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// codec is what tells one provider's protocol over HTTP from another's. It holds
// nothing: connections, time-outs, retries and errors are the same for all.
type codec interface {
	// endpoint is where requests are sent, for a base address without a slash at its end.
	endpoint(base string) string
	// authorise writes the key, which may be empty, and what else the protocol wants.
	authorise(h http.Header, key string)
	// form is how the first request is written.
	form(m Model) form
	// body is the request, to be written as JSON.
	body(m Model, req Request, f form) map[string]any
	// wire is the protocol's name for a parameter.
	wire(parameter string) string
	// events cuts a response into messages. It is nil where responses of this content
	// type are one message, and ok is false where no model sends such.
	events(kind string, r io.Reader) (source eventSource, ok bool)
	// decode reads one message of a response. Its error says that it is none.
	decode(data []byte) (piece, error)
}

// eventSource gives the messages of a stream. final says that the stream ended before the mark
// that ends a message: servers are lax about it after their last one, so it is
// delivered, but it may have been cut. At the end of the stream err is io.EOF.
type eventSource interface {
	next() (data []byte, final bool, err error)
}

// piece is what one message of a response says, in the terms that all providers share.
type piece struct {
	text          string
	model         string
	fingerprint   string
	finish        string // in the words of Answer.FinishReason
	input, output int    // tokens; 0 where the message does not say
	end           bool   // nothing follows
	failed        *reported
}

// reported is an error that a server sent in place of an answer or in the midst of one.
type reported struct {
	class Class
	said  string
}

// form is how a request is written; servers differ in what they accept.
type form struct {
	usage     bool // ask for the usage with stream_options
	oldLength bool // say max_tokens, and not max_completion_tokens
}

// without is the form to try next after a refusal that names a field of f, and the name
// of what was given up. Each field is given up once, so that this ends.
func (f form) without(failed *failure) (next form, gaveUp string, ok bool) {
	if failed.status != 400 && failed.status != 422 {
		return f, "", false
	}
	switch {
	case f.usage && (strings.Contains(failed.body, streamOptions) || strings.Contains(failed.body, "include_usage")):
		f.usage = false
		return f, streamOptions, true
	case f.oldLength && strings.Contains(failed.body, "max_completion_tokens"):
		f.oldLength = false
		return f, "", true
	}
	return f, "", false
}

// refusedParameters lists which of the parameters that were sent a refusal names.
func refusedParameters(c codec, m Model, failed *failure) []string {
	if failed.status != 400 && failed.status != 422 {
		return nil
	}
	var names []string
	for _, p := range m.sampling(0) {
		pattern := `(?i)\b(` + regexp.QuoteMeta(p.name) + `|` + regexp.QuoteMeta(c.wire(p.name)) + `)\b`
		if regexp.MustCompile(pattern).MatchString(failed.body) {
			names = append(names, p.name)
		}
	}
	return names
}

// splitSystem takes the system messages out of a conversation, for protocols that send
// them apart.
func splitSystem(messages []Message) (system string, rest []Message) {
	var texts []string
	for _, m := range messages {
		if m.Role == System {
			texts = append(texts, m.Text)
		} else {
			rest = append(rest, m)
		}
	}
	return strings.Join(texts, "\n\n"), rest
}

// finishReason translates a provider's word into those of Answer.FinishReason, on which
// depends whether people are told that an answer lacks its end. Servers that speak
// OpenAI's protocol pass on words of the model behind them; unknown words stay as they are.
func finishReason(word string) string {
	switch strings.ToLower(word) {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete":
		return "stop"
	case "length", "max_tokens", "max_output_tokens", "max_length", "model_length", "model_context_window_exceeded":
		return "length"
	case "content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii", "guardrail_intervened":
		return "content_filter"
	}
	return word // "refusal" among them
}

// wireMessage is a turn as all three protocols write it.
type wireMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func wireMessages(messages []Message) []wireMessage {
	list := []wireMessage{}
	for _, m := range messages {
		list = append(list, wireMessage{m.Role, m.Text})
	}
	return list
}

// text is a string, null, or a list of parts of which those of type text count.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("[")) {
		var parts []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(data, &parts); err != nil {
			return err
		}
		for _, p := range parts {
			if p.Type == "text" {
				*t += text(p.Text)
			}
		}
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// serverMessage finds what a server says in the body of an error: {"error":
// {"message": …}}, {"error": "…"}, {"message": …} or {"detail": …}.
func serverMessage(body []byte) (string, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return "", false
	}
	for _, name := range []string{"error", "message", "detail"} {
		raw, ok := fields[name]
		if !ok || string(raw) == "null" {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s, true
		}
		if inner, ok := serverMessage(raw); ok {
			return inner, true
		}
		return string(raw), true
	}
	return "", false
}

// count is a number of tokens; what a server should never send counts as not said.
func count(n int) int { return max(n, 0) }
