package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
)

// Logged is what assay reads of a log of Inspect (EvalLog of inspect_ai, version 2).
type Logged struct {
	Task    string // of Inspect: a name of the evaluation
	Model   string
	Created time.Time      // zero if the log does not have it
	Samples []LoggedSample // by epoch, those of an epoch as in the log
}

// LoggedSample is a sample of a log: one epoch of a task.
type LoggedSample struct {
	ID       string // of the task
	Epoch    int
	Answer   string          // the model's last output; empty after an error of the model
	Turns    []Turn          // the conversation; one without a prompt for a log that has only the answer
	Scores   map[string]any  // by scorer: "C" and "I" of most, otherwise a number, a truth value, a list or an object
	Seconds  float64         // that the sample took; 0 if the log does not have it
	Error    string          // that ended it; "" otherwise
	Absent   string          // why it has no answer; "" if it has one, which may be empty
	Metadata json.RawMessage // an object

	line int
}

// Turn is what the user said, from one answer to the next, and the last that the model said to it. Messages of the
// system and of tools are left out.
type Turn struct {
	Prompt, Answer string
}

// loggedSample is EvalSample of inspect_ai.
type loggedSample struct {
	ID       json.RawMessage `json:"id"` // text or number
	Epoch    int             `json:"epoch"`
	Messages []loggedMessage `json:"messages"`
	Output   struct {
		Completion string `json:"completion"`
		Choices    []struct {
			Message loggedMessage `json:"message"`
		} `json:"choices"`
		Error string `json:"error"`
	} `json:"output"`
	Scores map[string]struct {
		Value any `json:"value"`
	} `json:"scores"`
	TotalTime float64 `json:"total_time"`
	Events    []struct {
		Timestamp string `json:"timestamp"`
	} `json:"events"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
	Attachments map[string]string `json:"attachments"` // long texts, by their hashes
	Metadata    json.RawMessage   `json:"metadata"`
}

type loggedMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // text, or a list of parts
}

// ReadInspect reads a log of Inspect in its JSON form. Errors are as those of [OpenSamples].
func ReadInspect(path string) (*Logged, error) {
	s, err := OpenSamplesAs(path, InspectSamples, new(benchmark.Benchmark))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if _, err := s.Next(); err != nil && s.logged == nil {
		return nil, err
	}
	return s.logged, nil
}

// isLog reports whether a file begins as a log of Inspect: an object with "eval" after a version.
func isLog(head []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(head))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	for version := false; ; {
		key, err := dec.Token()
		if err != nil || key == json.Delim('}') {
			return false
		}
		if key == "eval" && version {
			value, err := dec.Token()
			return err == nil && value == json.Delim('{')
		}
		version = version || key == "version"
		if dec.Decode(new(json.RawMessage)) != nil {
			return false
		}
	}
}

// inspect reads the samples of a log. One that says in its metadata what its answer is, a [SampleKind], was written by
// assay.
func (s *Samples) inspect(l *lines) error {
	var err error
	if s.logged, err = l.logged(); err != nil {
		return err
	}
	s.read++
	about, err := json.Marshal(map[string]string{"model": s.logged.Model})
	if err != nil {
		return l.fail("eval", err.Error())
	}
	for _, x := range s.logged.Samples {
		if x.Absent != "" {
			s.miss(s.known(x.ID), x.Absent)
			continue
		}
		kind := Answer
		var meta struct {
			Kind SampleKind `json:"kind"`
		}
		if json.Unmarshal(x.Metadata, &meta) == nil && slices.Contains([]SampleKind{Completion, Solution, Patch}, meta.Kind) {
			kind = meta.Kind
		}
		s.queue = append(s.queue, Sample{TaskID: s.known(x.ID), Kind: kind, Text: x.Answer, Path: l.path, Line: x.line, Object: string(about)})
	}
	return nil
}

// logged reads a log and keeps of each sample only what is needed, or returns io.EOF after the last log.
func (l *lines) logged() (*Logged, error) {
	dec := l.doc.dec
	if _, err := l.expect('{'); err != nil {
		return nil, err
	}
	log := &Logged{}
	headed := false
	for dec.More() {
		l.doc.source.allow(dec.InputOffset())
		key, err := dec.Token()
		if err == nil && key == "samples" {
			err = l.loggedSamples(log)
		} else if err == nil {
			var raw json.RawMessage
			if raw, err = l.raw(); err == nil && key == "eval" {
				headed = true
				err = l.head(log, raw)
			}
		}
		var known *LineError
		if errors.As(err, &known) {
			return nil, err
		} else if err != nil {
			return nil, l.documentError(err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, l.documentError(err)
	}
	switch {
	case !headed:
		return nil, l.fail("eval", "this is no log of Inspect: it lacks the field")
	case len(log.Samples) == 0:
		return nil, l.fail("samples", "the log has no samples: write it with them, or convert it by `inspect log convert --to json`")
	}
	slices.SortStableFunc(log.Samples, func(a, b LoggedSample) int { return cmp.Compare(a.Epoch, b.Epoch) })
	return log, nil
}

// expect reads a bracket, or null.
func (l *lines) expect(bracket json.Delim) (null bool, err error) {
	l.doc.source.allow(l.doc.dec.InputOffset())
	switch token, err := l.doc.dec.Token(); {
	case errors.Is(err, io.EOF):
		return false, err
	case err != nil:
		return false, l.documentError(err)
	case token != nil && token != bracket:
		l.line = l.doc.source.lineAt(l.doc.dec.InputOffset())
		return false, l.fail("", fmt.Sprintf("this is no log of Inspect: %v stands where %v is wanted", token, bracket))
	default:
		return token == nil, nil
	}
}

// head reads what the log says of the evaluation.
func (l *lines) head(log *Logged, raw []byte) error {
	var head struct {
		Task    string `json:"task"`
		Model   string `json:"model"`
		Created string `json:"created"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return l.fail("eval", "this is no log of Inspect: "+err.Error())
	}
	log.Task, log.Model, log.Created = head.Task, head.Model, moment(head.Created)
	return nil
}

// loggedSamples reads the list of samples.
func (l *lines) loggedSamples(log *Logged) error {
	switch null, err := l.expect('['); {
	case err != nil:
		return err
	case null:
		return nil
	}
	dec := l.doc.dec
	for i := 0; dec.More(); i++ {
		raw, err := l.raw()
		if err != nil {
			return err
		}
		if err := l.checkText(raw); err != nil {
			return err
		}
		var x loggedSample
		if err := json.Unmarshal(raw, &x); err != nil {
			return l.fail("samples", "this is no log of Inspect: "+err.Error())
		}
		id := bare(x.ID)
		if id == "" || id == "null" || strings.HasPrefix(id, "{") || strings.HasPrefix(id, "[") {
			return l.fail(fmt.Sprintf("samples.%d.id", i), "the field must be the id of a task: add it, as text or number")
		}
		s := LoggedSample{ID: id, Epoch: x.Epoch, Scores: map[string]any{}, Seconds: x.seconds(), Error: x.Error.Message, Metadata: x.Metadata, line: l.line}
		for scorer, score := range x.Scores {
			s.Scores[scorer] = score.Value
		}
		if err := x.read(&s); err != nil {
			return l.fail("samples", fmt.Sprintf("sample %s, epoch %d: %v", clip(id), x.Epoch, err))
		}
		s.Absent = x.absent(s.Answer)
		log.Samples = append(log.Samples, s)
	}
	_, err := dec.Token()
	return err
}

// seconds returns how long the sample took; older logs have only the times of events.
func (x *loggedSample) seconds() float64 {
	if n := len(x.Events); x.TotalTime == 0 && n > 1 {
		return max(0, moment(x.Events[n-1].Timestamp).Sub(moment(x.Events[0].Timestamp)).Seconds())
	}
	return x.TotalTime
}

// moment parses a time; another form is the zero time.
func moment(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

// read sets the answer and the turns.
func (x *loggedSample) read(s *LoggedSample) (err error) {
	if s.Answer, err = x.attached(x.Output.Completion); err != nil {
		return err
	}
	if s.Answer == "" && len(x.Output.Choices) > 0 {
		if s.Answer, err = x.text(x.Output.Choices[0].Message.Content); err != nil {
			return err
		}
	}
	answered := true // the next prompt begins a turn
	for _, m := range x.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			continue
		}
		text, err := x.text(m.Content)
		switch {
		case err != nil:
			return err
		case m.Role == "user" && answered:
			s.Turns, answered = append(s.Turns, Turn{Prompt: text}), false
		case m.Role == "user":
			s.Turns[len(s.Turns)-1].Prompt += "\n\n" + text
		case len(s.Turns) > 0:
			s.Turns[len(s.Turns)-1].Answer, answered = text, true
		}
	}
	if len(s.Turns) == 0 && s.Answer != "" {
		s.Turns = []Turn{{}}
	}
	if n := len(s.Turns); n > 0 {
		s.Turns[n-1].Answer = s.Answer
	}
	return nil
}

// absent returns why the sample has no answer, or "".
func (x *loggedSample) absent(answer string) string {
	switch failed := cmp.Or(x.Error.Message, x.Output.Error); {
	case answer != "":
	case failed != "":
		return requestFailed(failed)
	case len(x.Output.Choices) > 0 && isNull(x.Output.Choices[0].Message.Content):
		return "its content is null"
	}
	return ""
}

// text returns the text of a message.
func (x *loggedSample) text(content json.RawMessage) (string, error) {
	if len(content) == 0 || bytes.Equal(content, []byte("null")) {
		return "", nil
	}
	var text string
	if json.Unmarshal(content, &text) == nil {
		return x.attached(text)
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(content, &parts); err != nil {
		return "", fmt.Errorf("its content is neither a text nor a list of parts")
	}
	for _, p := range parts {
		if p.Type != "text" {
			continue
		}
		part, err := x.attached(p.Text)
		if err != nil {
			return "", err
		}
		text += part
	}
	return text, nil
}

// attached returns a text, or the attachment that it names.
func (x *loggedSample) attached(text string) (string, error) {
	hash, found := strings.CutPrefix(text, "attachment://")
	if !found {
		return text, nil
	}
	attached, known := x.Attachments[hash]
	if !known {
		return "", fmt.Errorf("the log lacks the attachment %s", clip(hash))
	}
	return attached, nil
}
