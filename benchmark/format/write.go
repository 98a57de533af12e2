package format

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
)

// Writable lists the formats that [WriteTasks] writes.
func Writable() []Format { return []Format{Assay, CSV, HumanEval, MBPP} }

// essential are the fields that determine a task's program and verdict.
var essential = []string{"id", "language", "entry_point", "prompt", "reference", "tests", "repository", "library", "outputs"}

// WriteTasks writes the tasks of a benchmark in a format. The output is read back before it is written: it
// is an error if a task would change, which names the task and the field. With lossy only the fields that
// determine a task's program and verdict have to be preserved.
func WriteTasks(out io.Writer, b *benchmark.Benchmark, as Format, lossy bool) error {
	var text []byte
	var err error
	switch as {
	case Assay:
		text, err = ownText(b)
	case CSV:
		text, err = csvText(b.Tasks)
	case HumanEval:
		text, err = lineText(b.Tasks, humanEvalLine)
	case MBPP:
		text, err = lineText(b.Tasks, mbppLine)
	default:
		return fmt.Errorf("tasks cannot be written as %q; the formats are %v", as, Writable())
	}
	if err != nil {
		return fmt.Errorf("writing tasks as %s: %w", as, err)
	}
	if err := comesBack(text, b.Tasks, as, lossy); err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// comesBack reads the output back and compares it.
func comesBack(text []byte, tasks []benchmark.Task, as Format, lossy bool) error {
	var again *benchmark.Benchmark
	var err error
	f := &opened{Reader: bufferOf(text)}
	switch as {
	case Assay:
		again, err = benchmark.Parse("written", text)
	case CSV:
		again, err = readCSV("written", f)
	default:
		again, _, err = readTasks(&lines{path: "written", file: f}, as)
	}
	var at *LineError
	if errors.As(err, &at) && as != CSV && at.Line <= len(tasks) {
		return fmt.Errorf("task %q does not fit the format %s: field %q: %s", tasks[at.Line-1].ID, as, at.Field, at.Text)
	}
	if err != nil {
		return fmt.Errorf("the tasks do not fit the format %s: %w", as, err)
	}
	if len(again.Tasks) != len(tasks) {
		return fmt.Errorf("the tasks do not fit the format %s: of %d tasks only %d can be read back", as, len(tasks), len(again.Tasks))
	}
	for i := range tasks {
		field, err := difference(&tasks[i], &again.Tasks[i], lossy)
		if err != nil {
			return err
		}
		switch {
		case field == "":
		case slices.Contains(essential, field):
			return fmt.Errorf("task %q does not fit the format %s: its field %q would change; choose another format, such as assay", tasks[i].ID, as, field)
		default:
			return fmt.Errorf("task %q does not fit the format %s: its field %q would be lost; choose another format, such as assay, or allow that with --lossy",
				tasks[i].ID, as, field)
		}
	}
	return nil
}

// difference names a field in which two tasks differ, or "".
func difference(a, b *benchmark.Task, lossy bool) (string, error) {
	var sides [2]map[string]any
	for i, t := range []*benchmark.Task{a, b} {
		text, err := json.Marshal(t)
		if err != nil {
			return "", fmt.Errorf("task %q: %w", t.ID, err)
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&sides[i]); err != nil {
			return "", fmt.Errorf("task %q: %w", t.ID, err)
		}
	}
	names := essential
	if !lossy {
		names = slices.Concat(essential, slices.Sorted(maps.Keys(sides[0])), slices.Sorted(maps.Keys(sides[1])))
	}
	for _, name := range names {
		x, _ := json.Marshal(sides[0][name]) // they came from JSON
		y, _ := json.Marshal(sides[1][name])
		if !bytes.Equal(x, y) {
			return name, nil
		}
	}
	return "", nil
}

var notInNames = regexp.MustCompile(`[^a-z0-9._-]+`)

// ownText encodes a benchmark in assay's format.
func ownText(b *benchmark.Benchmark) ([]byte, error) {
	current := *b
	current.Version = benchmark.FormatVersion
	current.Name = cmp.Or(strings.Trim(notInNames.ReplaceAllString(strings.ToLower(b.Name), "-"), "._-"), "tasks")
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(current)
	return text.Bytes(), err
}

func csvText(tasks []benchmark.Task) ([]byte, error) {
	names, err := csvColumns(tasks)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if err := w.Write(names); err != nil {
		return nil, err
	}
	for i := range tasks {
		row, err := csvRow(&tasks[i], names)
		if err != nil {
			return nil, err
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return text.Bytes(), w.Error()
}

// lineText encodes each task as an object on a line, with its extra fields.
func lineText(tasks []benchmark.Task, line func(*benchmark.Task) (map[string]any, error)) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for i := range tasks {
		fields, err := line(&tasks[i])
		if err != nil {
			return nil, fmt.Errorf("task %q does not fit: %w", tasks[i].ID, err)
		}
		for name, value := range tasks[i].Extra {
			if _, taken := fields[name]; !taken {
				fields[name] = value
			}
		}
		if err := enc.Encode(fields); err != nil {
			return nil, fmt.Errorf("task %q: %w", tasks[i].ID, err)
		}
	}
	return text.Bytes(), nil
}

// humanEvalLine encodes a task in HumanEval's format; one with asserts as CodeT encodes those of MBPP.
func humanEvalLine(task *benchmark.Task) (map[string]any, error) {
	if task.Language != "python" {
		return nil, fmt.Errorf("it is in %s, but the format supports only Python", task.Language)
	}
	fields := map[string]any{"task_id": task.ID, "prompt": task.Prompt, "entry_point": task.EntryPoint}
	head := task.Prompt
	switch task.Tests.Style {
	case benchmark.Check:
		fields["test"] = task.Tests.Check
	case benchmark.Asserts:
		fields["test"] = "def check(candidate):\n    " + strings.Join(task.Tests.Asserts, "\n    ") + "\n"
		head = mbppHead(task.Prompt)
		if name := mbppDef.FindStringSubmatch(task.Prompt); name != nil {
			fields["entry_point"] = name[1] // possibly only a helper of the tested function
		}
	default:
		return nil, fmt.Errorf("its tests have the style %q, but the format supports only a function check(candidate)", task.Tests.Style)
	}
	body, found := strings.CutPrefix(task.Reference, head)
	if !found && task.Reference != "" {
		return nil, errors.New("its reference solution does not continue its prompt")
	}
	if body != "" {
		fields["canonical_solution"] = body
	}
	return fields, nil
}

// mbppLine encodes a task in MBPP's published format.
func mbppLine(task *benchmark.Task) (map[string]any, error) {
	switch {
	case task.Language != "python":
		return nil, fmt.Errorf("it is in %s, but the format supports only Python", task.Language)
	case task.Tests.Style != benchmark.Asserts:
		return nil, fmt.Errorf("its tests have the style %q, but the format supports only assert statements", task.Tests.Style)
	case task.Prompt != "":
		return nil, errors.New("it has a prompt, which the format cannot hold")
	}
	fields := map[string]any{"task_id": task.ID, "text": task.Statement(), "code": task.Reference, "test_list": task.Tests.Asserts,
		"test_setup_code": task.Tests.Setup}
	if number, found := strings.CutPrefix(task.ID, "Mbpp/"); found && integer.MatchString(number) {
		fields["task_id"] = json.Number(number)
	}
	return fields, nil
}
