package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"assay/benchmark/format"
	"assay/data/disk"
)

// recording holds the answers of a file, by task and wording and by number from 1.
type recording map[asked]map[int]string

// asked is a task with its wording, if the file names one.
type asked struct{ task, prompt string }

// replay plays the answers of a file. A request gets an answer by its attempt and sample only, so the
// answer is the same after a crash and in any order of requests.
type replay struct {
	play *rehearsal
	name string
	path string
	read func() (recording, error)
}

// newReplay returns a client that reads its file at the first request.
func newReplay(m Model, deps Deps) (Client, error) {
	r := &replay{name: m.Name, path: m.Answers, read: sync.OnceValues(func() (recording, error) { return readRecording(m.Answers) })}
	if m.Pace == nil {
		m.Pace = new(float64)
	}
	var err error
	r.play, err = newRehearsal(m, deps)
	return r, err
}

// Stream plays the answer with the number of req: attempt 1 and sample 0 give the first, attempt 2 or
// sample 1 the second.
func (r *replay) Stream(ctx context.Context, req Request, delta func(string)) (Answer, error) {
	answers, err := r.read()
	if err != nil {
		return Answer{}, &Error{
			Class: NoAnswer, Message: fmt.Sprintf("the recorded answers of the model %q cannot be read (%v)", r.name, err),
			Advice: "correct the file, or answers in the models file", Err: err,
		}
	}
	number := max(req.Attempt, 1) + req.Sample
	key, wording := asked{req.Task, req.Prompt}, ""
	if answers[key] == nil {
		key.prompt = "" // answers to any wording
	} else if req.Prompt != "" {
		wording = fmt.Sprintf(" in the wording %q", req.Prompt)
	}
	text, ok := answers[key][number]
	if !ok {
		return Answer{}, &Error{
			Class:   NoAnswer,
			Message: fmt.Sprintf("%s has no answer number %d to the task %q%s (%s)", r.path, number, req.Task, wording, counted(len(answers[key]))),
			Advice:  "add it to the file, or choose another model",
		}
	}
	return r.play.recite(ctx, req, text, delta)
}

func counted(n int) string {
	if n == 1 {
		return "it has one"
	}
	return fmt.Sprintf("it has %d", n)
}

// readRecording reads a file of recorded answers: JSON Lines with task, answer and, optionally, attempt
// (from 1) or sample (from 0) and prompt; or any file of samples that names its tasks. Answers without a
// number are numbered in file order.
func readRecording(path string) (recording, error) {
	own, err := isOwnRecording(path)
	if err != nil {
		return nil, err
	}
	if own {
		return readOwnRecording(path)
	}
	samples, err := format.OpenSamples(path)
	if err != nil {
		return nil, err
	}
	defer samples.Close()
	answers := recording{}
	for {
		sample, err := samples.Next()
		if errors.Is(err, io.EOF) {
			return answers, nil
		}
		if err != nil {
			return nil, err
		}
		key := asked{task: sample.TaskID}
		answers.add(key, len(answers[key])+1, asAnswer(sample))
	}
}

// asAnswer turns a sample into a model's answer: bare code is fenced, so that it is extracted completely,
// including the indentation of a completion that continues its prompt.
func asAnswer(sample format.Sample) string {
	const fence = "```"
	if sample.Kind == format.Answer || strings.Contains(sample.Text, fence) {
		return sample.Text
	}
	return fence + "\n" + strings.TrimSuffix(sample.Text, "\n") + "\n" + fence + "\n"
}

// CountRecorded returns the number of answers in a file of recorded answers.
func CountRecorded(path string) (int, error) {
	answers, err := readRecording(path)
	n := 0
	for _, task := range answers {
		n += len(task)
	}
	return n, err
}

func (r recording) add(key asked, number int, text string) (added bool) {
	if r[key] == nil {
		r[key] = map[int]string{}
	}
	if _, taken := r[key][number]; taken {
		return false
	}
	r[key][number] = text
	return true
}

// recordedLine is a line of assay's own format.
type recordedLine struct {
	Task    *string `json:"task"`
	Attempt *int    `json:"attempt"` // from 1
	Sample  *int    `json:"sample"`  // from 0
	Prompt  *string `json:"prompt"`  // the wording that it answers, if the file has several
	Answer  *string `json:"answer"`
}

// isOwnRecording reports whether the first line of a file is in assay's own format, which has "task" where
// files of samples have "task_id" or the like.
func isOwnRecording(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return false, err
	}
	f, err := disk.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var fields map[string]json.RawMessage
	line, _, err := newLineReader(f).next()
	if err != nil || json.Unmarshal(line, &fields) != nil {
		return false, nil // the reader of samples will report what is wrong
	}
	_, own := fields["task"]
	return own, nil
}

func readOwnRecording(path string) (recording, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	answers, lines := recording{}, bufio.NewReader(f)
	for number := 1; ; number++ {
		text, err := disk.ReadLine(lines, path)
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if line := bytes.TrimSpace(text); len(line) > 0 {
			if problem := answers.addLine(line); problem != "" {
				return nil, fmt.Errorf("%s:%d: %s", path, number, problem)
			}
		}
		if err == io.EOF {
			return answers, nil
		}
	}
}

// addLine adds a line of assay's own format and returns its problem, if any.
func (r recording) addLine(text []byte) (problem string) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var line recordedLine
	switch err := decoder.Decode(&line); {
	case err != nil:
		return fmt.Sprintf("the line is no recorded answer (%v): it must be {\"task\": \"…\", \"attempt\": 1, \"answer\": \"…\"}", err)
	case decoder.More():
		return "there is more than one object on the line: write each on a line of its own"
	case line.Task == nil || *line.Task == "":
		return "field \"task\": it is missing: name the task that the answer is for"
	case line.Answer == nil:
		return "field \"answer\": it is missing: give the model's whole answer as a text"
	case line.Attempt != nil && line.Sample != nil:
		return "has both \"attempt\" and \"sample\": keep one"
	case line.Attempt != nil && *line.Attempt < 1:
		return "field \"attempt\": attempts are counted from 1"
	case line.Sample != nil && *line.Sample < 0:
		return "field \"sample\": samples are counted from 0"
	}
	key := asked{task: *line.Task}
	if line.Prompt != nil {
		key.prompt = *line.Prompt
	}
	number := len(r[key]) + 1
	if line.Attempt != nil {
		number = *line.Attempt
	}
	if line.Sample != nil {
		number = *line.Sample + 1
	}
	if !r.add(key, number, *line.Answer) {
		return fmt.Sprintf("task %q has an answer number %d already: number them all, or none", *line.Task, number)
	}
	return ""
}
