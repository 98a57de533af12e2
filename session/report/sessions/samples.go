package sessions

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/data/disk"
	"assay/scoring"
	"assay/session/report"
	"assay/session/report/evaluations"
)

// WriteSamples writes the final answers of the sessions into dir, for evaluations: tasks.json, labels.csv with what testers
// said of the answers, and for each arm a file of samples, NAME.jsonl. NAME is what labels call the run. It returns the files,
// SHA256SUMS last.
func (r *Report) WriteSamples(dir string) ([]string, error) {
	if len(r.answers) == 0 {
		return nil, errors.New("no task of these sessions ended with an answer that was judged")
	}
	b := &benchmark.Benchmark{Name: clean(r.Sessions[0].Benchmark)}
	known, names := map[string]bool{}, map[string]bool{"tasks": true, "labels": true}
	var labels []evaluations.Label
	var files []report.File
	for _, arm := range r.answers {
		file := cmp.Or(fileName(arm.name), "model")
		name := file
		for n := 2; names[name]; n++ {
			name = fmt.Sprintf("%s-%d", file, n)
		}
		names[name] = true
		var samples []format.Sample
		for _, a := range arm.answers {
			if !known[a.sampleTask] {
				known[a.sampleTask] = true
				t, err := a.stored(r.texts)
				if err != nil {
					return nil, err
				}
				b.Tasks = append(b.Tasks, *t)
			}
			text, err := a.text(r.texts)
			if err != nil {
				return nil, err
			}
			samples = append(samples, format.Sample{TaskID: a.sampleTask, Kind: format.Answer, Text: text})
			if l := a.label(); l.Explanation != scoring.Unknown || l.Cause != scoring.NoCause {
				l.Run, l.Task, l.Sample = name, a.sampleTask, a.sample
				labels = append(labels, l)
			}
		}
		files = append(files, report.File{Name: name + ".jsonl", Write: func(out io.Writer) error {
			at := 0
			_, err := format.WriteSamples(disk.Out{Path: disk.Stdout, To: out}, format.HumanEvalSamples, b.Tasks, func() (format.Sample, error) {
				if at == len(samples) {
					return format.Sample{}, io.EOF
				}
				at++
				return samples[at-1], nil
			})
			return err
		}})
	}
	files = append(files,
		report.File{Name: "tasks.json", Write: func(out io.Writer) error { return format.WriteTasks(out, b, format.Assay, false) }},
		report.File{Name: "labels.csv", Write: func(out io.Writer) error { return evaluations.WriteLabels(out, labels) }})
	return report.WriteFiles(dir, files)
}

// stored returns the task as its session stored it.
func (a finalAnswer) stored(texts Texts) (*benchmark.Task, error) {
	t := &benchmark.Task{}
	text, err := texts(a.Content)
	if err == nil {
		err = json.Unmarshal(text, t)
	}
	if err != nil {
		return nil, fmt.Errorf("session %s: the task %q is not stored with its tests: %w", a.in.header.ID, clean(a.ID), err)
	}
	t.ID = a.sampleTask
	return t, nil
}

// text returns what the model answered.
func (a finalAnswer) text(texts Texts) (string, error) {
	answer := a.final().Answer
	if answer == nil || answer.Answer == "" {
		return "", fmt.Errorf("session %s: the answer to %q is not stored, as in sessions imported from tables", a.in.header.ID, clean(a.ID))
	}
	text, err := texts(answer.Answer)
	return string(text), err
}
