package difficulty

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"

	"assay/session/difficulty"
	"assay/session/report"
)

// kind is the kind of these reports.
var kind = report.Kind{Key: "assay_difficulty_report", Version: FormatVersion, Command: "assay difficulty RESULTS"}

// IsReport reports whether a folder holds a report of this kind.
func IsReport(dir fs.FS) bool { return kind.In(dir) }

// CheckFiles checks the report in a folder; see [report.CheckFiles].
func CheckFiles(dir fs.FS) (*Report, []report.Check, error) {
	return report.CheckFiles(dir, kind, func(r *Report, dir fs.FS) ([]report.Check, error) {
		if err := r.whole(); err != nil {
			return nil, fmt.Errorf("report.json: %w; it was changed after it was written", err)
		}
		tables, err := r.checkTables(dir)
		if err != nil {
			return nil, err
		}
		return append(r.checkData(), *tables), nil
	})
}

// checkData recomputes the report from responses and parameters.
func (r *Report) checkData() []report.Check {
	totals, expected, means, views := report.NewCheck("Totals agree"), report.NewCheck("Expected scores computed again from the parameters"),
		report.NewCheck("Means and topics computed again from the responses"), report.NewCheck("What is shown computed again from the analysis")
	for i, a := range r.Analyses {
		r.checkTotals(totals, a, &r.Views[i])
		checkExpected(expected, a)
		checkMeans(means, a)
		r.checkView(views, i)
	}
	if len(r.Analyses) == 2 {
		again, err := compare(r.Analyses[0], r.Analyses[1], r.Compared.Why)
		same(views, "the comparison", again, r.Compared, err)
	}
	return []report.Check{*totals, *expected, *means, *views}
}

// same compares two things by their JSON.
func same(c *report.Check, what string, want, got any, err error) {
	c.Compared++
	x, errX := json.Marshal(want)
	y, errY := json.Marshal(got)
	if err != nil || errX != nil || errY != nil || !bytes.Equal(x, y) {
		c.Fault("%s is not what the analysis gives", what)
	}
}

func (r *Report) checkView(c *report.Check, i int) {
	var named []string
	for _, at := range r.Views[i].Shown {
		if at < 0 || at >= len(r.Analyses[i].Respondents) {
			c.Fault("there is no respondent %d", at)
			return
		}
		named = append(named, r.Analyses[i].Respondents[at].Name)
	}
	again, err := view(r.Analyses[i], named)
	same(c, "what is shown of "+r.Analyses[i].Source.Name, again, r.Views[i], err)
}

func (r *Report) checkTotals(c *report.Check, a *difficulty.Analysis, v *View) {
	name := a.Source.Name
	c.Equal(name+": tasks", v.Tasks, len(a.Tasks))
	c.Equal(name+": respondents", v.Respondents, len(a.Respondents))
	responses, inTopics, suspects, noise := 0, 0, 0, 0
	for _, x := range a.Respondents {
		n := 0
		for _, s := range x.Scores {
			if s != nil {
				n++
			}
		}
		c.Equal(name+": tasks that "+x.Name+" answered", x.N, n)
		responses += n
	}
	c.Equal(name+": responses", a.Fit.Responses, responses)
	for _, t := range a.Topics {
		inTopics += len(t.Tasks)
	}
	if len(a.Topics) > 0 {
		c.Equal(name+": tasks with and without a topic", inTopics+len(a.NoTopic), len(a.Tasks))
	}
	for j, t := range a.Tasks {
		kind := difficulty.Usual
		if a.Model == "β3-IRT" && t.Discrimination.Value < 0 {
			if kind = difficulty.Chance; t.Difficulty.Value < difficulty.Half {
				kind = difficulty.Suspect
			}
		}
		if !a.Varies(j) {
			kind = difficulty.Alike
		}
		switch kind {
		case difficulty.Suspect:
			suspects++
		case difficulty.Chance:
			noise++
		}
		if c.Compared++; t.Kind != kind || j > 0 && t.Difficulty.Value > a.Tasks[j-1].Difficulty.Value {
			c.Fault("%s: %s is %q, or not in its place", name, t.ID, t.Kind)
		}
	}
	c.Equal(name+": suspects", v.Suspects, suspects)
	c.Equal(name+": noise", v.Noise, noise)
}

// checkExpected computes expected scores from the formula, without package irt.
func checkExpected(c *report.Check, a *difficulty.Analysis) {
	for _, x := range a.Respondents {
		for j, t := range a.Tasks {
			theta, delta, slope := x.Ability.Value, t.Difficulty.Value, t.Discrimination.Value
			want := 1 / (1 + math.Exp(-slope*(theta-delta)))
			if a.Model == "β3-IRT" {
				want = 1 / (1 + math.Pow(delta/(1-delta), slope)*math.Pow(theta/(1-theta), -slope))
			}
			if c.Compared++; !(math.Abs(x.Expected[j]-want) < 1e-6) {
				c.Fault("%s, %s: %v is expected, not %v", x.Name, t.ID, x.Expected[j], want)
			}
		}
	}
}

// checkMeans recomputes the means.
func checkMeans(c *report.Check, a *difficulty.Analysis) {
	at := map[string]int{}
	for j, t := range a.Tasks {
		at[t.ID] = j
		var scores []*float64
		for i := range a.Respondents {
			scores = append(scores, a.Respondents[i].Scores[j])
		}
		mean, n := meanOf(scores)
		c.Equal(t.ID+": respondents", t.N, n)
		c.Near(t.ID+": mean", report.Number(t.Mean), mean)
	}
	for _, x := range a.Respondents {
		mean, _ := meanOf(x.Scores)
		c.Near(x.Name+": mean", report.Number(x.Mean), mean)
	}
	for _, topic := range a.Topics {
		hard, steep := 0.0, 0.0
		for _, id := range topic.Tasks {
			hard, steep = hard+a.Tasks[at[id]].Difficulty.Value, steep+a.Tasks[at[id]].Discrimination.Value
		}
		n := float64(len(topic.Tasks))
		c.Near(topic.Name+": difficulty", report.Number(topic.Difficulty), hard/n)
		c.Near(topic.Name+": discrimination", report.Number(topic.Discrimination), steep/n)
		for i, x := range a.Respondents {
			var scores []*float64
			for _, id := range topic.Tasks {
				scores = append(scores, x.Scores[at[id]])
			}
			mean, _ := meanOf(scores)
			got := math.NaN()
			if m := topic.Mean[i]; m != nil {
				got = *m
			}
			c.Near(topic.Name+": mean of "+x.Name, report.Number(got), mean)
		}
	}
}

// meanOf returns the mean, NaN of no values.
func meanOf(scores []*float64) (mean float64, n int) {
	for _, s := range scores {
		if s != nil {
			mean, n = mean+*s, n+1
		}
	}
	return mean / float64(n), n
}

// checkTables compares the tables in a folder with the data.
func (r *Report) checkTables(dir fs.FS) (*report.Check, error) {
	c := report.NewCheck("The tables are those of the data")
	for _, t := range r.tables() {
		name := report.DatasetFile(t.Name)
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("a table of the report cannot be read: %w", err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		at := 1
		for want := range t.Rows {
			for k := range want {
				c.Compared++
				if at >= len(rows) || k >= len(rows[at]) || rows[at][k] != want[k] {
					c.Fault("%s, line %d is not as the data have it", name, at+1)
					break
				}
			}
			at++
		}
		c.Equal(name+": rows", len(rows), at)
	}
	return c, nil
}
