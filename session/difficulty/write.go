package difficulty

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"assay/scoring/irt"
	"assay/session/report/figure"
)

// Figures draws what TaskEval's figures 2 to 5 show: item characteristic curves of the named
// tasks, the map of difficulty and discrimination, the cumulated expected responses, and
// topics. Names without a figure have nothing to show. It is an error to name a task that
// there is not.
func (a *Analysis) Figures(curves []string) (map[string]figure.Figure, error) {
	all := map[string]figure.Figure{"map": a.drawMap(), "expected-responses": a.drawExpected()}
	if len(a.Topics) > 0 {
		all["topics"] = a.drawTopics()
	}
	if len(curves) > 0 {
		var err error
		if all["curves"], err = a.drawCurves(curves); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// drawMap is their figure 3. The expected response stands in the look of the dot.
func (a *Analysis) drawMap() figure.Figure {
	s := figure.Scatter{About: figure.About{Title: "Difficulty and discrimination of each task", N: len(a.Tasks), Of: "tasks",
		Note: "Look: the score expected of a respondent of mean ability. Below 0 the less able do better: suspects left of a half, where most fail; chance right of it."},
		X: figure.Axis{Name: "difficulty", From: 0, To: 1}, Y: figure.Axis{Name: "discrimination", Zero: true}}
	for low := 0; low < 4; low++ { // groups in this order
		for _, t := range a.Tasks {
			if min(int(4*t.Expected), 3) != low {
				continue
			}
			label := ""
			if t.Kind == Suspect {
				label = t.ID
			}
			s.Points = append(s.Points, figure.Dot{X: t.Difficulty.Value, Y: t.Discrimination.Value, Name: t.ID, Label: label,
				Group: fmt.Sprintf("%d to %d %% expected", 25*low, 25*low+25)})
		}
	}
	return s.Draw()
}

// drawExpected is their figure 4.
func (a *Analysis) drawExpected() figure.Figure {
	const most = 12 // curves that can be told apart
	e := figure.ECDF{About: figure.About{Title: "Tasks by the score expected of each respondent", N: len(a.Tasks), Of: "tasks",
		Note: "A point says on how many of the tasks, in percent, at most so much is expected."}, X: figure.Axis{Name: "expected score", From: 0, To: 1}}
	for i, r := range a.Respondents {
		if i == most {
			e.Note += fmt.Sprintf(" The %d ablest of %d respondents.", most, len(a.Respondents))
			break
		}
		e.Samples = append(e.Samples, figure.Sample{Name: r.Name, Values: a.expected[i]})
	}
	return e.Draw()
}

// drawTopics is their figure 5, but for the discrimination, which has another scale.
func (a *Analysis) drawTopics() figure.Figure {
	const most = 11 // columns beside the difficulty
	shown := min(most, len(a.Respondents))
	h := figure.Heatmap{About: figure.About{Title: "Topics: difficulty, and mean score of each respondent", N: len(a.Tasks) - len(a.NoTopic), Of: "tasks",
		Note: fmt.Sprintf("Means over the topic's tasks. %d tasks belong to no topic.", len(a.NoTopic))},
		X: figure.Axis{Name: ""}, Y: figure.Axis{Name: "topic"}, Value: figure.Axis{Name: "mean", From: 0, To: 1}, Columns: []string{"difficulty"}}
	for _, r := range a.Respondents[:shown] {
		h.Columns = append(h.Columns, r.Name)
	}
	if more := len(a.Respondents) - shown; more > 0 {
		h.Note += fmt.Sprintf(" The %d ablest of %d respondents.", shown, len(a.Respondents))
	}
	for _, t := range a.Topics {
		h.Rows = append(h.Rows, t.Name)
		row := []figure.Cell{{Value: t.Difficulty, N: len(t.Tasks)}}
		for _, mean := range t.Mean[:shown] {
			c := figure.Cell{Value: math.NaN()}
			if mean != nil {
				c = figure.Cell{Value: *mean, N: len(t.Tasks)}
			}
			row = append(row, c)
		}
		h.Cells = append(h.Cells, row)
	}
	return h.Draw()
}

// drawCurves is their figure 2.
func (a *Analysis) drawCurves(ids []string) (figure.Figure, error) {
	l := figure.Line{About: figure.About{Title: "Score expected by ability", N: len(ids), Of: "tasks"},
		X: figure.Axis{Name: "ability", From: 0, To: 1}, Y: figure.Axis{Name: "expected score", From: 0, To: 1}}
	if a.model != irt.Beta3 {
		l.X = figure.Axis{Name: "ability", Unit: "SD", From: -3, To: 3}
	}
	for _, id := range ids {
		curve := figure.Curve{Name: id}
		j := a.item(id)
		if j < 0 {
			return figure.Figure{}, fmt.Errorf("there are no responses to a task %q", id)
		}
		const steps = 100
		for k := range steps + 1 {
			x := l.X.From + (l.X.To-l.X.From)*float64(k)/steps
			if a.model == irt.Beta3 {
				x = min(max(x, 0.001), 0.999) // 0 and 1 are no abilities
			}
			y, err := a.estimates.Curve(j, x)
			if err != nil {
				return figure.Figure{}, fmt.Errorf("drawing the curve of %q: %w", id, err)
			}
			curve.Points = append(curve.Points, figure.Point{X: x, Y: y})
		}
		l.Curves = append(l.Curves, curve)
	}
	return l.Draw(), nil
}

// item is the number of a task in the fit, or -1.
func (a *Analysis) item(id string) int {
	for j, name := range a.estimates.Items {
		if name == id {
			return j
		}
	}
	return -1
}

// Write writes the analysis to a directory, which is made: difficulty.json, tasks.csv,
// respondents.csv, and the figures as SVG with their data. It returns the paths.
func (a *Analysis) Write(dir string, curves []string) ([]string, error) {
	figures, err := a.Figures(curves)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the analysis: %w", err)
	}
	files := map[string][]byte{"difficulty.json": append(text, '\n'), "tasks.csv": a.tasksCSV(), "respondents.csv": a.respondentsCSV()}
	for name, f := range figures {
		files[filepath.Join("figures", name+".svg")] = f.SVG()
		files[filepath.Join("figures", name+".csv")] = f.CSV()
	}
	if err := os.MkdirAll(filepath.Join(dir, "figures"), 0o755); err != nil {
		return nil, fmt.Errorf("making the directory of the analysis: %w", err)
	}
	var paths []string
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, fmt.Errorf("writing the analysis: %w", err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func (a *Analysis) tasksCSV() []byte {
	rows := [][]string{{"task", "title", "difficulty", "difficulty_low", "difficulty_high", "discrimination", "discrimination_low", "discrimination_high",
		"expected", "mean", "respondents", "outfit", "kind", "topic"}}
	for _, t := range a.Tasks {
		rows = append(rows, append(append(append([]string{t.ID, t.Title}, t.Difficulty.cells()...), t.Discrimination.cells()...),
			decimal(t.Expected), decimal(t.Mean), strconv.Itoa(t.N), decimal(t.Outfit), string(t.Kind), strconv.Itoa(t.Topic)))
	}
	return csvOf(rows)
}

func (a *Analysis) respondentsCSV() []byte {
	rows := [][]string{{"respondent", "ability", "ability_low", "ability_high", "mean", "tasks", "outfit"}}
	for _, r := range a.Respondents {
		rows = append(rows, append(append([]string{r.Name}, r.Ability.cells()...), decimal(r.Mean), strconv.Itoa(r.N), decimal(r.Outfit)))
	}
	return csvOf(rows)
}

// cells are the value and the ends of its interval, which may be empty.
func (p Parameter) cells() []string {
	if p.Interval == nil {
		return []string{decimal(p.Value), "", ""}
	}
	return []string{decimal(p.Value), decimal(p.Interval.Low), decimal(p.Interval.High)}
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

func csvOf(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := errors.Join(w.WriteAll(rows), w.Error()); err != nil {
		panic("difficulty: a buffer cannot be written to: " + err.Error())
	}
	return b.Bytes()
}
