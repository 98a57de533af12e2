package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// codec is one provider's protocol over HTTP. It is stateless: connections, time-outs, retries and errors
// are the same for all.
type codec interface {
	// endpoint is the URL for requests to the model, given a base URL without a trailing slash.
	endpoint(base string, m Model) string
	// authorise sets the key, which may be empty, and other headers that the protocol requires.
	authorise(h http.Header, key string)
	// form is the form of the first request.
	form(m Model) form
	// body is the request, to be encoded as JSON.
	body(m Model, req Request, f form) map[string]any
	// wire is the protocol's name for a parameter.
	wire(parameter string) string
	// decode decodes one message of a response. It returns an error if data is not one.
	decode(data []byte) (piece, error)
}

// completed returns the URL of requests, root and path below a base URL that may end in root, or in both, already.
func completed(base, root, path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(base, root+path), root) + root + path
}

// eventSource yields the messages of a stream. final reports that the stream ended before the delimiter of
// this message: servers often omit it after the last message, so the message is delivered, but it may be
// cut. At the end of the stream err is io.EOF.
type eventSource interface {
	next() (data []byte, final bool, err error)
}

// piece is the content of one message of a response in provider-independent terms.
type piece struct {
	text          string
	whole         string // the text so far, which counts if no piece of it has come
	thinking      string // before the answer, and no part of it
	model         string
	fingerprint   string
	finish        string // one of the values of Answer.FinishReason
	odd           []string
	tools         []string // that it calls, though none was offered
	input, output int      // tokens; 0 if the message does not say
	cached        int      // of input
	reasoning     int      // of output
	end           bool     // nothing follows
	failed        *reported
}

// reported is an error that a server sent instead of an answer or in the middle of one.
type reported struct {
	class   Class
	message string
}

// form is a variant of a request; servers differ in what they accept.
type form struct {
	usage     bool // request the usage with stream_options
	oldLength bool // send max_tokens rather than max_completion_tokens
	whole     bool // ask for the answer in one piece
}

// without returns the form to try next after an error that names a field of f, and the name of the field
// that was given up. Each field is given up at most once, so retrying ends.
func (f form) without(failed *failure) (next form, gaveUp string, ok bool) {
	if failed.status != 400 && failed.status != 422 {
		return f, "", false
	}
	switch {
	case f.usage && (strings.Contains(failed.body, streamOptions) || strings.Contains(failed.body, "include_usage")):
		f.usage = false
		return f, streamOptions, true
	case !f.whole && refusesStream.MatchString(failed.body):
		f.whole, f.usage = true, false
		return f, streamField, true
	case f.oldLength && strings.Contains(failed.body, "max_completion_tokens"):
		f.oldLength = false
		return f, "", true
	}
	return f, "", false
}

// refusesStream and refusesSystem match errors of servers that do not stream, or take no system message.
var (
	refusesStream = regexp.MustCompile(`(?i)"param": *"stream"|to stream this model|stream(ing)?\b[^.]{0,40}\bnot (be )?(supported|allowed|available)|not support stream`)
	refusesSystem = regexp.MustCompile(`(?i)system\b[^.]{0,30}\b(role|messages?|prompts?)\b[^.]{0,40}\bnot (be )?(supported|allowed)|not support[^.]{0,30}\bsystem|developer instruction is not enabled`)
)

// refusedParameters lists the parameters sent that a server's error names.
func refusedParameters(c codec, m Model, failed *failure) []string {
	if m.System != "" && !m.drops(systemField) && refusesSystem.MatchString(failed.body) {
		return []string{systemField}
	}
	if failed.status != 400 && failed.status != 422 {
		return nil
	}
	var names []string
	for _, p := range m.sampling(0) {
		pattern := `(?i)\b(` + regexp.QuoteMeta(p.name) + `|` + regexp.QuoteMeta(c.wire(p.name)) + `)\b`
		if slices.Contains(ofThinking, p.name) {
			pattern = `(?i)\b(think|thinking|reasoning)(\b|[_.])`
		}
		if regexp.MustCompile(pattern).MatchString(failed.body) {
			names = append(names, p.name)
		}
	}
	return names
}

// ofThinking are the settings of how much a model thinks, which servers refuse in words of their own.
var ofThinking = []string{"reasoning_effort", "thinking_tokens", "think"}

// splitSystem separates the system messages from a conversation, for protocols that send them separately.
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

// wireMessage is a message in the format that most protocols share.
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

// content is a string, null, or a list of parts of which only those of type text and thinking count.
type content struct{ text, thinking string }

func (c *content) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(data, []byte("[")) {
		return json.Unmarshal(data, &c.text)
	}
	var parts []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"` // a text, or a list of parts
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		switch p.Type {
		case "text":
			c.text += p.Text
		case "thinking":
			var thought content
			_ = json.Unmarshal(p.Thinking, &thought) // of another type it counts as absent
			c.thinking += thought.text
		}
	}
	return nil
}

// word is a string; a value of another type counts as its JSON.
type word string

func (w *word) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*w = word(s)
	return nil
}

// tokens is a number of tokens; 0 means not reported, which any other value counts as, too.
type tokens int

func (t *tokens) UnmarshalJSON(data []byte) error {
	f, _ := strconv.ParseFloat(string(bytes.Trim(data, `"`)), 64) // some servers send 101.0, or "101"
	*t = tokens(min(max(f, 0), 1<<53))
	return nil
}

// decodeFields decodes a message. A field of another type than expected counts as absent, as in the clients of the
// providers themselves, unless it is one of those given, which the answer is in.
func decodeFields(data []byte, v any, answer ...string) error {
	err := json.Unmarshal(data, v)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) && other.Field != "" {
		top, _, _ := strings.Cut(other.Field, ".")
		if !slices.Contains(answer, top) {
			return nil
		}
	}
	return err
}
