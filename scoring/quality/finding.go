// Package quality measures source text: whether it parses, how complex it is, how much of it is comment,
// which constructs it uses, and which of its findings lower a rating. It runs nothing.
//
// For a program that does not parse, measures are those of tree-sitter's error recovery, which depends on
// the grammar: an operator without its second operand may become part of an ERROR node, a unary operator,
// or a binary one with a missing operand. So for broken code (Valid is false) the complexity, to which &&
// and || add, and the count of binary operators may differ between tools and between versions of a grammar;
// for valid code they do not.
package quality

import (
	"fmt"

	"assay/scoring"
)

// Severity is the severity of a finding in SonarQube's terms.
type Severity string

// The severities in ascending order.
const (
	Minor    Severity = "MINOR"
	Major    Severity = "MAJOR"
	Critical Severity = "CRITICAL"
	Blocker  Severity = "BLOCKER"
)

// Dimension is the quality that a finding affects.
type Dimension string

// The dimensions. A smell makes code harder to read and affects no rating.
const (
	Reliability Dimension = "reliability"
	Security    Dimension = "security"
	Smell       Dimension = "smell"
)

// Finding is a defect reported by an analyser.
type Finding struct {
	Rule      string    `json:"rule"` // the analyser's name for the rule
	Severity  Severity  `json:"severity"`
	Dimension Dimension `json:"dimension"`
	Line      int       `json:"line"` // from 1; 0: the file as a whole
	Message   string    `json:"message"`
	Analyser  string    `json:"analyser"` // name and version, such as "bandit 1.8.6"
}

// Rate returns the rating of a dimension by its worst finding: A without one, B for a minor, C for a major, D
// for a critical and E for a blocking one (Su et al. 2023, table 3). The caller must know that the
// dimension was analysed at all; otherwise there is no rating. An unknown severity is an error.
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
