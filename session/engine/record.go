package engine

import (
	"encoding/json"
	"fmt"
	"sync"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/scoring/inspect"
	"assay/session"
)

// Record reads the texts of a session without a live engine, for read-only views. Its methods match those
// of Engine and are safe for concurrent use.
type Record struct {
	store interface {
		Blob(session.Ref) ([]byte, error)
	}
	plan session.Plan

	mu    sync.Mutex
	tasks map[int]*benchmark.Task // read on demand
	texts map[session.Ref]string  // read on demand
}

// NewRecord returns the record of a session with this plan.
func NewRecord(store interface {
	Blob(session.Ref) ([]byte, error)
}, plan session.Plan) *Record {
	return &Record{store: store, plan: plan, tasks: map[int]*benchmark.Task{}, texts: map[session.Ref]string{}}
}

// Task returns the complete task with that index in the plan. If it cannot be read its description says so.
func (r *Record) Task(index int) *benchmark.Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.tasks[index]; t != nil {
		return t
	}
	plan := session.Plan{Tasks: r.plan.Tasks[index : index+1]}
	tasks, err := LoadTasks(r.store, plan)
	if err != nil {
		p := plan.Tasks[0]
		tasks = []*benchmark.Task{{ID: p.ID, Title: p.Title, Description: fmt.Sprintf("(%v)", err)}}
	}
	r.tasks[index] = tasks[0]
	return tasks[0]
}

// Text reads a text that an event refers to; the empty reference is "".
func (r *Record) Text(ref session.Ref) (string, error) {
	if ref == "" {
		return "", nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, known := r.texts[ref]; known {
		return text, nil
	}
	text, err := r.store.Blob(ref)
	if err == nil {
		r.texts[ref] = string(text)
	}
	return string(text), err
}

// Verdict reads the per-test-case results behind a recorded verdict.
func (r *Record) Verdict(v *session.VerdictRecorded) (verdicts.Result, error) {
	return readDetail[verdicts.Result](r.Text, v.Detail)
}

// Inspected reads everything behind recorded measures.
func (r *Record) Inspected(m *session.Measured) (inspect.Report, error) {
	return readDetail[inspect.Report](r.Text, m.Detail)
}

// Output reads a program's output file.
func (r *Record) Output(o session.Output) ([]byte, error) {
	if o.Data == "" {
		return nil, nil
	}
	return r.store.Blob(o.Data)
}

// readDetail decodes the JSON text behind an event.
func readDetail[T any](text func(session.Ref) (string, error), ref session.Ref) (detail T, err error) {
	read, err := text(ref)
	if err != nil || read == "" {
		return detail, err
	}
	err = json.Unmarshal([]byte(read), &detail)
	return detail, err
}
