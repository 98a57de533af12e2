package difficulty

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"assay/scoring/irt"
	"assay/scoring/quality"
)

// Format is the version of the format of FileName.
const Format = 1

// FileName is the file that holds an analysis.
const FileName = "difficulty.json"

// Source is the source of an analysis.
type Source struct {
	Name    string   `json:"name"`             // of the benchmark or the input
	Results []string `json:"results"`          // runs, directories or the table, as given
	Tasks   string   `json:"tasks,omitempty"`  // the benchmark, if its tasks were given
	Filter  string   `json:"filter,omitempty"` // what chose the tasks of the analysis; absent: all
	By      By       `json:"by,omitempty"`
	Score   Score    `json:"score,omitempty"`
	Seed    uint64   `json:"seed"`
}

// Curve is the expected score on a task, and the information in an answer about ability, at each of
// Analysis.Abilities.
type Curve struct {
	Task        string    `json:"task"`
	Why         string    `json:"why,omitempty"` // why it was chosen; empty if it was named
	Expected    []float64 `json:"expected"`
	Information []float64 `json:"information"` // Fisher's, about the logit of ability
}

// steps is the number of segments of a curve.
const steps = 100

// information adds the information in answers to all tasks about ability.
func (a *Analysis) information() error {
	for k := range steps + 1 {
		x := float64(k) / steps
		switch {
		case a.model != irt.Beta3:
			x = 6*x - 3 // standard deviations
		default:
			x = min(max(x, 0.001), 0.999) // 0 and 1 are not valid abilities
		}
		information, err := a.estimates.TestInformation(x)
		if err != nil {
			return err
		}
		a.Abilities, a.Information = append(a.Abilities, x), append(a.Information, information)
	}
	return nil
}

// keep sorts tasks and respondents by difficulty and ability, and adds the data of a report in that order.
func (a *Analysis) keep() error {
	r := a.responses
	slices.SortStableFunc(a.Tasks, func(x, y Task) int { return compare(y.Difficulty.Value, x.Difficulty.Value) })
	a.Format, a.Model = Format, a.model.String()
	at := map[string]int{}
	for j, id := range a.estimates.Items {
		at[id] = j
	}
	for place, i := range a.order {
		x := &a.Respondents[place]
		for _, t := range a.Tasks {
			j := at[t.ID]
			x.Expected = append(x.Expected, a.expected[place][j])
			x.Scores = append(x.Scores, present(r.Scores[i][j]))
			if r.Trials != nil {
				x.Trials = append(x.Trials, present(r.Trials[i][j]))
			}
		}
	}
	for j := range a.Tasks {
		if !a.Varies(j) {
			a.Tasks[j].Kind, a.Tasks[j].Sure = Alike, false
		}
	}
	if n := a.outside(); n > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf(outsideNote+": %d; trust the intervals.", n))
	}
	return a.information()
}

// outsideNote is the start of the note on estimates outside their intervals.
const outsideNote = "Estimates outside of their intervals"

// outside counts the parameters whose interval does not contain the estimate.
func (a *Analysis) outside() (n int) {
	count := func(p Parameter) {
		if iv := p.Interval; iv != nil && (p.Value < iv.Low || p.Value > iv.High) {
			n++
		}
	}
	for _, r := range a.Respondents {
		count(r.Ability)
	}
	for j, t := range a.Tasks {
		if a.Varies(j) { // other tasks have no known discrimination
			count(t.Difficulty)
			count(t.Discrimination)
		}
	}
	return n
}

func present(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// Draw adds the characteristic curves of the named tasks (TaskEval, figure 2). If none are named, it
// chooses among the tasks with differing responses whose discrimination is surely positive (positive, where few are) the
// hardest, the easiest, and those that separate best and least; and the task with the most negative discrimination. An unknown
// task is an error.
func (a *Analysis) Draw(ids []string) error {
	var curves []Curve
	for _, id := range ids {
		curves = append(curves, Curve{Task: id})
	}
	if len(ids) == 0 {
		curves = a.examples()
	}
	for i := range curves {
		c := &curves[i]
		j := slices.Index(a.estimates.Items, c.Task)
		if j < 0 {
			return fmt.Errorf("there are no responses to a task %q", c.Task)
		}
		for _, x := range a.Abilities {
			y, err := a.estimates.Curve(j, x)
			if err != nil {
				return fmt.Errorf("drawing the curve of %q: %w", c.Task, err)
			}
			information, err := a.estimates.ItemInformation(j, x)
			if err != nil {
				return fmt.Errorf("drawing the information of %q: %w", c.Task, err)
			}
			c.Expected, c.Information = append(c.Expected, y), append(c.Information, information)
		}
	}
	a.Curves = curves
	return nil
}

// examples returns tasks with different curves.
func (a *Analysis) examples() []Curve {
	var varied, usual, sure []Task
	for place, t := range a.Tasks {
		if !a.Varies(place) {
			continue
		}
		varied = append(varied, t)
		if t.Discrimination.Value > 0 {
			usual = append(usual, t)
			if t.Sure {
				sure = append(sure, t)
			}
		}
	}
	if len(sure) > 1 {
		usual = sure
	}
	if len(varied) == 0 {
		varied = a.Tasks
	}
	if len(usual) == 0 {
		usual = varied
	}
	var all []Curve
	add := func(t Task, why string) {
		if i := slices.IndexFunc(all, func(c Curve) bool { return c.Task == t.ID }); i >= 0 {
			all[i].Why += ", " + why
			return
		}
		all = append(all, Curve{Task: t.ID, Why: why})
	}
	by := func(x, y Task) int { return compare(x.Discrimination.Value, y.Discrimination.Value) }
	add(usual[0], "the hardest")
	add(usual[len(usual)-1], "the easiest")
	add(slices.MaxFunc(usual, by), "separates best")
	add(slices.MinFunc(usual, by), "separates least")
	if low := slices.MinFunc(varied, by); low.Discrimination.Value < 0 {
		add(low, cmp.Or(string(low.Kind), "falls"))
	}
	return all
}

// Varies reports whether the responses to the task at an index differ.
func (a *Analysis) Varies(place int) bool {
	var first *float64
	for i := range a.Respondents {
		switch s := a.Respondents[i].Scores[place]; {
		case s == nil:
		case first == nil:
			first = s
		case *s != *first:
			return true
		}
	}
	return false
}

// Read reads the analysis in a directory. Other format versions are an error.
func Read(dir fs.FS) (*Analysis, error) {
	text, err := fs.ReadFile(dir, FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s; `assay difficulty RESULTS --out DIRECTORY` writes one", FileName)
	}
	if err != nil {
		return nil, err
	}
	var head struct {
		Format *int `json:"assay_difficulty"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s is not an analysis: %w", FileName, err)
	}
	switch {
	case head.Format == nil:
		return nil, fmt.Errorf("%s names no format: it was written by an assay before format %d, or by another program; write it again with `assay difficulty RESULTS --out DIRECTORY`", FileName, Format)
	case *head.Format != Format:
		return nil, fmt.Errorf("%s has format %d, but this version reads format %d: write it again, or use the assay that wrote it", FileName, *head.Format, Format)
	}
	var a Analysis
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("%s: %w", FileName, err)
	}
	if err := a.Whole(); err != nil {
		return nil, fmt.Errorf("%s: %w; it was changed after it was written", FileName, err)
	}
	return &a, nil
}

// Whole checks that all lists have consistent lengths.
func (a *Analysis) Whole() error {
	var bad []string
	need := func(holds bool, format string, args ...any) {
		if !holds {
			bad = append(bad, fmt.Sprintf(format, args...))
		}
	}
	tasks, known := len(a.Tasks), map[string]bool{}
	for _, t := range a.Tasks {
		known[t.ID] = true
	}
	need(tasks > 0 && len(a.Respondents) > 0, "there are no tasks or no respondents")
	need(len(known) == tasks, "a task occurs twice")
	need(len(a.Abilities) > 1 && len(a.Information) == len(a.Abilities), "the test information is missing")
	for _, r := range a.Respondents {
		need(len(r.Expected) == tasks && len(r.Scores) == tasks && (len(r.Trials) == tasks || len(r.Trials) == 0), "the scores of %s are not those of %d tasks", r.Name, tasks)
	}
	for _, t := range a.Topics {
		need(len(t.Mean) == len(a.Respondents) && len(t.Tasks) > 0, "the topic %s has other respondents", t.Name)
		need(!slices.ContainsFunc(t.Tasks, func(id string) bool { return !known[id] }), "the topic %s has other tasks", t.Name)
	}
	for _, c := range a.Curves {
		need(len(c.Expected) == len(a.Abilities) && len(c.Information) == len(a.Abilities) && known[c.Task], "the curve of %s is cut short, or of no task", c.Task)
	}
	if a.Constructs != nil {
		for _, m := range a.Constructs.Means {
			need(known[m.Task] && len(m.PerLine) == len(quality.AllConstructs()), "the constructs of %s in %s are cut short, or of no task", m.Model, m.Task)
		}
	}
	if a.Originals != nil {
		for _, row := range a.Originals.Rows {
			need(known[row.Task], "there is an original prompt of %s, which is no task", row.Task)
		}
	}
	for _, l := range a.Looks {
		need(known[l.Task], "there are answers to %s, which is no task", l.Task)
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad[:min(3, len(bad))], "; "))
	}
	return nil
}
