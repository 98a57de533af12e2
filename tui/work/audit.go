package work

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/data/language"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/markdown"
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
func (m *viewer) audited(a *session.Attempt, made audited, block, width int) (rows, head []string) {
	b := made.Blocks[block]
	if n := made.thinks(block); n > 0 {
		if block == 0 || made.Blocks[block-1].Part != b.Part {
			head = m.auditLine(m.theme.Dim.Render("thinking · "+frame.Count(n, "word")+" · not judged"), width)
		}
		return m.dimmed(b.Rows), head
	}
	if b.Part == 0 || a.Extracted == nil || a.Extracted.Code == "" && len(made.parts) < 2 {
		return b.Rows, nil
	}
	first := block == 0 || made.Blocks[block-1].Part != b.Part
	part := made.parts[b.Part-1]
	other := ""
	if marked := language.Named(part.Language); marked != "" && marked != m.language() {
		other = m.theme.Warn.Render(fmt.Sprintf(" It is marked %s, and the task wants %s.", language.Title(marked), language.Title(m.language())))
	}
	if !engine.Judged(a.Extracted, made.parts, b.Part-1) {
		if first {
			head = m.auditLine(m.theme.Dim.Render("not judged: "+part.Reason)+other, width)
		}
		return b.Rows, head
	}
	style := m.theme.Accent
	if a.Verdict != nil && m.state.Plan.Sees(a) != session.SeeNothing {
		style = m.theme.SignStyle(verdictText(a.Verdict, true))
	}
	bar, of := style.Render("▌"), strings.TrimRight(markdown.CodeBar(m.theme), " ")
	for _, row := range b.Rows {
		if row = strings.TrimPrefix(row, of); m.verbatim() {
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
		head = m.auditLine(bar+style.Render(" judged")+m.theme.Dim.Render(": "+note)+other, width)
	}
	return rows, head
}

// dimmed returns the rows of thinking; none where the study hides it.
func (m *viewer) dimmed(rows []string) (dim []string) {
	if m.state.Plan.HideThinking {
		return []string{" " + m.theme.Dim.Render(hiddenThinking)}
	}
	for _, row := range rows {
		if row = strings.TrimRight(ansi.Strip(row), " "); row != "" {
			row = m.theme.Dim.Render(row)
		}
		dim = append(dim, row)
	}
	return dim
}

// thoughtApart adds what the model thought apart from its answer.
func (m *viewer) thoughtApart(s *sheet, a *session.Attempt, size frame.Size) {
	if a.Answer.Thinking == "" {
		return
	}
	text := strings.TrimSpace(m.text(a.Answer.Thinking))
	s.rows = append(s.rows, m.auditLine(m.theme.Dim.Render(thinkingHead(text)), size.Width)...)
	m.addBlock(s, item{thinkingItem, -1}, m.dimmed(strings.Split(markdown.AsItCame(text, size.Width), "\n")), blockRows)
	s.rows = append(s.rows, "")
}

// thinks returns the number of words if a block is thinking, else 0.
func (a audited) thinks(block int) int {
	if of := a.Blocks[block].Part - 1 - len(a.parts); of >= 0 {
		return a.thinking[of]
	}
	return 0
}

func (m *viewer) auditLine(text string, width int) []string {
	return strings.Split(frame.Indent(frame.Wrap(text, width-2), " "), "\n")
}

// taskIndex is the index of the task that is shown, in the plan.
func (m *viewer) taskIndex() int {
	if m.past != nil {
		return m.past.task
	}
	return m.state.Current
}

// takeKey has another block of the answer judged.
func (m *Model) takeKey() frame.Key {
	return frame.Key{Press: "t", Does: "judge another block", Fit: func(k *frame.Key) {
		if _, made, _ := m.answers.Last(); m.review.tab != tabAnswer || m.size.Width > 0 && len(made.parts) < 2 {
			k.Press = ""
		}
	}, Not: m.noOtherBlock, Do: frame.Only(m.askTake)}
}

// noOtherBlock says why no other block can be judged, or is "".
func (m *Model) noOtherBlock() string {
	t, a := m.state.Task(), m.attempt()
	switch {
	case t == nil || a == nil || m.otherBlock(a) < 0:
		return "the answer has no other block"
	case !m.state.Plan.TakesBlocks(t.Practice):
		return "the study lets nobody choose the code that is judged"
	case a.Extracted == nil || a.Verdict == nil || a.Measured == nil:
		return "the answer is still being judged"
	}
	return ""
}

// otherBlock returns the index of the next block that is not judged, from the first again after the last, or -1.
func (m *Model) otherBlock(a *session.Attempt) int {
	_, made, _ := m.answers.Last()
	n, at := len(made.parts), -1
	for i := range made.parts {
		if engine.Judged(a.Extracted, made.parts, i) {
			at = i
		}
	}
	for i := range n {
		next := (at + 1 + i) % n
		if made.parts[next].Lines > 0 && !engine.Judged(a.Extracted, made.parts, next) {
			return next
		}
	}
	return -1
}

// askTake offers to have the next block judged.
func (m *Model) askTake() {
	_, made, _ := m.answers.Last()
	next := m.otherBlock(m.attempt())
	part := made.parts[next]
	m.ask = &question{
		text: fmt.Sprintf("Judge block %d of %d instead (%s, from %q)? Your choice is recorded, and its verdict replaces this one.",
			next+1, len(made.parts), frame.Count(part.Lines, "line"), frame.OneLine(m.firstLine(part))),
		yes: "judge it", do: func() tea.Cmd {
			return m.intend(record(false, func(ctx context.Context) error { return m.eng.Take(ctx, next+1) }))
		},
	}
}

// firstLine returns the first line of a part of the answer.
func (m *Model) firstLine(part extract.Candidate) string {
	text := m.text(m.attempt().Answer.Answer)
	line, _, _ := strings.Cut(strings.TrimLeft(text[part.Start:part.End], "\r\n"), "\n")
	return strings.TrimSpace(line)
}
