package harden

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"assay/benchmark/harden"
	"assay/data/lines"
	"assay/session/prompts"
)

// Version is the format version of files of harder tasks, in their first line.
const Version = 1

// Header is the first line of a file of harder tasks.
type Header struct {
	Version   int            `json:"assay_hardened"`
	Benchmark string         `json:"benchmark"`
	Author    prompts.Author `json:"author"`    // the model that changes solutions; its name is "" without one
	Templates string         `json:"templates"` // hash
	Reviewers int            `json:"reviewers"` // number of reviewers wanted for each task
}

// Event is a line of the file after the first.
type Event struct {
	Answer   *Answer   `json:"answer,omitempty"`
	Proposed *Proposed `json:"proposed,omitempty"`
	Measured *Measured `json:"measured,omitempty"`
	Kept     *Kept     `json:"kept,omitempty"`
	Edited   *Edited   `json:"edited,omitempty"`
}

// Request identifies what a model is asked for.
type Request struct {
	Step       string `json:"step"` // the change, "statement", "solve" or "measure"
	Task       string `json:"task"` // the old task for a change, otherwise the new one
	Number     int    `json:"number"`
	Definition string `json:"definition"` // of the model
	Text       string `json:"text"`       // hash of the request
}

// Answer is a model's answer.
type Answer struct {
	Request
	Model  string    `json:"model"` // in the models file
	Answer string    `json:"answer"`
	Finish string    `json:"finish,omitempty"`
	In     int       `json:"tokens_in,omitempty"`
	Out    int       `json:"tokens_out,omitempty"`
	Cost   float64   `json:"cost,omitempty"`
	At     time.Time `json:"at"`
}

// Proposed is a proposal with what its checks came to.
type Proposed struct {
	harden.Outcome
	From     []string  `json:"from"`
	Hashes   []string  `json:"hashes"`   // of these tasks
	Original string    `json:"original"` // the statement of the first
	Change   string    `json:"change"`
	Model    string    `json:"model,omitempty"`      // "" for a change by syntax tree
	By       string    `json:"definition,omitempty"` // of the model
	Asked    string    `json:"templates,omitempty"`  // hash of those it was asked with
	Second   *Second   `json:"second,omitempty"`
	At       time.Time `json:"at"`
}

// Second is a solution that a model wrote from the statement alone.
type Second struct {
	Model  string `json:"model"`
	Agrees bool   `json:"agrees"`
	Tries  int    `json:"tries"`
	Code   string `json:"code"` // the last one
	Why    string `json:"why,omitempty"`
}

// Edited is a second solution from a statement that a reviewer edited.
type Edited struct {
	Task   string `json:"task"`
	Text   string `json:"text"` // hash of the statement
	Second Second `json:"second"`
}

// Measured is whether an answer of a model solves a task.
type Measured struct {
	Task   string `json:"task"`
	Model  string `json:"model"`
	Sample int    `json:"sample"`
	Solved bool   `json:"solved"`
}

// Kept are the tasks kept for review.
type Kept struct {
	Tasks []string  `json:"tasks"`
	At    time.Time `json:"at"`
}

// State is what a file of harder tasks says.
type State struct {
	Header   Header
	Proposed []*Proposed // in the order made
	Kept     []string
	Measured []Measured

	answers map[Request]*Answer
	byID    map[string]*Proposed
	edited  map[[2]string]*Second // by task and hash of the statement
}

// File is a file of harder tasks opened for appending.
type File struct {
	*lines.Log[Event, *State]
}

func files() lines.Files[Header, Event, *State] {
	return lines.Files[Header, Event, *State]{
		Kind: lines.Kind{
			Name: "file of harder tasks", Begin: "; 'assay tasks harden BENCHMARK --out FILE' makes one",
			Taken: "another assay is making or measuring these tasks: end it first",
		},
		New: func(path string, h Header) (*State, error) {
			if h.Version != Version {
				return nil, fmt.Errorf("\"assay_hardened\" is %d, but this version reads %d", h.Version, Version)
			}
			return &State{Header: h, answers: map[Request]*Answer{}, byID: map[string]*Proposed{}, edited: map[[2]string]*Second{}}, nil
		},
		Closed: errors.New("the file of harder tasks is closed"),
	}
}

// Open reads a file of harder tasks.
func Open(path string) (*State, error) { return files().Open(path) }

// Create creates a file of harder tasks. It does not replace an existing file.
func Create(path string, h Header) error {
	h.Version = Version
	return files().Create(path, h)
}

// Change opens a file of harder tasks for appending. It removes a line truncated by a crash.
func Change(path string) (*File, error) {
	l, err := files().Change(path)
	if err != nil {
		return nil, err
	}
	return &File{l}, nil
}

// ReviewPath returns the path of the file of reviewers' decisions, beside a file of harder tasks.
func ReviewPath(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".review.jsonl"
}

// Apply folds an event.
func (s *State) Apply(e Event) error {
	switch {
	case e.Answer != nil:
		s.answers[e.Answer.Request] = e.Answer
	case e.Proposed != nil:
		p := e.Proposed
		switch {
		case p.Task.ID == "" || len(p.From) == 0:
			return errors.New("the proposal names no task")
		case s.byID[p.Task.ID] != nil:
			return fmt.Errorf("there is a proposal %q already", p.Task.ID)
		}
		s.byID[p.Task.ID] = p
		s.Proposed = append(s.Proposed, p)
	case e.Measured != nil:
		s.Measured = append(s.Measured, *e.Measured)
	case e.Kept != nil:
		for _, id := range e.Kept.Tasks {
			if s.byID[id] == nil {
				return fmt.Errorf("%q is kept, but was never proposed", id)
			}
		}
		s.Kept = e.Kept.Tasks
	case e.Edited != nil:
		if s.byID[e.Edited.Task] == nil {
			return fmt.Errorf("the statement of %q is edited, but it was never proposed", e.Edited.Task)
		}
		s.edited[[2]string{e.Edited.Task, e.Edited.Text}] = &e.Edited.Second
	default:
		return errors.New("it is no event of a file of harder tasks")
	}
	return nil
}

// second returns the second solution from a task's statement, nil if none was asked for.
func (s *State) second(p *Proposed, statement string) *Second {
	if statement == p.Task.Description {
		return p.Second
	}
	return s.edited[[2]string{p.Task.ID, textHash(statement)}]
}

// Shown lists the tasks that people decide about: those kept, then those of which a second solution
// disagrees.
func (s *State) Shown() []*Proposed {
	var list []*Proposed
	for _, id := range s.Kept {
		list = append(list, s.byID[id])
	}
	for _, p := range s.Proposed {
		if p.Removed == harden.Consensus {
			list = append(list, p)
		}
	}
	return list
}

// Count is what one check did.
type Count struct {
	Stage   harden.Stage `json:"check"`
	In      int          `json:"in"`
	Removed int          `json:"removed"`
}

// Tally counts what each check removed.
func (s *State) Tally() []Count {
	removed := map[harden.Stage]int{}
	for _, p := range s.Proposed {
		removed[p.Removed]++
	}
	var list []Count
	in := len(s.Proposed)
	for _, stage := range harden.Stages() {
		list = append(list, Count{stage, in, removed[stage]})
		in -= removed[stage]
	}
	return list
}

// survivors lists the proposals that no check removed.
func (s *State) survivors() []*Proposed {
	var list []*Proposed
	for _, p := range s.Proposed {
		if p.Removed == "" {
			list = append(list, p)
		}
	}
	return list
}

// solved returns how often each model solved a task, and how many answers it gave.
func (s *State) solved(task string) (solved, answers map[string]int) {
	solved, answers = map[string]int{}, map[string]int{}
	for _, m := range s.Measured {
		if m.Task == task {
			answers[m.Model]++
			if m.Solved {
				solved[m.Model]++
			}
		}
	}
	return solved, answers
}
