package batch

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"time"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/scoring/stats"
)

// EvalLog, version 2, with the fields that its schema requires (inspect-openapi.json of inspect_ai). The samples
// come last, as readers of the head expect.
type (
	none     struct{}    // {}
	noneList [0]struct{} // []

	inspectLog struct {
		Version int            `json:"version"`
		Status  string         `json:"status"`
		Eval    inspectEval    `json:"eval"`
		Plan    inspectPlan    `json:"plan"`
		Results inspectResults `json:"results"`
		Stats   inspectStats   `json:"stats"`

		Invalidated bool     `json:"invalidated"`
		Tags        noneList `json:"tags"`
		Metadata    none     `json:"metadata"`
	}
	inspectEval struct {
		EvalID      string         `json:"eval_id"`
		RunID       string         `json:"run_id"`
		Created     string         `json:"created"`
		Task        string         `json:"task"`
		TaskID      string         `json:"task_id"`
		TaskVersion int            `json:"task_version"`
		Dataset     inspectDataset `json:"dataset"`
		Model       string         `json:"model"`
		Config      inspectConfig  `json:"config"`
		Packages    none           `json:"packages"`

		Attributes     none `json:"task_attribs"`
		Args           none `json:"task_args"`
		ArgsPassed     none `json:"task_args_passed"`
		GenerateConfig none `json:"model_generate_config"`
		ModelArgs      none `json:"model_args"`
	}
	inspectDataset struct {
		Name      string   `json:"name"`
		Samples   int      `json:"samples"`
		SampleIDs []string `json:"sample_ids"`
		Shuffled  bool     `json:"shuffled"`
	}
	inspectConfig struct {
		Epochs  int      `json:"epochs"`
		Reducer []string `json:"epochs_reducer"`
	}
	inspectPlan struct {
		Name   string        `json:"name"`
		Steps  []inspectStep `json:"steps"`
		Config none          `json:"config"`
	}
	inspectStep struct {
		Solver string `json:"solver"`
		Params none   `json:"params"`
		Passed none   `json:"params_passed"`
	}
	inspectResults struct {
		Total     int            `json:"total_samples"`
		Completed int            `json:"completed_samples"`
		Scores    []inspectScore `json:"scores"`
	}
	inspectScore struct {
		Name     string                   `json:"name"`
		Scorer   string                   `json:"scorer"`
		Reducer  string                   `json:"reducer"`
		Scored   int                      `json:"scored_samples"`
		Unscored int                      `json:"unscored_samples"`
		Metrics  map[string]inspectMetric `json:"metrics"`
		Params   none                     `json:"params"`
	}
	inspectMetric struct {
		Name   string  `json:"name"`
		Value  float64 `json:"value"`
		Params none    `json:"params"`
	}
	inspectStats struct {
		Started    string   `json:"started_at"`
		Completed  string   `json:"completed_at"`
		ModelUsage none     `json:"model_usage"`
		RoleUsage  none     `json:"role_usage"`
		Limits     noneList `json:"connection_limit_history"`
	}
	inspectSample struct {
		ID        string                  `json:"id"`
		Epoch     int                     `json:"epoch"`
		Input     string                  `json:"input"`
		Target    string                  `json:"target"`
		Messages  []inspectMessage        `json:"messages"`
		Output    inspectOutput           `json:"output"`
		Scores    map[string]inspectValue `json:"scores,omitempty"`
		Metadata  map[string]any          `json:"metadata"`
		TotalTime float64                 `json:"total_time"` // seconds that judging took
		Error     *inspectError           `json:"error,omitempty"`

		Store       none     `json:"store"`
		Events      noneList `json:"events"`
		ModelUsage  none     `json:"model_usage"`
		RoleUsage   none     `json:"role_usage"`
		Attachments none     `json:"attachments"`
	}
	inspectMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Source  string `json:"source"`
	}
	inspectOutput struct {
		Model      string          `json:"model"`
		Choices    []inspectChoice `json:"choices"`
		Completion string          `json:"completion"`
	}
	inspectChoice struct {
		Message inspectMessage `json:"message"`
		Stop    string         `json:"stop_reason"`
	}
	inspectValue struct {
		Value       string         `json:"value"` // C: correct, I: incorrect
		Answer      string         `json:"answer"`
		Explanation string         `json:"explanation"`
		History     noneList       `json:"history"`
		Metadata    map[string]any `json:"metadata"`
	}
	inspectError struct {
		Message       string `json:"message"`
		Traceback     string `json:"traceback"`
		TracebackANSI string `json:"traceback_ansi"`
	}
)

// inspect writes a log for each model. A sample is an epoch of its task's sample in the log; one without a verdict
// has an error there, and no score.
func (w *resultsWriter) inspect(hash string) ([]string, error) {
	logs := map[string]*inspectTally{}
	err := w.each(func(j judged) error {
		model := modelOf(j.Object)
		if logs[model] == nil {
			logs[model] = &inspectTally{passed: map[string][2]int{}}
		}
		logs[model].add(j)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var paths []string
	for i, model := range slices.Sorted(maps.Keys(logs)) {
		name := "inspect.json"
		if len(logs) > 1 {
			name = fmt.Sprintf("inspect-%d.json", i+1)
		}
		path, err := w.create(name, func(out io.Writer) error { return w.inspectLog(out, model, logs[model], hash) })
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// modelOf returns the model that a sample's object names.
func modelOf(object string) string {
	var about struct {
		Model string `json:"model"`
		Name  string `json:"model_name_or_path"`
	}
	_ = json.Unmarshal([]byte(object), &about) // what cannot be read names no model
	return cmp.Or(about.Model, about.Name, "unknown")
}

// inspectTally counts the samples of a model.
type inspectTally struct {
	ids             []string          // of tasks in the order of their first samples
	passed          map[string][2]int // of each task: accepted and judged samples
	total, unscored int
	epochs          int
}

func (n *inspectTally) add(j judged) {
	c, known := n.passed[j.TaskID]
	if !known {
		n.ids = append(n.ids, j.TaskID)
	}
	n.total++
	n.epochs = max(n.epochs, j.row.Sample+1)
	switch {
	case j.unjudged():
		n.unscored++
	case j.row.Verdict == judge.Accepted:
		c[0]++
		fallthrough
	default:
		c[1]++
	}
	n.passed[j.TaskID] = c
}

// accuracy returns the mean over tasks of the share of accepted samples, and its standard error: Inspect's metrics
// accuracy and stderr after the reducer mean.
func (n *inspectTally) accuracy() (mean, standardError float64) {
	var shares []float64
	for _, id := range n.ids {
		if c := n.passed[id]; c[1] > 0 {
			shares = append(shares, float64(c[0])/float64(c[1]))
		}
	}
	if len(shares) == 0 {
		return 0, 0
	}
	mean = stats.Mean(shares)
	if len(shares) > 1 {
		standardError = stats.SD(shares) / math.Sqrt(float64(len(shares)))
	}
	return mean, standardError
}

// unjudged reports whether the sample has no verdict.
func (j judged) unjudged() bool {
	return j.row.Verdict == judge.NotJudged || j.row.Verdict == judge.SandboxError
}

func (w *resultsWriter) inspectLog(out io.Writer, model string, n *inspectTally, hash string) error {
	created := w.now.Format(time.RFC3339)
	accuracy, standardError := n.accuracy()
	dir, err := filepath.Abs(w.o.Out)
	if err != nil {
		return err
	}
	head, err := json.Marshal(inspectLog{Version: 2, Status: "success",
		Eval: inspectEval{EvalID: filepath.Base(dir), RunID: filepath.Base(dir), Created: created, Task: w.o.Benchmark.Name, TaskID: hash, Model: model,
			Dataset: inspectDataset{Name: w.o.Benchmark.Name, Samples: len(n.ids), SampleIDs: n.ids},
			Config:  inspectConfig{Epochs: n.epochs, Reducer: []string{"mean"}}},
		Plan: inspectPlan{Name: "plan", Steps: []inspectStep{{Solver: "generate"}}},
		Results: inspectResults{Total: n.total, Completed: n.total - n.unscored,
			Scores: []inspectScore{{Name: "assay", Scorer: "assay", Reducer: "mean", Scored: n.total - n.unscored, Unscored: n.unscored,
				Metrics: map[string]inspectMetric{"accuracy": {Name: "accuracy", Value: accuracy}, "stderr": {Name: "stderr", Value: standardError}}}}},
		Stats: inspectStats{Started: created, Completed: created}})
	if err != nil {
		return err
	}
	buf := bufio.NewWriter(out)
	buf.Write(head[:len(head)-1]) // bufio keeps the first error
	buf.WriteString(`,"samples":[`)
	first := true
	err = w.each(func(j judged) error {
		if modelOf(j.Object) != model {
			return nil
		}
		sample, err := json.Marshal(inspected(j, model))
		if err != nil {
			return err
		}
		if !first {
			buf.WriteByte(',')
		}
		first = false
		buf.WriteByte('\n')
		_, err = buf.Write(sample)
		return err
	})
	if err != nil {
		return err
	}
	buf.WriteString("\n]}\n")
	return buf.Flush()
}

// inspected returns a sample as Inspect logs it.
func inspected(j judged, model string) inspectSample {
	answer := inspectMessage{Role: "assistant", Content: j.Text, Source: "generate"}
	s := inspectSample{ID: j.TaskID, Epoch: j.row.Sample + 1, Input: question(j.task), TotalTime: float64(j.row.WallMS) / 1000,
		Output:   inspectOutput{Model: model, Choices: []inspectChoice{{Message: answer, Stop: "stop"}}, Completion: j.Text},
		Metadata: map[string]any{"language": j.task.Language, "kind": j.Kind}}
	s.Messages = []inspectMessage{{Role: "user", Content: s.Input, Source: "input"}, answer}
	if j.unjudged() {
		s.Error = &inspectError{Message: string(j.row.Verdict) + ": " + j.row.Message}
		return s
	}
	value := "I"
	if j.row.Verdict == judge.Accepted {
		value = "C"
	}
	s.Scores = map[string]inspectValue{"assay": {Value: value, Answer: j.program(), Explanation: j.row.Message,
		Metadata: map[string]any{"verdict": j.row.Verdict, "passed_tests": j.row.PassedTests, "total_tests": j.row.TotalTests, "isolation": j.row.Isolation}}}
	return s
}

// question is the text that a model is asked for a task.
func question(task *benchmark.Task) string { return cmp.Or(task.Prompt, task.Description) }
