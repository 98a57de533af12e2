package batch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
)

// inspect writes a log for each model. A sample is an epoch of its task's sample in the log; one without a verdict
// has an error there, and no score.
func (w *resultsWriter) inspect(hash string) ([]string, error) {
	logs := map[string]*inspectTally{}
	err := w.each(func(j judged) error {
		model := modelOf(j.Object)
		if logs[model] == nil {
			logs[model] = &inspectTally{tasks: map[string]*inspectCount{}}
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
	ids             []string // of tasks in the order of their first samples
	tasks           map[string]*inspectCount
	total, unscored int
	epochs          int // the most samples of a task
}

// inspectCount counts the samples of a task.
type inspectCount struct{ all, judged, accepted int }

func (n *inspectTally) add(j judged) {
	c := n.tasks[j.TaskID]
	if c == nil {
		c = &inspectCount{}
		n.ids, n.tasks[j.TaskID] = append(n.ids, j.TaskID), c
	}
	c.all++
	n.total++
	n.epochs = max(n.epochs, c.all)
	if j.unjudged() {
		n.unscored++
		return
	}
	c.judged++
	if j.row.Verdict == verdicts.Accepted {
		c.accepted++
	}
}

// shares are those of accepted samples of each task that has a verdict.
func (n *inspectTally) shares() (all []float64) {
	for _, id := range n.ids {
		if c := n.tasks[id]; c.judged > 0 {
			all = append(all, float64(c.accepted)/float64(c.judged))
		}
	}
	return all
}

// unjudged reports whether the sample has no verdict.
func (j judged) unjudged() bool {
	return j.row.Verdict == verdicts.NotJudged || j.row.Verdict == verdicts.SandboxError
}

func (w *resultsWriter) inspectLog(out io.Writer, model string, n *inspectTally, hash string) error {
	dir, err := filepath.Abs(w.o.Out)
	if err != nil {
		return err
	}
	judgedSamples := n.total - n.unscored
	log := format.InspectLog{
		Eval: format.InspectEval{EvalID: filepath.Base(dir), RunID: filepath.Base(dir), Task: w.o.Benchmark.Name, TaskID: hash, Model: model,
			Dataset: format.InspectDataset{Name: w.o.Benchmark.Name, Samples: len(n.ids), SampleIDs: n.ids}, Config: format.InspectConfig{Epochs: n.epochs}},
		Results: format.InspectResults{Total: n.total, Completed: judgedSamples,
			Scores: []format.InspectScore{format.NewInspectScore("assay", judgedSamples, n.unscored, n.shares())}}}
	epochs := map[string]int{}
	return format.WriteInspect(out, log, w.now, func(add func(format.InspectSample) error) error {
		return w.each(func(j judged) error {
			if modelOf(j.Object) != model {
				return nil
			}
			epochs[j.TaskID]++
			return add(inspected(j, model, epochs[j.TaskID]))
		})
	})
}

// inspected returns a sample as Inspect logs it.
func inspected(j judged, model string, epoch int) format.InspectSample {
	answer := format.InspectMessage{Role: "assistant", Content: j.Text, Source: "generate"}
	s := format.InspectSample{ID: j.TaskID, Epoch: epoch, Input: question(j.task), TotalTime: float64(j.row.WallMS) / 1000,
		Output:   format.InspectOutput{Model: model, Choices: []format.InspectChoice{{Message: answer, Stop: "stop"}}, Completion: j.Text},
		Metadata: map[string]any{"language": j.task.Language, "kind": j.Kind}}
	s.Messages = []format.InspectMessage{{Role: "user", Content: s.Input, Source: "input"}, answer}
	if j.unjudged() {
		s.Error = &format.InspectError{Message: string(j.row.Verdict) + ": " + j.row.Message}
		return s
	}
	value := format.InspectIncorrect
	if j.row.Verdict == verdicts.Accepted {
		value = format.InspectCorrect
	}
	s.Scores = map[string]format.InspectValue{"assay": {Value: value, Answer: j.program(), Explanation: j.row.Message,
		Metadata: map[string]any{"verdict": j.row.Verdict, "passed_tests": j.row.PassedTests, "total_tests": j.row.TotalTests, "isolation": j.row.Isolation}}}
	return s
}

// question is the text that a model is asked for a task.
func question(task *benchmark.Task) string { return cmp.Or(task.Prompt, task.Description) }
