package document

import (
	"fmt"
	"io"
	"strings"
)

// LaTeX writes the table as a float for the booktabs package, to be \input into a
// paper.
func (t *Table) LaTeX(w io.Writer) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{booktabs}, and a UTF-8 engine for names beyond Latin.\n")
	fmt.Fprintf(&b, "\\begin{table}\n\\centering\n\\caption{%s}\n\\label{tab:%s}\n", escapeLaTeX(t.Caption), t.ID)
	columns, drawn := t.withoutBars()
	align := ""
	for _, i := range columns {
		if t.Columns[i].Right {
			align += "r"
		} else {
			align += "l"
		}
	}
	fmt.Fprintf(&b, "\\begin{tabular}{@{}%s@{}}\n\\toprule\n", align)
	var heads []string
	for _, i := range columns {
		heads = append(heads, escapeLaTeX(t.Columns[i].Head))
	}
	b.WriteString(strings.Join(heads, " & ") + " \\\\\n\\midrule\n")
	for _, row := range drawn {
		var cells []string
		for _, i := range columns {
			cells = append(cells, latexText(row[i]))
		}
		line := strings.Join(cells, " & ")
		if strings.HasPrefix(line, "[") || strings.HasPrefix(line, "*") {
			line = "{}" + line // or it would be an argument of the row before
		}
		b.WriteString(line + " \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, n := range t.notes {
		fmt.Fprintf(&b, "\n\\smallskip\n{\\footnotesize %s}\n", latexText(n))
	}
	b.WriteString("\\end{table}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// withoutBars are the columns that have more than drawn bars, which paper has no need
// for, and the rows.
func (t *Table) withoutBars() (columns []int, rows [][][]Span) {
	for i := range t.Columns {
		bars := len(t.rows) > 0
		for _, row := range t.rows {
			if len(row[i]) != 1 || row[i][0].kind != bar {
				bars = false
			}
		}
		if !bars {
			columns = append(columns, i)
		}
	}
	return columns, t.rows
}

func latexText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		switch s.kind {
		case bar:
		case strong:
			b.WriteString("\\textbf{" + latexText(s.of) + "}")
		case code:
			b.WriteString("\\texttt{" + escapeLaTeX(s.text) + "}")
		default:
			b.WriteString(escapeLaTeX(s.text))
		}
	}
	return b.String()
}

func escapeLaTeX(text string) string {
	var b strings.Builder
	for _, r := range text {
		if command, is := latexCommand(r); is {
			b.WriteString(command)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// latexCommand writes what has a meaning in LaTeX, or is no letter of the usual fonts.
func latexCommand(r rune) (string, bool) {
	switch r {
	case '&', '%', '$', '#', '_', '{', '}':
		return "\\" + string(r), true
	}
	command, is := map[rune]string{
		'\\': "\\textbackslash{}", '~': "\\textasciitilde{}", '^': "\\textasciicircum{}", '<': "\\textless{}", '>': "\\textgreater{}", '|': "\\textbar{}",
		'–': "--", '−': "$-$", '×': "$\\times$", '≥': "$\\geq$", '≤': "$\\leq$", '²': "$^2$",
		'α': "$\\alpha$", 'δ': "$\\delta$", 'κ': "$\\kappa$", 'ρ': "$\\rho$", 'τ': "$\\tau$", 'χ': "$\\chi$", 'Δ': "$\\Delta$", 'β': "$\\beta$", 'θ': "$\\theta$",
	}[r]
	return command, is
}
