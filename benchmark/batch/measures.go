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
	"assay/scoring/quality"
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
	maxFindings = 100 // in a line: each rule says a thing once there
)

// decodeMeasures reads measures that another machine brings of a program; nil are those of one
// that cannot be measured. What is not exactly as MeasureAsJSON writes it is refused, and so is
// what no program of that length has.
func decodeMeasures(text json.RawMessage, program string) (*Measures, error) {
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
	if err := m.possible(len(program) + 1); err != nil {
		return nil, err
	}
	return m, nil
}

// possible says what in measures cannot be of a program of some length, which is one more than
// its bytes: so many lines it may have.
func (m *Measures) possible(length int) error {
	for _, n := range []struct{ count, most int }{{m.Cyclomatic, length}, {m.Cognitive, length * length}, {m.CodeLines, length}, {m.CommentLines, length}, {m.Findings, maxFindings * length}} {
		if n.count < 0 {
			return fmt.Errorf("the count %d is none", n.count)
		}
		if n.count > n.most {
			return fmt.Errorf("the count %d is more than the program can have", n.count)
		}
	}
	for _, r := range []scoring.Rating{m.Reliability, m.Security} {
		if r != scoring.NotAnalysed && (len(r) != 1 || r < "A" || r > "E") {
			return fmt.Errorf("the rating %q is none", r)
		}
	}
	switch {
	case m.CommentRate != quality.CommentRate(m.CodeLines, m.CommentLines):
		return fmt.Errorf("%v percent comments are not those of the lines", m.CommentRate)
	case len(m.Analyser) > maxAnalyser || judge.StripEscapes(m.Analyser) != m.Analyser:
		return errors.New("the name of the analyser is none")
	}
	return nil
}

// measured are the measures that came with a result. Where a worker of a fleet brought none,
// or such as are none, or nobody else judged, they are made here. Where nobody measured what
// failed in the sandbox it stays so: that may be what ended the workers.
func (e *evaluation) measured(r judge.Result, task *benchmark.Task, code string, as judge.Assembly) *Measures {
	program := judge.Assemble(task, code, as)
	if r.Worker == "" {
		return e.measureHere(task, program)
	}
	brought, err := decodeMeasures(r.Measures, program)
	if err == nil && (brought != nil || r.Verdict == judge.SandboxError) {
		return brought
	}
	here := e.measureHere(task, program)
	if err == nil && here != nil {
		err = errors.New("it says that there are none to be had")
	}
	if err != nil && r.Verdict != judge.SandboxError && e.Say != nil {
		e.unmeasured.Do(func() {
			e.Say(fmt.Sprintf("%s brought no measures of %s that can be read (%v): this machine measures where workers do not", judge.StripEscapes(r.Worker), task.ID, err))
		})
	}
	return here
}

// measureHere measures as many programs at a time as there is room for: results may come from
// many machines at a time.
func (e *evaluation) measureHere(task *benchmark.Task, program string) *Measures {
	e.measuring <- struct{}{}
	defer func() { <-e.measuring }()
	return measure(task, program)
}
