package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/statement"
)

// readTasks reads the objects of a file as tasks. Without a format the first object determines it.
func readTasks(l *lines, as Format) (*benchmark.Benchmark, Format, error) {
	b := &benchmark.Benchmark{Version: benchmark.FormatVersion, Name: baseName(l.path)}
	seen := map[string]int{}
	once := func(id string) error {
		if first, ok := seen[id]; ok {
			return l.fail(l.id, fmt.Sprintf("the id %q was used on line %d already: ids must be unique", id, first))
		}
		seen[id] = l.line
		return nil
	}
	var r *reader
	for {
		fields, err := l.record()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, as, err
		}
		if r == nil {
			if r = readerFor(as, fields); r == nil {
				if err := l.evoCodeBench(fields); err != nil {
					return nil, as, err
				}
				fix := "fix the fields, or name the format"
				if fields["tasks"] != nil {
					fix = fmt.Sprintf("assay's own also needs the field \"assay_benchmark\": %d", benchmark.FormatVersion)
				}
				return nil, as, l.fail("", fmt.Sprintf("the object has the fields %s, by which no format of tasks is known; the formats are %s: %s",
					clip(strings.Join(slices.Sorted(maps.Keys(fields)), ", ")), formatNames(), fix))
			}
			as = r.format
		}
		l.id = "task_id"
		tasks, err := r.read(l, fields)
		if err != nil {
			if err := leaveOut(b, err); err != nil {
				return nil, as, err
			}
			if err := once(b.LeftOut[len(b.LeftOut)-1].ID); err != nil {
				return nil, as, err
			}
			continue
		}
		for _, task := range tasks {
			if err := once(task.ID); err != nil {
				return nil, as, err
			}
			keepExtra(task, fields, r.uses)
			if task.Description == "" {
				task.Description = strings.TrimSpace("Complete this code:\n\n" + task.Prompt)
			}
			if task.Program() {
				statement.Split(task)
			}
			if err := l.checked(task); err != nil {
				return nil, as, err
			}
			b.Tasks = append(b.Tasks, *task)
		}
	}
	if err := allLeftOut(b); err != nil {
		return nil, as, err
	}
	if len(b.Tasks) == 0 {
		return nil, as, fmt.Errorf("%s holds no tasks: every line is blank", l.path)
	}
	return b, as, nil
}

// checked returns the first problem of a task.
func (l *lines) checked(task *benchmark.Task) error {
	if err := task.Check(); err != nil {
		return l.fail("", err.Error())
	}
	return nil
}

func readerFor(as Format, fields map[string]json.RawMessage) *reader {
	for i := range readers {
		if r := &readers[i]; r.format == as || as == "" && r.knows(fields) {
			return r
		}
	}
	return nil
}

// keepExtra stores the fields that the reader did not use in the task.
func keepExtra(task *benchmark.Task, fields map[string]json.RawMessage, used []string) {
	for name, value := range fields {
		if slices.Contains(used, name) {
			continue
		}
		if task.Extra == nil {
			task.Extra = map[string]json.RawMessage{}
		}
		if _, set := task.Extra[name]; !set {
			task.Extra[name] = slices.Clone(value)
		}
	}
}

// humanEvalTask reads task_id, prompt, entry_point, test and canonical_solution.
func humanEvalTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values := map[string]string{}
	for _, field := range []struct {
		name     string
		required bool
	}{{"task_id", true}, {"prompt", true}, {"entry_point", true}, {"test", true}, {"canonical_solution", false}} {
		value, err := l.text(fields, field.name, field.required)
		if err != nil {
			return nil, err
		}
		if field.required && field.name != "prompt" && strings.TrimSpace(value) == "" {
			return nil, l.fail(field.name, "the field is empty: fill it in")
		}
		values[field.name] = value
	}
	values["entry_point"] = strings.TrimSpace(values["entry_point"])
	if !strings.Contains(values["test"], "def check") {
		return nil, l.fail("test", "the tests define no function check(candidate), as HumanEval's format asks")
	}
	task := &benchmark.Task{
		ID:         values["task_id"],
		Title:      values["entry_point"],
		Language:   "python",
		EntryPoint: values["entry_point"],
		Prompt:     values["prompt"],
		Tests:      benchmark.Tests{Style: benchmark.Check, Check: values["test"]},
	}
	// The canonical solution continues the prompt, so the reference as a whole program is both
	// concatenated. It is stored whole and judged as a Program, without the prompt in front.
	if body := values["canonical_solution"]; body != "" {
		task.Reference = values["prompt"] + body
	}
	task.Signature, task.Description = describe(values["prompt"], values["entry_point"])
	asMBPP(task)
	return task, nil
}

func baseName(path string) string {
	name := filepath.Base(path)
	for _, suffix := range []string{".gz", ".jsonl", ".json", ".csv", ".tsv"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}
