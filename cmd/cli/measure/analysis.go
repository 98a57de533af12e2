package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/analyser"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/scoring/quality/rules"
)

// Finding is one line of the doctor's report.
type Finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
	Fix  string `json:"fix,omitempty"`

	// Optional marks what assay works without: it need not be fixed.
	Optional bool `json:"optional,omitempty"`

	Language *Language `json:"language,omitempty"` // with --languages, of those that are installed
}

// Language is how verdicts in a language came about when it was tried.
type Language struct {
	Right     verdicts.Verdict  `json:"right"`    // of a right whole file
	Wrong     verdicts.Verdict  `json:"wrong"`    // of a wrong whole file
	FirstMS   float64           `json:"first_ms"` // to the first verdict
	NextMS    float64           `json:"next_ms"`  // to later ones, of another program each
	Isolated  []benchmark.Style `json:"isolated"` // styles whose verdicts no program can forge
	InProcess []benchmark.Style `json:"in_process,omitempty"`

	Message string `json:"message,omitempty"` // why a verdict is another one
}

// analyse replaces the findings of assay's own rules in a report by those of the chosen analysers.
func (o *measureOptions) analyse(ctx context.Context, opened *judges.Analysers, file sourceFile, source []byte, in inspect.Context, r *inspect.Report) error {
	if o.analysis.Plain() {
		return nil
	}
	results, err := opened.Results(ctx, file.path, file.language, source, in)
	if err != nil {
		return err
	}
	all := analyser.Combine(results...)
	r.Analyser, r.Findings = all.Analyser, append([]quality.Finding{}, all.Findings...)
	slices.SortStableFunc(r.Findings, func(a, b quality.Finding) int { return a.Line - b.Line })
	if r.Reliability, err = all.Rating(quality.Reliability); err == nil {
		r.Security, err = all.Rating(quality.Security)
	}
	return err
}

// printRules lists assay's own rules.
func printRules(io *console.IO, asJSON bool) error {
	if asJSON {
		return console.WriteJSON(io, rules.All())
	}
	w := console.NewTable(io.Out)
	for _, r := range rules.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, r.Dimension, r.Title)
	}
	return w.Flush()
}

// ExamineAnalysers reports which analysers are installed, for the doctor.
func ExamineAnalysers(ctx context.Context) []Finding {
	list := []Finding{{What: "  assay rules", OK: true, Says: fmt.Sprintf("%d rules for Python, built in", len(rules.All())), Optional: true}}
	for _, t := range analyser.Find(ctx, "", analyser.Places{}) {
		f := Finding{What: "  " + t.Name, OK: t.Analyser != nil, Optional: true, Says: t.Why, Fix: t.Fix}
		if f.OK {
			f.Says = t.Version + ", for " + strings.Join(t.Languages, ", ")
		}
		list = append(list, f)
	}
	return list
}

// projectMeasures are a SonarQube server's results for a project.
type projectMeasures struct {
	Project     string            `json:"project"`     // its key
	Analyser    string            `json:"analyser"`    // the server and its version
	Findings    []quality.Finding `json:"findings"`    // open issues
	Reliability scoring.Rating    `json:"reliability"` // A to E; null: not rated
	Security    scoring.Rating    `json:"security"`    // A to E; null: not rated
}

// askSonarQube prints a SonarQube server's results for a project.
func askSonarQube(ctx context.Context, io *console.IO, url, project string, asJSON bool) error {
	if project == "" {
		return console.Usagef("--sonarqube needs the key of a project: give --project KEY")
	}
	m, err := analyser.SonarQube{URL: url, Token: io.Getenv("SONAR_TOKEN")}.Project(ctx, project)
	if err != nil {
		return err
	}
	if asJSON {
		return console.WriteJSON(io, projectMeasures{project, m.Analyser, m.Findings, m.Ratings[quality.Reliability], m.Ratings[quality.Security]})
	}
	fmt.Fprintf(io.Out, "%s  (%s)\n", shortName(project), shortName(m.Analyser))
	for _, f := range m.Findings {
		printFinding(io.Out, f)
	}
	fmt.Fprintf(io.Out, "  reliability %s   security %s\n", console.OrNone(string(m.Ratings[quality.Reliability])), console.OrNone(string(m.Ratings[quality.Security])))
	return nil
}
