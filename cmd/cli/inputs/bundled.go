package inputs

import (
	"fmt"
	"sync"

	"assay/benchmark"
	"assay/data"
)

// TaskOf finds a task by its id.
func TaskOf(benchmarks []*benchmark.Benchmark, id string) (*benchmark.Task, error) {
	for _, b := range benchmarks {
		if t, err := b.Task(id); err == nil {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no bundled benchmark has the task %q", id)
}

// Rehearsal returns a function for the recorded answers of the bundled benchmarks: it returns the answer to
// a task at an attempt, from 1. The last recording of a task repeats. Recordings are read on first use.
func Rehearsal() func(task string, attempt int) (text string, ok bool) {
	read := sync.OnceValue(func() map[string][]benchmark.RecordedAnswer {
		answers, err := RecordedAnswers()
		if err != nil {
			return nil // a test reads all of them
		}
		byTask := map[string][]benchmark.RecordedAnswer{}
		for _, a := range answers {
			byTask[a.Task] = append(byTask[a.Task], a)
		}
		return byTask
	})
	return func(task string, attempt int) (string, bool) {
		answers := read()[task]
		if len(answers) == 0 || attempt < 1 {
			return "", false
		}
		return answers[min(attempt, len(answers))-1].Text, true
	}
}

// RecordedAnswers reads the recorded answers of all bundled benchmarks.
func RecordedAnswers() ([]benchmark.RecordedAnswer, error) {
	var all []benchmark.RecordedAnswer
	for _, name := range data.Benchmarks() {
		folder, err := data.Benchmark(name)
		if err != nil {
			return nil, err
		}
		answers, err := benchmark.ReadAnswers(folder)
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", name, err)
		}
		all = append(all, answers...)
	}
	return all, nil
}

// Bundled reads the built-in benchmarks.
func Bundled() ([]*benchmark.Benchmark, error) {
	var list []*benchmark.Benchmark
	for _, name := range data.Benchmarks() {
		folder, err := data.Benchmark(name)
		if err != nil {
			return nil, err
		}
		b, err := benchmark.LoadFolder(folder, name)
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}

// BenchmarksWith reads the benchmark of a file, if one is named, and the bundled benchmarks.
func BenchmarksWith(file string) ([]*benchmark.Benchmark, error) {
	if file == "" {
		return Bundled()
	}
	b, err := (&TaskLoader{}).Load(file)
	if err != nil {
		return nil, err
	}
	list, err := Bundled()
	return append([]*benchmark.Benchmark{b}, list...), err
}
