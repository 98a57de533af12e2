package generate

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"assay/session/llm"
)

const failuresName = "failures.jsonl"

// Failure is a failed try: a line of failures.jsonl. Errors contain no keys.
type Failure struct {
	Time    time.Time `json:"time"`
	TaskID  string    `json:"task_id"`
	Model   string    `json:"model"`
	Prompt  string    `json:"prompt"`
	Sample  int       `json:"sample"`
	Try     int       `json:"try"`            // from 1; 0: no request was sent
	Last    bool      `json:"last,omitempty"` // the cell was given up until the next run
	Class   llm.Class `json:"class"`
	Status  int       `json:"status,omitempty"`
	Message string    `json:"message"`

	// Tokens of a partial answer, estimated unless an agent tells them, which may have to be paid for.
	InputTokens  int `json:"input_tokens,omitempty"`
	OutputTokens int `json:"output_tokens,omitempty"`
}

// failures is the file of failures.
type failures struct {
	mu   sync.Mutex
	path string
	file *os.File // nil until the first failure
}

// openFailures reads what earlier failures may have cost.
func (r *Run) openFailures() (*failures, error) {
	f := &failures{path: filepath.Join(r.o.Dir, failuresName)}
	if r.o.Dir == "" {
		return f, nil
	}
	in, err := os.Open(f.path)
	if errors.Is(err, os.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading earlier failures: %w", err)
	}
	defer in.Close()
	models := map[string]llm.Model{}
	for _, a := range r.models {
		models[a.model.Name] = a.model
	}
	lines := bufio.NewReader(in)
	for {
		text, err := lines.ReadBytes('\n')
		var was Failure
		if json.Unmarshal(text, &was) == nil && was.OutputTokens > 0 {
			if m, ok := models[was.Model]; ok {
				r.account.Charge(cost(m, was.InputTokens, 0, was.OutputTokens))
			}
		}
		if err != nil {
			return f, nil // a partial line contains nothing essential
		}
	}
}

// failed records a failed try; last reports that the cell is given up for now.
func (r *Run) failed(a *asked, x cell, try int, err *llm.Error, last bool) error {
	prompt := r.cells.prompts[x.task][x.prompt]
	if last {
		a.mu.Lock()
		a.failed++
		a.last = err
		a.mu.Unlock()
	}
	line := Failure{Time: time.Now().UTC().Truncate(time.Millisecond), TaskID: r.cells.tasks[x.task].ID, Model: a.model.Name,
		Prompt: prompt.Name, Sample: x.sample, Try: try, Last: last, Class: err.Class, Status: err.Status, Message: err.Error()}
	if err.Partial != "" && !last {
		line.InputTokens, line.OutputTokens, _ = counted(err.InputTokens, err.OutputTokens, a.model.System+prompt.Text, err.Partial)
		r.account.Charge(cost(a.model, line.InputTokens, 0, line.OutputTokens))
	}
	return r.failing.write(line)
}

func (f *failures) write(line Failure) error {
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("writing a failure to %s: %w", f.path, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		if f.file, err = os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
			return fmt.Errorf("writing a failure: %w", err)
		}
	}
	if _, err := f.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("writing a failure to %s: %w", f.path, err)
	}
	return nil
}

func (f *failures) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
