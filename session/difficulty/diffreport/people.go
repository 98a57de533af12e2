package diffreport

import (
	"fmt"

	"assay/scoring/stats"
	doc "assay/session/report/document"
)

// People is how hard people take tasks to be, beside how hard they are for models (TaskEval,
// section 5.4 and table 3). Both are numbers of levels, from 0 for the easiest.
type People struct {
	Benchmark string          `json:"benchmark"` // the name of the analysis; "": of the only one
	Tasks     int             `json:"tasks"`     // that both judged
	People    int             `json:"people"`
	Levels    []string        `json:"levels"`     // in people's words, the easiest first
	Discrete  string          `json:"discretely"` // how the models' difficulty was brought to the levels
	Kappa     float64         `json:"kappa"`      // Cohen's, with linear weights
	Interval  *stats.Interval `json:"kappa_interval,omitempty"`
	Rows      []Judged        `json:"rows"` // tasks, the largest disagreement first
}

// Judged is one task's two levels.
type Judged struct {
	Task   string `json:"task"`
	Title  string `json:"title"`
	Models int    `json:"models"`
	People int    `json:"people"`
}

// mostJudged is how many disagreements are listed.
const mostJudged = 10

// people writes the section about people and models; p is an element of Report.People.
func (w *writer) people(p *People) {
	s := w.section("people", "People and models", "How hard people take tasks to be, beside how hard they are for models (", doc.Fixed("TaskEval, section 5.4 and table 3"), ").")
	s.Text(w.d.Count(&p.Tasks), " tasks, ", w.d.Count(&p.People), " people. Agreement: Cohen's kappa with linear weights ", w.d.Num(&p.Kappa, 2), " (", w.level(), ": ", w.d.Range(p.Interval, 1, 2), ").")
	if p.Discrete != "" {
		s.Text("The models' difficulty on people's levels: ", doc.Fixed(p.Discrete), ".")
	}
	t := w.table(s, "people", "The largest disagreements between models and people, after TaskEval, table 3", doc.Left("task description"), doc.Left("task"), doc.Right("LLMs"), doc.Right("humans"))
	for i := range p.Rows {
		if i == mostJudged {
			break
		}
		x := &p.Rows[i]
		t.Row(name(x.Title), name(x.Task), w.d.Count(&x.Models), w.d.Count(&x.People))
	}
	var levels []any
	for i, l := range p.Levels {
		if i > 0 {
			levels = append(levels, "; ")
		}
		levels = append(levels, doc.Name(fmt.Sprintf("%d: %s", i, l)))
	}
	if len(levels) > 0 {
		t.Note(append(append([]any{"Levels, "}, levels...), ".")...)
	}
}

// peopleOf is what people said of the analysis that is written about.
func (w *writer) peopleOf() {
	for i := range w.People {
		if p := &w.People[i]; p.Benchmark == w.a.Source.Name || p.Benchmark == "" && len(w.Analyses) == 1 {
			w.people(p)
		}
	}
}
