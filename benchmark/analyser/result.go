package analyser

import (
	"fmt"
	"slices"
	"strings"

	"assay/scoring"
	"assay/scoring/quality"
)

// Result is an analyser's result for a source text.
type Result struct {
	Analyser string              `json:"analyser"` // with its version: "bandit 1.9.4"
	Findings []quality.Finding   `json:"findings"`
	Analysed []quality.Dimension `json:"analysed"`       // what it covers; other dimensions are not rated
	Note     string              `json:"note,omitempty"` // why nothing was examined
}

// Rating returns the rating of a dimension, NotAnalysed if the analyser does not cover it.
func (r Result) Rating(d quality.Dimension) (scoring.Rating, error) {
	if !slices.Contains(r.Analysed, d) {
		return scoring.NotAnalysed, nil
	}
	return quality.Rate(r.Findings, d)
}

// Combine combines the results of several analysers: all findings and all dimensions covered; the worst
// rating counts.
func Combine(results ...Result) Result {
	all := Result{}
	var names, notes []string
	for _, r := range results {
		names = append(names, r.Analyser)
		all.Findings = append(all.Findings, r.Findings...)
		for _, d := range r.Analysed {
			if !slices.Contains(all.Analysed, d) {
				all.Analysed = append(all.Analysed, d)
			}
		}
		if r.Note != "" {
			notes = append(notes, r.Note)
		}
	}
	all.Analyser, all.Note = strings.Join(names, ", "), strings.Join(notes, "; ")
	return all
}

// raw is a finding as reported by an analyser.
type raw struct {
	rule, severity, confidence string
	line                       int
	message                    string
}

// rated assigns severities to findings by the table.
func (s *Severities) rated(analyser, title string, list []raw) ([]quality.Finding, error) {
	var found []quality.Finding
	for _, r := range list {
		severity, dimension, keep, err := s.of(analyser, r.rule, r.severity, r.confidence)
		if err != nil {
			return nil, fmt.Errorf("rating the findings of %s: %w", title, err)
		}
		if keep {
			found = append(found, quality.Finding{Rule: r.rule, Severity: severity, Dimension: dimension, Line: r.line, Message: r.message, Analyser: title})
		}
	}
	return found, nil
}
