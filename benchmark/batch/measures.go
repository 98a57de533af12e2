package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
)

// Measures are static measures of what a model wrote, without the task's prompt. They are zero for an answer without
// code.
type Measures struct {
	Parses       bool            `json:"parses"`
	Cyclomatic   int             `json:"cyclomatic"`
	Cognitive    int             `json:"cognitive"`
	CodeLines    int             `json:"code_lines"`
	CommentLines int             `json:"comment_lines"`
	CommentRate  float64         `json:"comment_rate"` // percent
	Findings     int             `json:"findings"`
	Reliability  scoring.Rating  `json:"reliability"`
	Security     scoring.Rating  `json:"security"`
	Analyser     string          `json:"analyser,omitempty"`
	Asked        string          `json:"asked,omitempty"`       // which analysers were named, if any
	By           []scoring.Rated `json:"by_analyser,omitempty"` // what they found; Reliability and Security are the worst of theirs
}

// Analysis rates samples by several analysers.
type Analysis struct {
	Asked string // which ones: results that were rated by the same are not rated again
	Rate  func(ctx context.Context, task *benchmark.Task, number int, code string, as assemble.Assembly) (Analysed, error)
}

// Analysed is what several analysers found in a sample.
type Analysed struct {
	By       []scoring.Rated   // by each of them
	Findings []quality.Finding // of all of them, in the order of the text
}

// rate replaces the ratings of assay's own rules by the worst of those of analysers.
func (m *Measures) rate(asked string, by []scoring.Rated) {
	all := scoring.Together(by)
	m.Asked, m.By, m.Findings, m.Reliability, m.Security, m.Analyser = asked, by, all.Findings, all.Reliability, all.Security, all.Analyser
}

// Inspect inspects the code of a sample within the program that is judged. Errors are those of [inspect.Within].
func Inspect(task *benchmark.Task, code string, as assemble.Assembly) (inspect.Report, error) {
	return inspect.Within(task.Language, []byte(code), Around(task, code, as))
}

// Around is what stands around the code of a sample in the program that is judged.
func Around(task *benchmark.Task, code string, as assemble.Assembly) inspect.Context {
	c := inspect.Context{Before: strings.TrimSuffix(assemble.Join(task, code, as), code), Open: as == assemble.Completion && task.Prompt != ""}
	if c.Open && task.Tests.Script != "" {
		c.After = "\n" + task.Tests.Script // closes what the prompt opens
	}
	return c
}

// measure measures the code of a sample. It returns nil if the language has no grammar, or the code cannot be
// parsed in bounded time.
func measure(task *benchmark.Task, code string, as assemble.Assembly) *Measures {
	if strings.TrimSpace(code) == "" {
		return &Measures{}
	}
	r, err := Inspect(task, code, as)
	if err != nil {
		return nil
	}
	return &Measures{Parses: r.Valid, Cyclomatic: r.Cyclomatic, Cognitive: r.Cognitive, CodeLines: r.CodeLines,
		CommentLines: r.CommentLines, CommentRate: r.CommentRate, Findings: len(r.Findings),
		Reliability: r.Reliability, Security: r.Security, Analyser: r.Analyser}
}

// Facts are what the six dimensions take from measures.
func (m *Measures) Facts() scoring.Facts {
	return scoring.Facts{CodeLines: m.CodeLines, Parses: m.Parses, Cyclomatic: m.Cyclomatic, Cognitive: m.Cognitive,
		Reliability: m.Reliability, Security: m.Security, CommentRate: m.CommentRate}
}

// MeasureAsJSON measures code for an evaluation on another machine, which reads the result as
// [verdicts.Result.Measures].
func MeasureAsJSON(task *benchmark.Task, code string, as assemble.Assembly) json.RawMessage {
	text, err := json.Marshal(measure(task, code, as))
	if err != nil {
		panic("batch: measures do not marshal: " + err.Error()) // numbers and short texts
	}
	return text
}

// Bounds of measures from another machine.
const (
	maxMeasures = 4 << 10 // bytes
	maxAnalyser = 200
	maxFindings = 100 // per line: each rule reports a line once
)

// decodeMeasures reads another machine's measures of a program; nil if it cannot be measured. It
// refuses anything not exactly as MeasureAsJSON writes it, and values that no program of that
// length has.
func decodeMeasures(text json.RawMessage, program string) (*Measures, error) {
	if len(text) == 0 {
		return nil, errors.New("there are none")
	}
	if len(text) > maxMeasures {
		return nil, fmt.Errorf("they are %d bytes long; the limit is %d", len(text), maxMeasures)
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
		return nil, errors.New("they are not in the form that this version writes")
	}
	if m == nil {
		return nil, nil
	}
	if err := m.possible(len(program) + 1); err != nil {
		return nil, err
	}
	return m, nil
}

// possible returns what cannot be true of a program of that length in bytes, plus one: the most
// lines it can have.
func (m *Measures) possible(length int) error {
	for _, n := range []struct{ count, most int }{{m.Cyclomatic, length}, {m.Cognitive, length * length}, {m.CodeLines, length}, {m.CommentLines, length}, {m.Findings, maxFindings * length}} {
		if n.count < 0 {
			return fmt.Errorf("%d is not a count", n.count)
		}
		if n.count > n.most {
			return fmt.Errorf("the count %d is impossible for the program's length", n.count)
		}
	}
	for _, r := range []scoring.Rating{m.Reliability, m.Security} {
		if r != scoring.NotAnalysed && (len(r) != 1 || r < "A" || r > "E") {
			return fmt.Errorf("%q is not a rating", r)
		}
	}
	switch {
	case m.Asked != "" || len(m.By) > 0:
		return errors.New("workers have no other analysers")
	case m.CommentRate != quality.CommentRate(m.CodeLines, m.CommentLines):
		return fmt.Errorf("%v percent comments do not match the counts of lines", m.CommentRate)
	case len(m.Analyser) > maxAnalyser || verdicts.StripEscapes(m.Analyser) != m.Analyser:
		return errors.New("the name of the analyser is invalid")
	}
	return nil
}

// measured returns the measures that came with a result. If a fleet's worker sent none or invalid
// ones, or the judge is on this machine, they are made here. A sample that failed in the sandbox
// without measures stays unmeasured: measuring it may be what ended the workers.
func (e *evaluation) measured(r verdicts.Result, task *benchmark.Task, code string, as assemble.Assembly) *Measures {
	if r.Worker == "" {
		return e.measureHere(task, code, as)
	}
	sent, err := decodeMeasures(r.Measures, assemble.Join(task, code, as))
	if err == nil && (sent != nil || r.Verdict == verdicts.SandboxError) {
		return sent
	}
	here := e.measureHere(task, code, as)
	if err == nil && here != nil {
		err = errors.New("it reports that nothing can be measured")
	}
	if err != nil && r.Verdict != verdicts.SandboxError && e.Say != nil {
		e.unmeasured.Do(func() {
			e.Say(fmt.Sprintf("%s sent no usable measures of %s (%v): this machine measures where workers do not", verdicts.StripEscapes(r.Worker), task.ID, err))
		})
	}
	return here
}

// analyse rates measured code by the analysers that are named.
func (e *evaluation) analyse(ctx context.Context, m *Measures, task *benchmark.Task, number int, code string, as assemble.Assembly) error {
	if e.Analysis == nil || m == nil || m.CodeLines == 0 {
		return nil
	}
	e.measuring <- struct{}{}
	defer func() { <-e.measuring }()
	found, err := e.Analysis.Rate(ctx, task, number, code, as)
	if err == nil {
		m.rate(e.Analysis.Asked, found.By)
	}
	return err
}

// measureHere measures code, a bounded number at a time: results may arrive from many machines at once.
func (e *evaluation) measureHere(task *benchmark.Task, code string, as assemble.Assembly) *Measures {
	e.measuring <- struct{}{}
	defer func() { <-e.measuring }()
	return measure(task, code, as)
}
