package evaluations

import (
	"encoding/json"
	"fmt"

	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Usage is what the accepted samples of a run use: medians over tasks, of the medians of each task's samples.
type Usage struct {
	Run      string          `json:"run"`
	Filtered bool            `json:"without_outliers"` // samples that are flagged as outliers are left out
	Samples  int             `json:"samples"`          // accepted
	CPU      report.Estimate `json:"cpu_ms"`           // processor time
	Memory   report.Estimate `json:"memory_mb"`        // most that was resident
}

// uses computes what samples use, for each run, and again without outliers where there are some.
func (r *Report) uses() {
	r.Usage = []Usage{}
	for run := range r.Runs {
		all := r.usage(run, false)
		if all.Samples == 0 {
			continue
		}
		r.Usage = append(r.Usage, all)
		if some := r.usage(run, true); some.Samples < all.Samples && some.Samples > 0 {
			r.Usage = append(r.Usage, some)
		}
	}
}

func (r *Report) usage(run int, filtered bool) Usage {
	u := Usage{Run: r.Runs[run].Name, Filtered: filtered}
	var cpu, memory []float64
	for _, i := range r.drawn {
		var times, sizes []float64
		for _, row := range r.given[run].of[i] {
			if row.Verdict == verdicts.Accepted && row.MemoryKB > 0 && !(filtered && r.given[run].odd[sampleID{row.TaskID, row.Sample}]) {
				times, sizes = append(times, float64(row.CPUMS)), append(sizes, float64(row.MemoryKB)/1024)
			}
		}
		if len(times) > 0 {
			u.Samples += len(times)
			cpu, memory = append(cpu, stats.Median(times)), append(memory, stats.Median(sizes))
		}
	}
	u.CPU, u.Memory = medianOf(cpu), medianOf(memory)
	return u
}

// medianOf is the median over tasks with its interval for tasks like these.
func medianOf(x []float64) report.Estimate {
	e := report.Estimate{N: len(x), Value: undefined(), Method: "no task"}
	if len(x) == 0 {
		return e
	}
	e.Value = report.Number(stats.Median(x))
	iv, err := stats.MedianInterval(x, 1-scoring.Level)
	if err != nil {
		e.Method = fmt.Sprintf("no interval: too few tasks (%d)", len(x))
		return e
	}
	e.Interval, e.Method = &iv, "order statistics, at least 95 %, tasks like these"
	return e
}

// usage writes run time and memory by run, which are types of prompts of a model, as Yeo et al. store them.
func (w *writer) usage(s *doc.Section) {
	if len(w.Usage) == 0 {
		return
	}
	t := s.Table("yeo-usage", "Run time and memory of accepted samples", doc.Left("model or prompt"), doc.Right("samples"), doc.Right("tasks"),
		doc.Right("processor time, ms"), doc.Right("95 % CI"), doc.Right("memory, MB"), doc.Right("95 % CI"))
	filtered := false
	for i := range w.Usage {
		u := &w.Usage[i]
		name := doc.Item(doc.Name(u.Run))
		if u.Filtered {
			name, filtered = doc.Item(doc.Name(u.Run), ", without outliers"), true
		}
		t.Row(name, w.d.Count(&u.Samples), w.d.Count(&u.CPU.N), w.d.Num(&u.CPU.Value, 0), w.d.Range(u.CPU.Interval, 1, 0),
			w.d.Num(&u.Memory.Value, 1), w.d.Range(u.Memory.Interval, 1, 1))
	}
	t.Note("Medians over tasks, of the medians of each task's accepted samples, with intervals by order statistics for tasks like these. They are of this machine and include the interpreter; compare runs over the same tasks.")
	if filtered {
		t.Note("Outliers are answers that are empty, refused, cut or far too long; ", doc.Fixed(yeo), " filters them when answers are stored.")
	}
}

// spentBy reports whether what answers took is known of any run, and what they cost.
func spentBy(runs []Run) (known, priced bool) {
	for i := range runs {
		if s := runs[i].Spent; s != nil {
			known, priced = true, priced || s.Cost != nil
		}
	}
	return known, priced
}

// spent writes what the answers of each run took.
func (w *writer) spent() {
	if known, _ := spentBy(w.Runs); !known {
		return
	}
	var rows []report.NamedSpent
	for i := range w.Runs {
		rows = append(rows, report.NamedSpent{Name: w.marked(i), Spent: w.Runs[i].Spent})
	}
	report.WriteSpent(w.d.Section("spent", "What the answers took"), w.d, "run", rows,
		"Over all answers of the run, judged or not. Thinking is a part of what is written, and what the cache had a part of what is read; the other numbers miss answers that were not counted. Requests that failed are not in it.")
}

// RatedBy are a run's scores with the ratings of one analyser alone.
type RatedBy struct {
	Analyser    string `json:"analyser"`    // its name and version
	Samples     int    `json:"samples"`     // that it was given
	Findings    int    `json:"findings"`    // in all of them
	Reliability Span   `json:"reliability"` // points, mean over tasks
	Security    Span   `json:"security"`    // points, mean over tasks
	Final       Span   `json:"final"`       // the weighted score
}

// Span is a number that may be known only as a range.
type Span struct {
	Low  report.Number `json:"low"`  // its least value
	High report.Number `json:"high"` // its greatest value
}

// Agreement is how far two analysers agree about the samples of a run that both rated.
type Agreement struct {
	First     string        `json:"first"`          // an analyser
	Second    string        `json:"second"`         // another one
	Dimension string        `json:"dimension"`      // "reliability" or "security"
	N         int           `json:"n"`              // samples that both rated
	Equal     int           `json:"equal"`          // of these, rated equally
	Kappa     report.Number `json:"weighted_kappa"` // Cohen's, with linear weights; null: not defined
}

// rated sets the scores by analyser.
func (x *SixRun) rated(by *batch.ByAnalyser, tasks []string, weight func(string) scoring.Weight) {
	span := func(b batch.BoundsJSON) Span { return Span{report.Number(b.Low), report.Number(b.High)} }
	all, agreement := by.Result(tasks, weight)
	for _, a := range all {
		x.By = append(x.By, RatedBy{a.Analyser, a.Samples, a.Findings, span(a.Reliability), span(a.Security), span(a.Final)})
	}
	for _, a := range agreement {
		kappa := undefined()
		if a.Kappa != nil {
			kappa = report.Number(*a.Kappa)
		}
		x.Agreement = append(x.Agreement, Agreement{a.First, a.Second, a.Dimension, a.N, a.Equal, kappa})
	}
}

// analysers writes the scores by analyser.
func (w *writer) analysers(s *doc.Section) {
	var by, agree *doc.Table
	for i := range w.Six.Runs[:w.listedRuns()] {
		x := &w.Six.Runs[i]
		for j := range x.By {
			if by == nil {
				by = s.Table("su-analysers", "Ratings by each analyser alone", doc.Left("run"), doc.Left("analyser"), doc.Right("samples"), doc.Right("findings"),
					doc.Right("reliability, of 10"), doc.Right("security, of 10"), doc.Right("final score"))
			}
			a := &x.By[j]
			by.Row(doc.Name(w.marked(i)), doc.Name(a.Analyser), w.d.Count(&a.Samples), w.d.Count(&a.Findings), w.span(&a.Reliability.Low, &a.Reliability.High, 1),
				w.span(&a.Security.Low, &a.Security.High, 1), w.span(&a.Final.Low, &a.Final.High, 1))
		}
	}
	for i := range w.Six.Runs[:w.listedRuns()] {
		x := &w.Six.Runs[i]
		for j := range x.Agreement {
			if agree == nil {
				agree = s.Table("su-analysers-agreement", "Agreement of analysers", doc.Left("run"), doc.Left("analysers"), doc.Left("ratings"), doc.Right("samples"), doc.Right("equal"), doc.Right("weighted kappa"))
			}
			a := &x.Agreement[j]
			agree.Row(doc.Name(w.marked(i)), doc.Item(doc.Name(a.First), " and ", doc.Name(a.Second)), doc.Fixed(a.Dimension), w.d.Count(&a.N), w.d.Count(&a.Equal), w.d.Num(&a.Kappa, 2))
		}
	}
	if by != nil {
		by.Note("In the other tables the worst rating of all analysers counts. What an analyser does not rate is a range.")
	}
	if agree != nil {
		agree.Note("Cohen's kappa with linear weights over the grades A to E; undefined where both analysers gave one grade only.")
	}
}

// RatingsText returns the ratings of each analyser as JSON, for tables; "" for none. ratingsIn reads it.
func RatingsText(by []scoring.Rated) string {
	if len(by) == 0 {
		return ""
	}
	text, err := json.Marshal(by)
	if err != nil {
		panic("evaluations: ratings do not marshal: " + err.Error()) // texts and numbers
	}
	return string(text)
}

func ratingsIn(text string) (by []scoring.Rated) {
	_ = json.Unmarshal([]byte(text), &by) // the table of an earlier version has none
	return by
}
