package measure

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"assay/cmd/cli/console"
	"assay/scoring"
	"assay/scoring/quality"
	"assay/scoring/stats"
)

// printMeasured prints the measures of a file, with its functions in descending order of complexity.
func printMeasured(out io.Writer, m *measured) {
	valid := "valid"
	if !m.Valid {
		valid = "not valid: it does not parse"
	}
	fmt.Fprintf(out, "%s  (%s, %s)\n", shortName(m.File), m.Language, valid)
	fmt.Fprintf(out, "  cyclomatic %d   cognitive %d   code lines %d   comment lines %d (%s %% of both)\n",
		m.Cyclomatic, m.Cognitive, m.CodeLines, m.CommentLines, stats.Round(m.CommentRate, 1))
	if len(m.Functions) > 0 {
		printFunctions(out, m.Functions)
	}
	if parts := constructsText(m.Constructs); parts != "" {
		fmt.Fprintf(out, "  made of  %s\n", parts)
	}
	for _, f := range m.Findings {
		printFinding(out, f)
	}
	if m.Analyser == "" {
		fmt.Fprintf(out, "  reliability and security are not analysed: there are no rules for %s\n", m.Language)
	} else {
		fmt.Fprintf(out, "  reliability %s   security %s   by %s\n", rated(m.Reliability), rated(m.Security), shortName(m.Analyser))
	}
	if r := m.CodeBLEU; r != nil {
		flow := fmt.Sprintf("%.4f", r.DataFlow)
		if !r.HasDataFlow {
			flow = "none in the reference"
		}
		fmt.Fprintf(out, "  CodeBLEU %.4f   n-grams %.4f   weighted n-grams %.4f   syntax %.4f   data flow %s\n",
			r.CodeBLEU, r.NGram, r.WeightedNGram, r.Syntax, flow)
	}
}

func printFunctions(out io.Writer, functions []quality.Function) {
	sorted := slices.Clone(functions)
	slices.SortStableFunc(sorted, func(a, b quality.Function) int {
		if a.Cognitive != b.Cognitive {
			return b.Cognitive - a.Cognitive
		}
		return b.Cyclomatic - a.Cyclomatic
	})
	t := console.NewTable(out)
	fmt.Fprintf(t, "  line\tcognitive\tcyclomatic\tfunction\n")
	for _, f := range sorted {
		name := cmp.Or(shortName(f.Name), "(without a name)")
		fmt.Fprintf(t, "  %d\t%d\t%d\t%s\n", f.Line, f.Cognitive, f.Cyclomatic, name)
	}
	t.Flush()
}

// constructsText lists the constructs that occur, with counts.
func constructsText(c quality.Constructs) string {
	var parts []string
	for _, name := range quality.AllConstructs() {
		if n := c[name].Count; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, n))
		}
	}
	return strings.Join(parts, ", ")
}

// shortName cleans a name from a measured file for printing on one line.
func shortName(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}

func rated(r scoring.Rating) string {
	if r == scoring.NotAnalysed {
		return "not analysed"
	}
	return string(r)
}

func printFinding(out io.Writer, f quality.Finding) {
	fmt.Fprintf(out, "  line %d  %s %s: %s (%s, %s)\n", f.Line, f.Severity, f.Dimension, shortName(f.Message), shortName(f.Rule), shortName(f.Analyser))
}
