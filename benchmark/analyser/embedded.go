package analyser

import (
	"errors"
	"fmt"

	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/scoring/quality/rules"
	"assay/scoring/syntax"
)

// Embedded returns the result of assay's own rules for a source text in its context, which can be combined with those
// of real analysers. For a language without rules, or a text too large to be parsed, the result rates nothing.
func Embedded(language string, source []byte, in inspect.Context) (Result, error) {
	r := Result{Analyser: rules.Version}
	if !rules.Supported(language) {
		r.Note = "assay has no rules for " + language
		return r, nil
	}
	report, err := inspect.Within(language, source, in)
	if errors.Is(err, syntax.ErrTooLarge) || errors.Is(err, syntax.ErrTooHard) {
		r.Note = rules.Version + ": " + err.Error()
		return r, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("applying %s: %w", rules.Version, err)
	}
	r.Findings = report.Findings
	if report.Reliability != scoring.NotAnalysed {
		r.Analysed = append(r.Analysed, quality.Reliability)
	}
	switch {
	case report.Security != scoring.NotAnalysed:
		r.Analysed = append(r.Analysed, quality.Security)
	case report.Reliability != scoring.NotAnalysed:
		r.Note = rules.Version + ": the code does not parse, and nothing is said about its security"
	default:
		r.Note = rules.Version + ": the code is nested too deeply"
	}
	return r, nil
}
