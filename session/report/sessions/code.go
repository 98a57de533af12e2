package sessions

import (
	"math"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Code has the static measures of the code of final answers.
type Code struct {
	Measured int            `json:"measured"`          // final answers whose code was measured
	Parses   report.Share   `json:"parses"`            // of the measured ones those without a syntax error
	Measures []Measure      `json:"measures"`          // of the answers that parse
	Rated    []report.Count `json:"reliability"`       // how many have each rating for reliability, A to E; "" where it was not analysed
	Safe     []report.Count `json:"security"`          // how many have each rating for security, A to E; "" where it was not analysed
	Unrated  int            `json:"unrated,omitempty"` // of the measured ones those that the named analysers could not rate
	Causes   []report.Count `json:"error_causes"`      // as the testers labelled answers that were not accepted
}

// Measure is a number of code over final answers.
type Measure struct {
	Name   string          `json:"name"`   // what is measured
	Unit   string          `json:"unit"`   // of the numbers
	Mean   report.Estimate `json:"mean"`   // over the answers
	SD     report.Number   `json:"sd"`     // standard deviation
	Median report.Number   `json:"median"` // of the answers
	Max    report.Number   `json:"max"`    // the greatest
}

func codeOf(est *estimator, analysed []result) Code {
	kinds := []struct {
		name, unit string
		of         func(*session.Measured) float64
	}{
		{"cyclomatic complexity", "", func(m *session.Measured) float64 { return float64(m.Cyclomatic) }},
		{"cognitive complexity", "", func(m *session.Measured) float64 { return float64(m.Cognitive) }},
		{"code lines", "lines", func(m *session.Measured) float64 { return float64(m.CodeLines) }},
		{"comment rate", "%", func(m *session.Measured) float64 { return m.CommentRate }},
		{"findings", "", func(m *session.Measured) float64 { return float64(m.Findings) }},
	}
	var parses series
	values := make([]series, len(kinds))
	reliability, security, causes := map[string]int{}, map[string]int{}, map[string]int{}
	c := Code{Measures: []Measure{}}
	for _, r := range analysed {
		if cause := r.Labels[session.LabelErrorCause]; cause != "" {
			causes[clean(cause)]++
		}
		last := r.final()
		if last == nil || last.Measured == nil || last.Measured.Problem != "" {
			continue
		}
		c.Measured++
		m := last.Measured
		if m.Unrated != "" {
			c.Unrated++
		}
		parses.addIf(r, m.Valid)
		reliability[clean(m.Reliability)]++
		security[clean(m.Security)]++
		if !m.Valid {
			continue
		}
		for i, k := range kinds {
			values[i].add(r, k.of(m))
		}
	}
	for i, k := range kinds {
		if x := values[i].x; len(x) > 0 {
			most := math.Inf(-1)
			for _, v := range x {
				most = max(most, v)
			}
			c.Measures = append(c.Measures, Measure{k.name, k.unit, est.mean(values[i]), report.Number(stats.SD(x)), report.Number(stats.Median(x)), report.Number(most)})
		}
	}
	c.Parses = est.rate(parses)
	c.Rated, c.Safe, c.Causes = counted(reliability), counted(security), counted(causes)
	return c
}
