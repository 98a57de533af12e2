// Package quality measures source text: whether it parses, how complex it is, how
// much of it is comment, what it is made of, and what is wrong with it by the
// embedded rules. It runs nothing.
//
// Of a program that does not parse the measures are those of what tree-sitter made of it.
// The grammar decides how it goes on after an error: an operator without its second operand
// may become part of an ERROR node, a unary operator, or a binary one with an operand that
// is not there. So the complexity of broken code, which && and || add to, and its count of
// binary operators may differ from those of other tools and of other versions of a grammar.
// Those of valid code do not. Valid says which it is.
package quality

import (
	"fmt"

	"assay/scoring"
)

// Severity is how bad a finding is, as SonarQube names it.
type Severity string

// The severities, from the least to the worst.
const (
	Minor    Severity = "MINOR"
	Major    Severity = "MAJOR"
	Critical Severity = "CRITICAL"
	Blocker  Severity = "BLOCKER"
)

// Dimension is what a finding is about.
type Dimension string

// The dimensions. A smell makes code worse to read and touches no rating.
const (
	Reliability Dimension = "reliability"
	Security    Dimension = "security"
	Smell       Dimension = "smell"
)

// Finding is something that an analyser objects to.
type Finding struct {
	Rule      string    `json:"rule"` // as its analyser names it
	Severity  Severity  `json:"severity"`
	Dimension Dimension `json:"dimension"`
	Line      int       `json:"line"` // from 1; 0: the file as a whole
	Message   string    `json:"message"`
	Analyser  string    `json:"analyser"` // its name and version, as "bandit 1.8.6"
}

// Rate is the rating of a dimension by its worst finding: A without one, B for a
// minor, C for a major, D for a critical and E for a blocking one (Su et al. 2023,
// table 3). Whoever calls it knows that the dimension was analysed at all: what
// was not analysed has no rating. An unknown severity is an error.
func Rate(findings []Finding, d Dimension) (scoring.Rating, error) {
	rating := scoring.Rating("A")
	for _, f := range findings {
		if f.Dimension != d {
			continue
		}
		r, known := map[Severity]scoring.Rating{Minor: "B", Major: "C", Critical: "D", Blocker: "E"}[f.Severity]
		if !known {
			return scoring.NotAnalysed, fmt.Errorf("rating %s: rule %s has the severity %q; severities are MINOR, MAJOR, CRITICAL and BLOCKER", d, f.Rule, f.Severity)
		}
		rating = max(rating, r)
	}
	return rating, nil
}
