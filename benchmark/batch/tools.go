package batch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/outputs"
	"assay/benchmark/verdicts"
	"assay/data/disk"
)

// ResultsFormat is the name of another tool's format of results.
type ResultsFormat string

// The formats that [WriteResults] writes, with the fields of each tool. The verdicts are assay's.
const (
	HumanEvalResults ResultsFormat = "human-eval" // SAMPLES_results.jsonl: the samples, with result and passed
	EvalPlusResults  ResultsFormat = "evalplus"   // eval_results.json: by task the status on base and plus tests
	MultiPLEResults  ResultsFormat = "multipl-e"  // TASK.results.json.gz for each task: programs with exit_code and status
	SWEBenchResults  ResultsFormat = "swe-bench"  // MODEL.RUN.json, and logs/run_evaluation/RUN/MODEL/ID/report.json
	InspectResults   ResultsFormat = "inspect"    // inspect.json: a log of Inspect; inspect-1.json and so on if the samples name several models
)

// ResultsFormats lists the formats of results.
func ResultsFormats() []ResultsFormat {
	return []ResultsFormat{HumanEvalResults, EvalPlusResults, MultiPLEResults, SWEBenchResults, InspectResults}
}

// judged is a sample with its result.
type judged struct {
	format.Sample
	row  Row
	task *benchmark.Task
}

// program returns the program that was run.
func (j judged) program() string {
	code := CodeOf(j.Sample, j.task).Code
	return assemble.Join(j.task, code, j.Kind.Assembly())
}

// WriteResults writes the results of the evaluation in o.Out in another tool's format beside
// them, and returns the paths of the files. It reads the samples once more. hash identifies the
// file of tasks to EvalPlus and Inspect. A sample without a verdict is an error: these formats, except for
// SWE-bench's and Inspect's, cannot express that.
func WriteResults(o Options, as ResultsFormat, hash string, now time.Time) ([]string, error) {
	rows, err := ReadResults(o.Out)
	if err != nil {
		return nil, err
	}
	byKey := map[key]Row{}
	for _, row := range rows {
		byKey[key{row.TaskID, row.Sample}] = row
	}
	if err := dropMade(o.Out, as); err != nil {
		return nil, err
	}
	w := resultsWriter{o: o, as: as, rows: byKey, now: now}
	var paths []string
	switch as {
	case HumanEvalResults:
		paths, err = w.humanEval()
	case EvalPlusResults:
		paths, err = w.evalPlus(hash)
	case MultiPLEResults:
		paths, err = w.multiPLE()
	case SWEBenchResults:
		paths, err = w.sweBench()
	case InspectResults:
		paths, err = w.inspect(hash)
	default:
		return nil, fmt.Errorf("unknown format of results %q; the formats are %v", as, ResultsFormats())
	}
	if err != nil {
		return nil, fmt.Errorf("writing results as %s: %w", as, err)
	}
	return paths, noteMade(o.Out, as, paths)
}

type resultsWriter struct {
	o    Options
	as   ResultsFormat
	rows map[key]Row
	now  time.Time
}

// each calls do for every sample, in the order of the file.
func (w *resultsWriter) each(do func(judged) error) error {
	samples, err := w.o.open()
	if err != nil {
		return err
	}
	defer samples.Close()
	tasks, hashes := taskHashes(w.o.Benchmark)
	next := map[string]int{}
	for {
		s, err := samples.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if t := tasks[s.TaskID]; t != nil && !w.o.Filter.Match(t) {
			continue
		}
		k := key{s.TaskID, next[s.TaskID]}
		next[s.TaskID]++
		row, found := w.rows[k]
		if !found || row.Content != contentHash(hashes[s.TaskID], string(s.Kind), s.Text) {
			return fmt.Errorf("sample %d of %s has no result yet: evaluate all samples first", k.sample, k.task)
		}
		if (row.Verdict == verdicts.NotJudged || row.Verdict == verdicts.SandboxError) && s.Kind != format.Patch && w.as != InspectResults {
			return fmt.Errorf("sample %d of %s is %s (%s), which the format cannot express: fix that and evaluate again", k.sample, k.task, row.Verdict, row.Message)
		}
		if err := do(judged{s, row, tasks[s.TaskID]}); err != nil {
			return err
		}
	}
}

// create writes a file atomically.
func (w *resultsWriter) create(name string, write func(io.Writer) error) (string, error) {
	path := filepath.Join(w.o.Out, name)
	return path, disk.Replace(path, 0o644, func(out io.Writer) error {
		buf := bufio.NewWriter(out)
		return errors.Join(write(buf), buf.Flush())
	})
}

// humanEval writes every sample with its other fields, its result, and whether it passed.
func (w *resultsWriter) humanEval() ([]string, error) {
	path, err := w.create(filepath.Base(w.o.Samples)+"_results.jsonl", func(out io.Writer) error {
		return w.each(func(j judged) error {
			object := []byte(j.Object)
			var fields map[string]json.RawMessage
			if json.Unmarshal(object, &fields) != nil || fields["task_id"] == nil {
				object, fields = nil, map[string]json.RawMessage{"task_id": text(j.TaskID), string(j.Kind): text(j.Text)}
			}
			result := map[verdicts.Verdict]string{verdicts.Accepted: "passed", verdicts.TimeLimit: "timed out"}[j.row.Verdict]
			if result == "" {
				result = "failed: " + j.row.Message
			}
			passed := strconv.FormatBool(j.row.Verdict == verdicts.Accepted)
			if object != nil && fields["result"] == nil && fields["passed"] == nil {
				// Keep the fields and their order.
				object = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(object), []byte("}")))
				_, err := fmt.Fprintf(out, "%s, \"result\": %s, \"passed\": %s}\n", object, text(result), passed)
				return err
			}
			fields["result"], fields["passed"] = text(result), json.RawMessage(passed)
			line, err := json.Marshal(fields)
			if err == nil {
				_, err = out.Write(append(line, '\n'))
			}
			return err
		})
	})
	return []string{path}, err
}

func text(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string always marshals
	return raw
}

// evalPlusResult is one sample in eval_results.json.
type evalPlusResult struct {
	TaskID     string            `json:"task_id"`
	Solution   string            `json:"solution"`
	BaseStatus string            `json:"base_status"` // "pass", "fail", "timeout"
	PlusStatus *string           `json:"plus_status"` // null: the task has base tests only
	BaseFailed []json.RawMessage `json:"base_fail_tests"`
	PlusFailed []json.RawMessage `json:"plus_fail_tests"`
}

// evalPlus writes one object with the results of all tasks.
func (w *resultsWriter) evalPlus(hash string) ([]string, error) {
	whole := struct {
		Date string                      `json:"date"`
		Hash string                      `json:"hash"`
		Eval map[string][]evalPlusResult `json:"eval"`
	}{w.now.Format("2006-01-02 15:04"), hash, map[string][]evalPlusResult{}}
	err := w.each(func(j judged) error {
		inputs, base := format.EvalPlusInputs(j.task)
		failed := j.row.failed()
		split := slices.IndexFunc(failed, func(i int) bool { return base > 0 && i > base })
		if split < 0 {
			split = len(failed)
		}
		r := evalPlusResult{TaskID: j.TaskID, Solution: j.program(), BaseStatus: j.status(failed[:split]),
			BaseFailed: selected(inputs, failed[:split]), PlusFailed: selected(inputs, failed[split:])}
		if base > 0 {
			status := j.status(failed[split:])
			r.PlusStatus = &status
		}
		whole.Eval[j.TaskID] = append(whole.Eval[j.TaskID], r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(whole); err != nil {
		return nil, err
	}
	made := bytes.TrimSpace(text.Bytes())
	for name, number := range map[string]string{"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"} { // as Python writes them
		made = bytes.ReplaceAll(made, []byte(`{"$float":"`+name+`"}`), []byte(number))
	}
	path, err := w.create("eval_results.json", func(out io.Writer) error {
		_, err := out.Write(made)
		return err
	})
	return []string{path}, err
}

// status returns EvalPlus's status for these failed test cases.
func (j judged) status(failed []int) string {
	switch {
	case len(failed) == 0:
		return "pass"
	case j.row.Verdict == verdicts.TimeLimit:
		return "timeout"
	}
	return "fail"
}

// selected returns the inputs with these numbers, from 1.
func selected(inputs []json.RawMessage, numbers []int) []json.RawMessage {
	list := []json.RawMessage{}
	for _, n := range numbers {
		if n <= len(inputs) {
			list = append(list, inputs[n-1])
		}
	}
	return list
}

// multiPLEResult is one program in a file of MultiPL-E's results.
type multiPLEResult struct {
	Program   string `json:"program"`
	Stdout    string `json:"stdout"` // not kept by assay
	Stderr    string `json:"stderr"` // assay's message
	ExitCode  int    `json:"exit_code"`
	Status    string `json:"status"`
	Timestamp int64  `json:"timestamp"`
}

// multiPLE writes a file for each task: the fields of its samples' file, with results in place of
// completions.
func (w *resultsWriter) multiPLE() ([]string, error) {
	fields, results, order := map[string]map[string]json.RawMessage{}, map[string][]multiPLEResult{}, []string{}
	err := w.each(func(j judged) error {
		if fields[j.TaskID] == nil {
			order = append(order, j.TaskID)
			var own map[string]json.RawMessage
			if json.Unmarshal([]byte(j.Object), &own) != nil || own["name"] == nil {
				own = map[string]json.RawMessage{"name": text(j.TaskID), "language": text(j.task.Language), "prompt": text(j.task.Prompt), "tests": text(j.task.Tests.Script)}
			}
			fields[j.TaskID] = own
		}
		r := multiPLEResult{Program: j.program() + "\n" + j.task.Tests.Script, Stderr: j.row.Message, ExitCode: 1, Status: "Exception", Timestamp: w.now.Unix()}
		switch j.row.Verdict {
		case verdicts.Accepted:
			r.ExitCode, r.Status = 0, "OK"
		case verdicts.CompileError:
			r.Status = "SyntaxError"
		case verdicts.TimeLimit:
			r.ExitCode, r.Status = -1, "Timeout"
		}
		results[j.TaskID] = append(results[j.TaskID], r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, id := range order {
		var list json.RawMessage
		if list, err = json.Marshal(results[id]); err != nil {
			return nil, err
		}
		fields[id]["results"] = list
		name := id
		if strings.ContainsAny(id, "/\\") || id[0] == '.' {
			name = outputs.SafeName(id)
		}
		path, err := w.create(name+".results.json.gz", func(out io.Writer) error {
			z := gzip.NewWriter(out)
			enc := json.NewEncoder(z)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return errors.Join(enc.Encode(fields[id]), z.Close())
		})
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// failedTests formats the numbers of the test cases that did not pass, from 1, as ranges:
// "1-3,7".
func failedTests(cases []verdicts.CaseResult) string {
	var b strings.Builder
	for i := 0; i < len(cases); i++ {
		if cases[i].Status == verdicts.Passed {
			continue
		}
		first := i
		for i+1 < len(cases) && cases[i+1].Status != verdicts.Passed {
			i++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(first + 1))
		if i > first {
			fmt.Fprintf(&b, "-%d", i+1)
		}
	}
	return b.String()
}

// failed returns the numbers of the test cases that did not pass: those that the row lists, or
// all if it lists none.
func (r Row) failed() []int {
	list := []int{}
	ranges := r.FailedTests
	if ranges == "" && r.Verdict != verdicts.Accepted {
		ranges = fmt.Sprintf("1-%d", max(r.TotalTests, 1))
	}
	for part := range strings.SplitSeq(ranges, ",") {
		low, high, found := strings.Cut(part, "-")
		first, err := strconv.Atoi(low)
		last := first
		if found && err == nil {
			last, err = strconv.Atoi(high)
		}
		if err != nil || first < 1 || last > max(r.TotalTests, 1) {
			continue
		}
		for i := first; i <= last; i++ {
			list = append(list, i)
		}
	}
	return list
}
