// Package inspect analyses source text without running it: measures, findings of the embedded rules, and
// ratings.
package inspect

import (
	"fmt"

	"assay/scoring"
	"assay/scoring/quality"
	"assay/scoring/quality/rules"
	"assay/scoring/syntax"
)

// Report is the result of inspecting a source text.
type Report struct {
	quality.Measures
	Findings    []quality.Finding `json:"findings"` // in the order of the text
	Reliability scoring.Rating    `json:"reliability"`
	Security    scoring.Rating    `json:"security"`
	Analyser    string            `json:"analyser,omitempty"` // the analyser that gave the ratings, with its version; "" without one
}

// Source inspects a source text. Errors are those of syntax.Parse: the language has no grammar, or the text
// is too large or takes too long to parse.
func Source(language string, source []byte) (Report, error) {
	tree, err := syntax.Parse(language, source)
	if err != nil {
		return Report{}, fmt.Errorf("measuring %s source: %w", language, err)
	}
	r := Report{Measures: quality.MeasureTree(tree), Findings: []quality.Finding{}}
	said := rules.Check(tree)
	r.Findings = append(r.Findings, said.Findings...)
	r.Reliability, r.Security = said.Rating(quality.Reliability), said.Rating(quality.Security)
	if said.Reliability || said.Security {
		r.Analyser = rules.Version
	}
	return r, nil
}
