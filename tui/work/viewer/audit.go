package viewer

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/data/language"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/markdown"
	"assay/tui/work/result"
)

// audited is an answer laid out for the screen, with the parts of it that could have been the program.
type audited struct {
	markdown.Rendering
	parts    []extract.Candidate
	thinking []int // words of each part of the text that is thinking; these parts follow the others
}

// audit lays out an answer, in which code outside of fences is told apart too.
func audit(text string, task *benchmark.Task, look markdown.Look) audited {
	if task == nil || len(text) > markdown.MaxRendered {
		return audited{Rendering: markdown.Blocks(text, look)}
	}
	parts := extract.Code(text, task).Candidates
	apart := make([]markdown.Part, len(parts))
	for i, p := range parts {
		apart[i] = markdown.Part{Start: p.Start, End: p.End, Language: p.Language}
		if p.Language == "" {
			apart[i].Language = task.Language
		}
	}
	var words []int
	for _, t := range extract.Thinking(text) {
		apart = append(apart, markdown.Part{Start: t[0], End: t[1], Prose: true})
		words = append(words, len(strings.Fields(text[t[0]:t[1]])))
	}
	return audited{markdown.Blocks(text, look, apart...), parts, words}
}

// audited returns the rows of a block of an answer, with a bar beside what is judged, and the line above it: how it
// was found or, where there is a choice, why it is not judged.
func (m *reading) audited(a *session.Attempt, made audited, block, width int) (rows, head []string) {
	b := made.Blocks[block]
	if n := made.thinks(block); n > 0 {
		if block == 0 || made.Blocks[block-1].Part != b.Part {
			head = m.auditLine(m.Theme.Dim.Render("thinking · "+frame.Count(n, "word")+" · not judged"), width)
		}
		return m.Dimmed(b.Rows), head
	}
	if b.Part == 0 || a.Extracted == nil || a.Extracted.Code == "" && len(made.parts) < 2 {
		return b.Rows, nil
	}
	first := block == 0 || made.Blocks[block-1].Part != b.Part
	part := made.parts[b.Part-1]
	other := ""
	if marked := language.Named(part.Language); marked != "" && marked != m.language() {
		other = m.Theme.Warn.Render(fmt.Sprintf(" It is marked %s, and the task wants %s.", language.Title(marked), language.Title(m.language())))
	}
	if !engine.Judged(a.Extracted, made.parts, b.Part-1) {
		if first {
			head = m.auditLine(m.Theme.Dim.Render("not judged: "+part.Reason)+other, width)
		}
		return b.Rows, head
	}
	style := m.Theme.Accent
	if a.Verdict != nil && m.State.Plan.Sees(a) != session.SeeNothing {
		style = m.Theme.SignStyle(result.Verdict(a.Verdict, true))
	}
	bar, of := style.Render("▌"), strings.TrimRight(markdown.CodeBar(m.Theme), " ")
	for _, row := range b.Rows {
		if row = strings.TrimPrefix(row, of); m.Verbatim() {
			row = strings.TrimPrefix(row, "  ")
		}
		rows = append(rows, strings.TrimRight(" "+bar+row, " "))
	}
	if first {
		note := a.Extracted.Note
		if part.Chosen && a.Extracted.Candidate == 0 && len(a.Extracted.Chosen) < 2 {
			note = part.Reason
		}
		if note == extract.OnlyBlock && other == "" {
			note = "this code is run"
		}
		head = m.auditLine(bar+style.Render(" judged")+m.Theme.Dim.Render(": "+note)+other, width)
	}
	return rows, head
}

// Dimmed returns the rows of thinking; none where the study hides it.
func (m *reading) Dimmed(rows []string) (dim []string) {
	if m.State.Plan.HideThinking {
		return []string{" " + m.Theme.Dim.Render(hiddenThinking)}
	}
	for _, row := range rows {
		if row = strings.TrimRight(ansi.Strip(row), " "); row != "" {
			row = m.Theme.Dim.Render(row)
		}
		dim = append(dim, row)
	}
	return dim
}

// thoughtApart adds what the model thought apart from its answer.
func (m *reading) thoughtApart(s *sheet, a *session.Attempt, size frame.Size) {
	if a.Answer.Thinking == "" {
		return
	}
	text := strings.TrimSpace(m.Text(a.Answer.Thinking))
	s.rows = append(s.rows, m.auditLine(m.Theme.Dim.Render(ThinkingHead(text)), size.Width)...)
	m.addBlock(s, item{thinkingItem, -1}, m.Dimmed(strings.Split(markdown.AsItCame(text, size.Width), "\n")), blockRows)
	s.rows = append(s.rows, "")
}

// thinks returns the number of words if a block is thinking, else 0.
func (a audited) thinks(block int) int {
	if of := a.Blocks[block].Part - 1 - len(a.parts); of >= 0 {
		return a.thinking[of]
	}
	return 0
}

func (m *reading) auditLine(text string, width int) []string {
	return strings.Split(frame.Indent(frame.Wrap(text, width-2), " "), "\n")
}

// ThinkingHead stands above what a model thought.
func ThinkingHead(text string) string {
	return "thinking · " + frame.Count(len(strings.Fields(text)), "word") + " · not judged"
}
