package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/scoring"
	"assay/scoring/inspect"
)

// Measures are what was found in a sample's program without running it. The
// program is what was judged: of a completion, the prompt belongs to it.
type Measures struct {
	Parses       bool           `json:"parses"`
	Cyclomatic   int            `json:"cyclomatic"`
	Cognitive    int            `json:"cognitive"`
	CodeLines    int            `json:"code_lines"`
	CommentLines int            `json:"comment_lines"`
	CommentRate  float64        `json:"comment_rate"` // percent
	Findings     int            `json:"findings"`
	Reliability  scoring.Rating `json:"reliability"`
	Security     scoring.Rating `json:"security"`
	Analyser     string         `json:"analyser,omitempty"`
}

// measure is nil where the language has no grammar, or the program cannot be
// parsed in bounded time.
func measure(task *benchmark.Task, program string) *Measures {
	r, err := inspect.Source(task.Language, []byte(program))
	if err != nil {
		return nil
	}
	return &Measures{Parses: r.Valid, Cyclomatic: r.Cyclomatic, Cognitive: r.Cognitive, CodeLines: r.CodeLines,
		CommentLines: r.CommentLines, CommentRate: r.CommentRate, Findings: len(r.Findings),
		Reliability: r.Reliability, Security: r.Security, Analyser: r.Analyser}
}

// MeasureAsJSON measures a program for an evaluation on another machine, which reads what
// comes out as [judge.Result.Measures].
func MeasureAsJSON(task *benchmark.Task, program string) json.RawMessage {
	text, err := json.Marshal(measure(task, program))
	if err != nil {
		panic("batch: measures do not marshal: " + err.Error()) // numbers and short texts
	}
	return text
}

// The bounds of measures that another machine brings.
const (
	maxMeasures = 4 << 10 // bytes
	maxAnalyser = 200
)

// decodeMeasures reads measures that another machine brings; nil are those of a program that
// cannot be measured. What is not exactly as MeasureAsJSON writes it is refused.
func decodeMeasures(text json.RawMessage) (*Measures, error) {
	if len(text) == 0 {
		return nil, errors.New("there are none")
	}
	if len(text) > maxMeasures {
		return nil, fmt.Errorf("they have %d bytes, and at most %d are read", len(text), maxMeasures)
	}
	var m *Measures
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	again, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, text) {
		return nil, errors.New("they are not written as this assay writes them")
	}
	if m == nil {
		return nil, nil
	}
	for _, n := range []int{m.Cyclomatic, m.Cognitive, m.CodeLines, m.CommentLines, m.Findings} {
		if n < 0 {
			return nil, fmt.Errorf("the count %d is none", n)
		}
	}
	for _, r := range []scoring.Rating{m.Reliability, m.Security} {
		if r != scoring.NotAnalysed && (len(r) != 1 || r < "A" || r > "E") {
			return nil, fmt.Errorf("the rating %q is none", r)
		}
	}
	switch {
	case m.CommentRate < 0 || m.CommentRate > 100:
		return nil, fmt.Errorf("%v percent comments are none", m.CommentRate)
	case len(m.Analyser) > maxAnalyser || judge.StripEscapes(m.Analyser) != m.Analyser:
		return nil, errors.New("the name of the analyser is none")
	}
	return m, nil
}

// measured are the measures that came with a result. Where a worker of a fleet brought none,
// or such as are none, or nobody else judged, they are made here.
func (e *evaluation) measured(r judge.Result, task *benchmark.Task, code string, as judge.Assembly) *Measures {
	if r.Worker != "" {
		m, err := decodeMeasures(r.Measures)
		if err == nil {
			return m
		}
		if r.Verdict != judge.SandboxError && e.Say != nil { // what failed there was often not measured either
			e.unmeasured.Do(func() {
				e.Say(fmt.Sprintf("%s brought no measures of %s that can be read (%v): this machine measures where workers do not", judge.StripEscapes(r.Worker), task.ID, err))
			})
		}
	}
	e.measuring <- struct{}{} // results may come from many machines at a time
	defer func() { <-e.measuring }()
	return measure(task, judge.Assemble(task, code, as))
}
