package tuitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/models"
	"assay/tui/results"
	"assay/tui/setup"
	"assay/tui/tasks"
	"assay/tui/work"
)

// Shelf is a library with fixed contents.
type Shelf struct {
	Rig    *enginetest.Rig
	Listed []session.Summary
	Coming *home.NextSession
	Logs   map[string][]session.Event
}

func (s *Shelf) Sessions(context.Context) ([]session.Summary, error) { return s.Listed, nil }

func (s *Shelf) Log(_ context.Context, id string) ([]session.Event, error) { return s.Logs[id], nil }

func (s *Shelf) Continue(context.Context, string) (*engine.Engine, error) { return s.Rig.Engine, nil }

func (s *Shelf) Results(context.Context) (results.Options, error) {
	return results.Options{Library: Study()}, nil
}

func (s *Shelf) Begin(context.Context, session.Choice) (*engine.Engine, error) {
	if s.Rig == nil {
		return nil, errors.New("nothing can be begun here")
	}
	return s.Rig.Engine, nil
}

func (s *Shelf) Next(context.Context) (*home.NextSession, error) { return s.Coming, nil }

func (s *Shelf) Work() work.Options { return work.Options{} }

func (s *Shelf) Browse(context.Context) (tasks.Options, error) {
	return tasks.Options{Benchmarks: []*benchmark.Benchmark{Library(), enginetest.Benchmark(5)}, SavedFilters: &Kept{}}, nil
}

func (s *Shelf) Models(context.Context) (models.Options, error) {
	return models.Options{
		Path: "/home/ann/.config/assay/models.toml", Models: []models.Model{
			{Name: "rehearsal", Provider: "rehearsal", Ready: true, BuiltIn: true}, {Name: "qwen2.5-coder:7b", Provider: "openai", ID: "qwen2.5-coder:7b-instruct", Ready: true, Facts: []models.Fact{{Name: "provider", Value: "openai http://localhost:11434/v1"}, {Name: "settings", Value: "temperature 0.2 · seed 1"}}},
			{Name: "gpt", Provider: "openai", Why: "the environment variable OPENAI_API_KEY is not set"},
		},
		Make: func() error { return nil },
		Edit: func() *exec.Cmd { return nil },
		Find: func(context.Context) []models.Place {
			return []models.Place{{At: "ollama", Models: []string{"qwen2.5-coder:7b", "llama3.1:8b"}}, {At: "openai", KeyEnv: "OPENAI_API_KEY", Err: "401: the key is refused"}}
		},
		List: func(_ context.Context, p models.Place) models.Place {
			p.Models, p.Err, p.Amiss = []string{"coder"}, "", ""
			return p
		},
		Add: func(_, model string) (string, error) { return model, nil },
		Reload: func() (models.Options, error) {
			opts, err := s.Models(context.Background())
			opts.Found = true
			return opts, err
		},
		Check: func(_ context.Context, name string) (string, error) {
			if s.Rig != nil {
				return "", errors.New("localhost:11434 refused the connection: is the model server running?")
			}
			return name + ": complete after 120 ms", nil
		},
	}, nil
}

func (s *Shelf) Choices(context.Context) (setup.Choices, error) {
	b := enginetest.Benchmark(5)
	return setup.Choices{
		Benchmarks: []*benchmark.Benchmark{b}, Seed: 42, Isolation: "isolated (bubblewrap)", Isolated: true,
		Models: []setup.ModelChoice{
			{Model: session.Model{Name: "rehearsal", Provider: "rehearsal", Recorded: true}, Ready: true},
			{Model: session.Model{Name: "qwen2.5-coder:7b", Provider: "openai"}, Ready: true},
			{Model: session.Model{Name: "gpt", Provider: "openai"}, Why: "the environment variable OPENAI_API_KEY is not set"},
		},
	}, nil
}

func Noon() time.Time { return time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC) }

func FullShelf(t *testing.T) *Shelf {
	rig, err := enginetest.New(2)
	fatal.If(t, err)
	s := NewScribe()
	s.Begin("1", "starter", 20)
	for i, attempts := range []int{1, 3, 1, 2, 5, 1} {
		s.Play(i, i+1, attempts, i != 4)
	}
	s.Add(session.TaskOpened{Index: 6, Task: "task-07"}, session.EditStarted{Attempt: 1}, session.DraftSaved{Attempt: 1, Splice: session.Splice{Insert: "Keep the order of equal shifts."}})
	return &Shelf{Rig: rig, Logs: map[string][]session.Event{"1": s.Events()}, Listed: []session.Summary{
		{ID: "1", Benchmark: "starter", Model: "qwen2.5-coder:7b", Progress: session.Progress{Done: 6, Tasks: 20}, LastAt: Noon().Add(-2 * time.Hour).UnixMilli(), WorkedMS: 12 * 60_000, Status: "open"},
		{ID: "2", Benchmark: "core", Model: "rehearsal", Progress: session.Progress{Done: 1, Tasks: 12}, LastAt: Noon().Add(-26 * time.Hour).UnixMilli(), WorkedMS: 4 * 60_000, Status: "open"},
		{ID: "3", Benchmark: "starter", Model: "paste", Progress: session.Progress{Done: 20, Tasks: 20}, LastAt: Noon().Add(-100 * time.Hour).UnixMilli(), WorkedMS: 40 * 60_000, Status: "finished"},
		{ID: "4", Benchmark: "study", Model: "imported", Progress: session.Progress{Done: 100, Tasks: 100}, LastAt: Noon().Add(-200 * time.Hour).UnixMilli(), Status: "finished", Imported: true},
	}}
}

// Kept keeps filters in memory.
type Kept struct {
	mu    sync.Mutex
	Saved map[string]string
	err   error
}

// Fail makes every use fail from now on.
func (k *Kept) Fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = err
}

func (k *Kept) SavedFilters() ([]tasks.SavedFilter, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var list []tasks.SavedFilter
	for _, name := range slices.Sorted(maps.Keys(k.Saved)) {
		list = append(list, tasks.SavedFilter{Name: name, Filter: k.Saved[name]})
	}
	return list, k.err
}

func (k *Kept) SaveFilter(name, filter string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Saved == nil {
		k.Saved = map[string]string{}
	}
	k.Saved[name] = filter
	return "scenarios.toml", k.err
}

// Library returns a benchmark with some of everything.
func Library() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Version: 1, Name: "library"}
	b.Tasks = append(b.Tasks, benchmark.Task{ID: "warm-up", Title: "Warm-up", Language: "python", Practice: true})
	types := []string{"structural", "visualization", "exploratory", "numerical"}
	for i := range 45 {
		t := benchmark.Task{
			ID: fmt.Sprintf("task-%02d", i+1), Title: fmt.Sprintf("Walk graph number %d", i+1), Language: []string{"python", "r"}[i%2],
			Description: fmt.Sprintf("Visit the **%d nodes** of a graph.\n\n- Begin at `start`.\n- Visit each once.\n", i+1),
			EntryPoint:  "walk", Constraints: []string{"the graph is connected"},
			Examples:   []benchmark.Example{{Input: "walk(1)", Output: "[1]"}},
			Difficulty: benchmark.Difficulties[i%3], Type: types[i%4], Category: []string{"graphs", "trees"}[i%2], Topics: []string{"search"},
			Published: benchmark.Date(fmt.Sprintf("20%02d-03", 18+i%6)), Source: benchmark.Source{Title: "Walks, volume " + fmt.Sprint(i%3+1), Year: 2020},
			Reference: "def walk(start):\n    return [start]\n",
			Tests:     benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Args: Raw("1"), Expected: []byte("[1]")}, {Args: Raw("2"), Expected: []byte("[2]"), Name: "another"}}},
		}
		if i == 0 {
			t.ContextLevels = []string{"Given a node, list the nodes in the order of a walk.", "Do it depth first."}
		}
		b.Tasks = append(b.Tasks, t)
	}
	return b
}

func Raw(value string) []json.RawMessage { return []json.RawMessage{[]byte(value)} }

func FullHome(t *testing.T) frame.Screen { return home.New(FullShelf(t), Noon) }

// Browse opens the browser by itself.
func Browse(t testing.TB, width, height int, adjust ...func(*tasks.Options)) *Driver {
	t.Helper()
	opts := tasks.Options{
		Benchmarks: []*benchmark.Benchmark{Library(), enginetest.Benchmark(5)}, SavedFilters: &Kept{},
	}
	for _, f := range adjust {
		f(&opts)
	}
	return Drive(t, tasks.New(opts), width, height).Sees("45 of 45 tasks", "task-01")
}

// Large returns a benchmark of n tasks with statements of half a kilobyte.
func Large(n int) *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "large", Tasks: make([]benchmark.Task, n)}
	small := Library().Tasks[1:]
	for i := range b.Tasks {
		t := small[i%len(small)]
		t.ID, t.Title = fmt.Sprintf("task-%06d", i), fmt.Sprintf("Task number %d", i)
		t.Description = strings.Repeat("A sentence of the statement, which is long. ", 11) + fmt.Sprint(i)
		b.Tasks[i] = t
	}
	return b
}
