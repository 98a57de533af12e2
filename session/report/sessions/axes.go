package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session"
	"assay/session/report"
	"assay/session/report/figure"
)

// results returns the name of what n counts: several testers have several results for one task.
func (r *Report) results() string {
	if r.Testers > 1 {
		return "results"
	}
	return "tasks"
}

// about returns what a figure shows, with n.
func (r *Report) about(title string, n int, note string) figure.About {
	var benchmarks, models []string
	recorded, imported := false, false
	once := func(list *[]string, name string) {
		if name = cmp.Or(name, "without a name"); !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, h := range r.Sessions {
		once(&benchmarks, h.Benchmark)
		once(&models, h.Model)
		recorded, imported = recorded || h.Recorded, imported || h.Imported
	}
	source := fmt.Sprintf("assay, %d sessions", len(r.Sessions))
	if len(r.Sessions) == 1 {
		source = "assay session " + r.Sessions[0].ID
	}
	if r.Testers > 1 {
		source += fmt.Sprintf(", %d testers, %d tasks", r.Testers, r.Tasks)
	}
	source += fmt.Sprintf("; benchmark %s; model %s", strings.Join(benchmarks, ", "), strings.Join(models, ", "))
	if recorded {
		source += ", recorded answers"
	}
	if imported {
		source += "; imported"
	}
	return figure.About{Title: title, Source: source + ".", N: n, Of: r.results(), Note: note}
}

// timeAxis is in seconds, or in minutes if tasks take long.
func (r *Report) timeAxis() (figure.Axis, float64) {
	axis, scale := figure.Axis{Name: "completion time", Unit: "s", Zero: true}, 1.0
	if r.Times.Completion.Max >= 1800 {
		axis.Unit, scale = "min", 1.0/60
	}
	return axis, scale
}

const timeNote = "From opening a task to the judgement that ends it; rating is apart."

func phaseName(phase string) string {
	return map[string]string{
		string(session.Read): "reading", string(session.Compose): "writing", string(session.Wait): "waiting for the model",
		string(session.Review): "reviewing", string(session.Rate): "rating",
	}[phase]
}

// bounds returns the ends of the interval, 0 and 0 if there is none.
func bounds(e report.Estimate) (low, high float64) {
	if e.Interval == nil {
		return 0, 0
	}
	return e.Interval.Low, e.Interval.High
}

// totalAxis is the axis of total quality, the sum of the scores, from its least to its greatest value.
func (r *Report) totalAxis(name string) figure.Axis {
	return figure.Axis{Name: name, Unit: fmt.Sprintf("of %d", r.Ratings.Total.Max), From: float64(session.MinScore * len(r.Ratings.Attributes)), To: float64(r.Ratings.Total.Max)}
}

func named(value string) string { return cmp.Or(value, "(none)") }

// scale returns the best score of the attributes, which all have the same.
func (r *Report) scale() int {
	if len(r.Ratings.Attributes) == 0 {
		return session.MaxScore
	}
	return r.Ratings.Attributes[0].Max
}
