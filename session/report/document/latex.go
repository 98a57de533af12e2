package document

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// LaTeX writes what is printed, so no asides and folds, as the body of a paper: tables are read
// from tables/, figures from figures/, both in the parent directory.
func (d *Document) LaTeX(w io.Writer) error {
	if err := d.Err(); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("% Needs booktabs, adjustbox and tikz.\n")
	for _, s := range d.Sections {
		if !s.Aside {
			latexSection(&b, s, "section")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fitted begins a box as large as the page has room for.
const fitted = "\\begin{adjustbox}{max width=\\linewidth,max totalheight=0.8\\textheight}%%\n"

func latexSection(b *strings.Builder, s *Section, command string) {
	fmt.Fprintf(b, "\n\\%s{%s}\n\\label{sec:%s}\n", command, EscapeLaTeX(s.Title), s.ID)
	latexBlocks(b, s.blocks)
}

func latexBlocks(b *strings.Builder, blocks []block) {
	for _, block := range blocks {
		switch block := block.(type) {
		case paragraph:
			lead := ""
			switch block.class {
			case "warning":
				lead = "\\textbf{Warning.} "
			case "note":
				lead = "\\small "
			}
			fmt.Fprintf(b, "\n{%s%s\\par}\n", lead, latexText(block.spans))
		case list:
			b.WriteString("\n\\begin{itemize}\n")
			for _, item := range block.items {
				b.WriteString("\\item {}" + latexText(item) + "\n")
			}
			b.WriteString("\\end{itemize}\n")
		case *Table:
			fmt.Fprintf(b, "\n\\input{../tables/%s.tex}\n", block.ID)
		case *drawing:
			fmt.Fprintf(b, "\n\\begin{figure*}\n\\centering\n"+fitted+"\\input{../figures/%s.tikz}\\end{adjustbox}\n\\caption{%s}\n\\label{fig:%[1]s}\n", block.name, EscapeLaTeX(block.Caption()))
			fmt.Fprintf(b, "\\ifcsname Description\\endcsname\\Description{%s}\\fi\n\\end{figure*}\n", EscapeLaTeX(block.Alt()))
		case *Section:
			latexSection(b, block, "subsection")
		case passage:
			fmt.Fprintf(b, "\n{%s: \\texttt{%s}\\par}\n", EscapeLaTeX(block.label), EscapeLaTeX(Clean(block.text)))
		}
	}
}

// LaTeXClasses are those that a paper of the report is written for.
var LaTeXClasses = []string{"acmart", "IEEEtran"}

// Paper writes a paper in a class of LaTeX whose body is [Document.LaTeX]'s, body.tex beside
// it. The authors are for people to fill in.
func (d *Document) Paper(class string) func(io.Writer) error {
	head := "\\documentclass[conference]{IEEEtran}\n"
	authors := "\\author{\\IEEEauthorblockN{Name}\\IEEEauthorblockA{Institution}}\n\\maketitle\n"
	if class == "acmart" {
		head = "\\documentclass[sigconf,nonacm,balance=false]{acmart}\n"
		authors = "\\author{Name}\n\\affiliation{\\institution{Institution}\\country{Country}}\n\\maketitle\n"
	}
	return func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%% pdflatex %[1]s; lualatex %[1]s where names have letters beyond Latin.\n%[2]s"+
			"\\usepackage{booktabs,adjustbox,tikz}\n\\begin{document}\n\\title{%[3]s}\n%[4]s\\input{body}\n\\end{document}\n",
			class, head, EscapeLaTeX(d.Title), authors)
		return err
	}
}

// columnLetters is how many letters of a table's row one of two columns of a page takes.
const columnLetters = 52

// LaTeX writes the table as a float for the packages booktabs and adjustbox, to be \input
// into a paper: over both columns if it is wide, and never wider than the text.
func (t *Table) LaTeX(w io.Writer) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{booktabs,adjustbox}, and a UTF-8 engine for names beyond Latin.\n")
	columns, drawn := t.withoutBars()
	align, float, letters := "", "table", 0
	for _, i := range columns {
		widest := utf8.RuneCountInString(t.Columns[i].Head)
		for _, row := range drawn {
			widest = max(widest, lettersOf(row[i]))
		}
		letters += widest + 2
		if t.Columns[i].Right {
			align += "r"
		} else {
			align += "l"
		}
	}
	if letters > columnLetters {
		float = "table*"
	}
	fmt.Fprintf(&b, "\\begin{%s}\n\\centering\n\\caption{%s}\n\\label{tab:%s}\n", float, EscapeLaTeX(t.Caption), t.ID)
	fmt.Fprintf(&b, fitted+"\\begin{tabular}{@{}%s@{}}\n\\toprule\n", align)
	var heads []string
	for _, i := range columns {
		heads = append(heads, EscapeLaTeX(t.Columns[i].Head))
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
	b.WriteString("\\bottomrule\n\\end{tabular}\\end{adjustbox}\n")
	for _, n := range t.notes {
		fmt.Fprintf(&b, "\n\\smallskip\n{\\footnotesize %s\\par}\n", latexText(n))
	}
	fmt.Fprintf(&b, "\\end{%s}\n", float)
	_, err := io.WriteString(w, b.String())
	return err
}

// lettersOf returns the length of a cell.
func lettersOf(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += utf8.RuneCountInString(s.text) + lettersOf(s.of)
	}
	return n
}

// withoutBars returns the columns that have more than drawn bars, which paper has no need
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
			b.WriteString("\\texttt{" + EscapeLaTeX(s.text) + "}")
		case name:
			b.WriteString(EscapeLaTeX(Clean(s.text)))
		case value:
			number, negative := strings.CutPrefix(s.text, "-")
			if negative {
				b.WriteString("$-$")
			}
			b.WriteString(EscapeLaTeX(number))
		default:
			b.WriteString(EscapeLaTeX(s.text))
		}
	}
	return b.String()
}

// EscapeLaTeX makes a text stand for itself in LaTeX.
func EscapeLaTeX(text string) string {
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
