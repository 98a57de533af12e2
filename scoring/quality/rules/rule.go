package rules

import (
	"cmp"
	"fmt"
	"slices"

	"assay/scoring"
	"assay/scoring/quality"
	"assay/scoring/syntax"
)

// Version identifies the rule set in findings and results. The number grows whenever some code could get
// other findings than before.
const Version = "assay rules 2"

// Rule describes one kind of defect.
type Rule struct {
	ID        string            `json:"id"`
	Dimension quality.Dimension `json:"dimension"`
	Severity  quality.Severity  `json:"severity"`
	Title     string            `json:"title"`           // what is wrong, in a sentence
	Known     []string          `json:"known,omitempty"` // equivalents, such as "S3827" (Sonar), "E0602" (pylint), "B307" (bandit)
	Bad       string            `json:"bad"`             // code with the defect
	Good      string            `json:"good"`            // the same code without it
}

// rule is a Rule with its check, which calls say for each finding.
type rule struct {
	Rule
	check func(f *file, say sayer)
}

// sayer reports a finding at a node.
type sayer func(at *syntax.Node, format string, args ...any)

// python returns the rules without syntax-error, which is checked first.
func python() []rule {
	return slices.Concat(nameRules(), flowRules(), branchRules(), callRules(), compareRules(), formatRules(),
		exceptionRules(), valueRules(), classRules(), smellRules(), injectionRules(), cryptoRules(), exposureRules())
}

// All returns the rules, syntax-error first.
func All() []Rule {
	all := []Rule{syntaxError()}
	for _, r := range python() {
		all = append(all, r.Rule)
	}
	return all
}

// Supported reports whether there are rules for a language.
func Supported(language string) bool { return language == "python" }

// Report is the result of checking a source text.
type Report struct {
	Findings []quality.Finding
	// Whether the dimension was analysed. If not, having no findings means nothing.
	Reliability, Security bool
}

// Rating returns the rating of a dimension, NotAnalysed if the rules did not apply.
func (r Report) Rating(d quality.Dimension) scoring.Rating {
	if d == quality.Reliability && !r.Reliability || d == quality.Security && !r.Security {
		return scoring.NotAnalysed
	}
	rating, err := quality.Rate(r.Findings, d)
	if err != nil { // a rule with an unknown severity, which the tests rule out
		return scoring.NotAnalysed
	}
	return rating
}

// Check applies all rules to a tree. A language without rules, and a tree cut at the depth limit, are not
// analysed. Findings are in the order of the text.
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

// report records a finding in the text's own part, unless the same rule already has one on that line. A text that is
// no program is reported wherever the parser gave up.
func (f *file) report(r Rule, at *syntax.Node, message string) {
	if r.ID != syntaxError().ID && !f.tree.Own.Has(at) {
		return
	}
	line := f.line(at)
	key := seen{r.ID, line}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.found = append(f.found, quality.Finding{Rule: r.ID, Severity: r.Severity, Dimension: r.Dimension,
		Line: line, Message: message, Analyser: Version})
}
