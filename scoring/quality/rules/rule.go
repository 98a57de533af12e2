package rules

import (
	"cmp"
	"fmt"
	"slices"

	"assay/scoring"
	"assay/scoring/quality"
	"assay/scoring/syntax"
)

// Version names the rule set in findings and results. The number grows whenever
// some code could get other findings than before.
const Version = "assay rules 1"

// Rule is one thing to look for.
type Rule struct {
	ID        string            `json:"id"`
	Dimension quality.Dimension `json:"dimension"`
	Severity  quality.Severity  `json:"severity"`
	Title     string            `json:"title"`           // what is wrong, in a sentence
	Known     []string          `json:"known,omitempty"` // the same elsewhere, as "S3827" (Sonar), "E0602" (pylint), "B307" (bandit)
	Bad       string            `json:"bad"`             // code that it objects to
	Good      string            `json:"good"`            // the same, mended
}

// rule is a Rule with its check, which calls say for each finding.
type rule struct {
	Rule
	check func(f *file, say sayer)
}

// sayer reports a finding at a node.
type sayer func(at *syntax.Node, format string, args ...any)

// python lists the rules. syntaxError is not among them: it is found before.
func python() []rule {
	return slices.Concat(nameRules(), flowRules(), branchRules(), callRules(), compareRules(), formatRules(),
		exceptionRules(), valueRules(), classRules(), smellRules(), injectionRules(), cryptoRules(), exposureRules())
}

// All lists the rules, syntax-error first.
func All() []Rule {
	all := []Rule{syntaxError()}
	for _, r := range python() {
		all = append(all, r.Rule)
	}
	return all
}

// Supported reports whether there are rules for a language.
func Supported(language string) bool { return language == "python" }

// Report is what the rules say about a source text.
type Report struct {
	Findings []quality.Finding
	// Whether the dimension was analysed: without it, no finding means nothing.
	Reliability, Security bool
}

// Rating is the rating of a dimension, NotAnalysed if the rules could not look.
func (r Report) Rating(d quality.Dimension) scoring.Rating {
	if d == quality.Reliability && !r.Reliability || d == quality.Security && !r.Security {
		return scoring.NotAnalysed
	}
	rating, err := quality.Rate(r.Findings, d)
	if err != nil { // a rule of ours with an unknown severity: the tests forbid it
		return scoring.NotAnalysed
	}
	return rating
}

// Check applies all rules to a tree. A language without rules, and a tree that was
// cut for its depth, are not analysed. The findings are in the order of the text.
func Check(tree *syntax.Tree) Report {
	if !Supported(tree.Language) || tree.Cut {
		return Report{}
	}
	f := newFile(tree)
	if at, why := f.malformed(); at != nil {
		joined, sound := rejoined(tree)
		if !sound {
			f.report(syntaxError(), at, why)
			return Report{Findings: f.found, Reliability: true}
		}
		f = joined
	}
	f.bind()
	for _, r := range python() {
		r.check(f, func(at *syntax.Node, format string, args ...any) { f.report(r.Rule, at, fmt.Sprintf(format, args...)) })
	}
	slices.SortStableFunc(f.found, func(a, b quality.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
	return Report{Findings: f.found, Reliability: true, Security: true}
}

// report keeps a finding; a second of the same rule in the same line is left out.
func (f *file) report(r Rule, at *syntax.Node, message string) {
	line := f.line(at)
	key := seen{r.ID, line}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.found = append(f.found, quality.Finding{Rule: r.ID, Severity: r.Severity, Dimension: r.Dimension,
		Line: line, Message: message, Analyser: Version})
}
