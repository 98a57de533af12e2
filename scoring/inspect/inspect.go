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

// Context is the text of a program around the source text that is inspected. What it defines and imports is
// known; what is in it is neither measured nor reported.
type Context struct {
	Before, After string
	Open          bool // the source text continues Before, and is no program without it
}

// Within inspects a source text in its context. Where that is no program with the context, the context is
// left out. Errors are those of syntax.Parse: the language has no grammar, or the text is too large or takes
// too long to parse.
func Within(language string, source []byte, c Context) (Report, error) {
	tree, measures, err := c.parse(language, source)
	if err != nil {
		return Report{}, fmt.Errorf("measuring %s source: %w", language, err)
	}
	r := Report{Measures: measures, Findings: []quality.Finding{}}
	said := rules.Check(tree)
	r.Findings = append(r.Findings, said.Findings...)
	r.Reliability, r.Security = said.Rating(quality.Reliability), said.Rating(quality.Security)
	if said.Reliability || said.Security {
		r.Analyser = rules.Version
	}
	return r, nil
}

// parse returns the tree for the rules, and the measures. A text that is a program alone has its own measures, and
// the rules see it in its context.
func (c Context) parse(language string, source []byte) (tree *syntax.Tree, m quality.Measures, err error) {
	if !c.Open {
		tree, m, err = measured(syntax.Parse(language, source))
		if c.Before == "" && c.After == "" {
			return tree, m, err
		}
	}
	for _, after := range []string{"", c.After} {
		whole, within, failed := measured(syntax.ParseWithin(language, []byte(c.Before), source, []byte(after)))
		switch {
		case within.Valid && m.Valid:
			return whole, m, nil
		case within.Valid, c.Open && after == c.After:
			return whole, within, failed
		}
	}
	return tree, m, err
}

func measured(tree *syntax.Tree, err error) (*syntax.Tree, quality.Measures, error) {
	if err != nil {
		return nil, quality.Measures{}, err
	}
	return tree, quality.MeasureTree(tree), nil
}
