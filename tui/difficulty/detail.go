package difficulty

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/tui/chart"
	"assay/tui/frame"
)

// tab is a part of a task.
type tab int

const (
	statementTab tab = iota
	curveTab
	respondentsTab
	answersTab
	tabs
)

var tabNames = [tabs]string{"statement", "curve", "respondents", "answers"}

func (m *Model) open(t tab) {
	if t != m.tab {
		m.tab = t
		m.text.To(0)
	}
}

// drawnKey identifies the drawn text of a task.
type drawnKey struct {
	task          string
	tab           tab
	answer        int
	width, height int
}

// headHeight is the number of rows above the text of a task: its description, three rows of
// numbers, its parts, and a rule.
const headHeight = 6

// detailWidth returns the width of the task.
func (m *Model) detailWidth() int {
	if m.beside() {
		return m.size.Width - m.listWidth() - 1
	}
	return m.size.Width
}

// detailHeight returns the number of visible rows of the task's text.
func (m *Model) detailHeight() int {
	if m.beside() {
		return max(1, m.mainHeight()-headHeight)
	}
	return max(1, m.size.Body().Height-headHeight-m.troubled())
}

// answers returns the answers to the chosen task that have been read.
func (m *Model) answers() answersOf {
	if id, found, ok := m.found.Last(); ok && m.task() != nil && id == m.task().ID {
		return found
	}
	return answersOf{}
}

// detail draws the chosen task.
func (m *Model) detail(width, height int) string {
	t := m.task()
	if t == nil {
		return ""
	}
	title := frame.OneLine(t.ID)
	if t.Title != "" && t.Title != t.ID {
		title += " · " + frame.OneLine(t.Title)
	}
	rows := []string{" " + m.theme.Strong.Render(strings.TrimRight(frame.Cell(title, width-2), " "))}
	numbers := []string{
		"difficulty " + estimate(t.Difficulty) + " · discrimination " + estimate(t.Discrimination),
		fmt.Sprintf("%s · mean score %s of %d, %s expected of mean ability", kindWord(t), stats.Round(t.Mean, 2), t.N, stats.Round(t.Expected, 2)),
	}
	if width < 72 {
		numbers = []string{
			"diff. " + estimate(t.Difficulty) + " · discr. " + estimate(t.Discrimination),
			fmt.Sprintf("%s · score %s of %d, expected %s", kindWord(t), stats.Round(t.Mean, 2), t.N, stats.Round(t.Expected, 2)),
		}
	}
	for _, text := range append(numbers, m.placed(t)) {
		rows = append(rows, " "+strings.TrimRight(frame.Cell(text, width-2), " "))
	}
	var parts []string
	for i, name := range tabNames {
		text := fmt.Sprintf("%d %s", i+1, name)
		parts = append(parts, m.theme.Tab(text, tab(i) == m.tab))
	}
	lines := m.text.Of(m.detailLines(), height-headHeight)
	rows = append(rows, strings.Join(parts, " "), frame.Rule(m.text.Seen(), width, m.theme))
	rows = append(rows, lines...)
	return strings.Join(frame.Fit(strings.Join(rows, "\n"), frame.Size{Width: width, Height: height}), "\n")
}

// estimate writes a parameter with its interval.
func estimate(p difficulty.Parameter) string {
	text := stats.Round(p.Value, 2)
	if p.Interval != nil {
		text += " (" + stats.Round(p.Interval.Low, 2) + " to " + stats.Round(p.Interval.High, 2) + ")"
	}
	return text
}

// placed describes the task's topic, and its place in the subset.
func (m *Model) placed(t *difficulty.Task) string {
	var said []string
	switch {
	case t.Topic > 0:
		said = append(said, "topic "+frame.OneLine(m.topicName(t.Topic)))
	case len(m.all.Topics) > 0:
		said = append(said, "no topic")
	}
	switch place := m.subset[t.ID]; {
	case m.all.Subset == nil:
		said = append(said, "no subset requested (--subset)")
	case place > 0:
		said = append(said, fmt.Sprintf("number %d of the subset of %d", place, len(m.subset)))
	default:
		said = append(said, fmt.Sprintf("not in the subset of %d", len(m.subset)))
	}
	return strings.Join(said, " · ")
}

// detailLines returns all lines of the chosen task's part.
func (m *Model) detailLines() []string {
	t := m.task()
	if t == nil {
		return nil
	}
	key := drawnKey{t.ID, m.tab, m.answer, m.detailWidth(), m.detailHeight()}
	if m.tab != curveTab {
		key.height = 0
	}
	if lines, ok := m.drawn[key]; ok {
		return lines
	}
	var lines []string
	switch m.tab {
	case statementTab:
		lines = m.statement(t, key.width)
	case curveTab:
		curve, dots, err := m.all.CurveOf(t.ID)
		if err != nil {
			lines = wrapped(err.Error(), key.width)
			break
		}
		lines = chart.Line(curve, dots, chart.Look{Width: key.width, Height: key.height, Theme: m.theme})
	case respondentsTab:
		lines = m.respondents(t, key.width)
	default:
		found := m.answers()
		if m.opts.Answers != nil && found.list == nil && found.err == nil {
			if id, _, ok := m.found.Last(); !ok || id != t.ID {
				return []string{"", " " + m.theme.Dim.Render("reading the answers…")}
			}
		}
		lines = m.answerLines(found, key.width)
	}
	const most = 64 // drawn texts that are kept
	if len(m.drawn) >= most {
		clear(m.drawn)
	}
	m.drawn[key] = lines
	return lines
}

// wrapped wraps untrusted text of any length.
func wrapped(text string, width int) []string {
	return strings.Split(frame.Indent(frame.Wrap(frame.Plain(strings.TrimSpace(text)), width-2), " "), "\n")
}

// statement returns the task's statement, after a remark on its numbers.
func (m *Model) statement(t *difficulty.Task, width int) []string {
	var lines []string
	switch t.Kind {
	case difficulty.Suspect:
		lines = append(wrapped("! Weaker respondents do better, and most fail: wording or tests may be wrong. Look at the answers.", width), "")
	case difficulty.Chance:
		lines = append(wrapped("~ Weaker respondents do better, and most succeed: with few respondents that is chance.", width), "")
	case difficulty.Alike:
		lines = append(wrapped("= All responses are the same: the discrimination is unknown, and the difficulty has only one bound.", width), "")
	case difficulty.Usual:
		if !t.Sure {
			lines = append(wrapped("· The interval of the discrimination includes 0, or there is none: it is unknown whether stronger respondents do better.", width), "")
		}
	}
	if m.opts.Tasks == nil {
		return append(lines, wrapped("There are no statements: --tasks FILE provides the tasks.", width)...)
	}
	task, err := m.opts.Tasks.Task(t.ID)
	if err != nil {
		return append(lines, wrapped(err.Error(), width)...)
	}
	text := task.Statement()
	if task.Prompt != "" && task.Prompt != task.Description {
		text += "\n\n" + task.Prompt
	}
	return append(lines, wrapped(text, width)...)
}

// respondents lists each respondent's score on the task.
func (m *Model) respondents(t *difficulty.Task, width int) []string {
	all := m.all.ResponsesTo(t.ID)
	const fixed = 1 + 10 + 2 + 12 + 2 + 8 + 2 + 7
	name := max(8, width-fixed-2)
	lines := []string{m.theme.Dim.Render(" " + frame.Cell("result", 10) + "  " + frame.Cell("score", 12) + "  " + "expected" + "  " + "ability" + "  " + frame.Cell("respondent", name))}
	for _, r := range all {
		glyph, style := "± partly", m.theme.Warn
		switch {
		case math.IsNaN(r.Score):
			glyph, style = "– none", m.theme.Dim
		case r.Score >= 1:
			glyph, style = "✓ solved", m.theme.Good
		case r.Score <= 0:
			glyph, style = "✗ failed", m.theme.Bad
		}
		score := ""
		if !math.IsNaN(r.Score) {
			if score = stats.Round(r.Score, 2); r.Samples > 1 {
				score = fmt.Sprintf("%s of %s", stats.Round(r.Score*r.Samples, 0), stats.Round(r.Samples, 0))
			}
		}
		who := frame.OneLine(r.Name)
		if r.Who != "" {
			who += " (" + string(r.Who) + ")"
		}
		lines = append(lines, " "+style.Render(frame.Cell(glyph, 10))+"  "+frame.Cell(score, 12)+"  "+number(r.Expected, 8)+"  "+number(r.Ability.Value, 7)+"  "+strings.TrimRight(frame.Cell(who, name), " "))
	}
	return lines
}

// answerLines shows one answer and its number.
func (m *Model) answerLines(found answersOf, width int) []string {
	switch {
	case m.opts.Answers == nil:
		return append([]string{""}, wrapped("There are no answers here: runs of 'assay run batch' keep them; results of 'assay eval' and tables do not.", width)...)
	case found.err != nil:
		return append([]string{""}, wrapped("✗ "+found.err.Error(), width)...)
	case len(found.list) == 0:
		return append([]string{""}, wrapped("There is no answer to this task in the runs.", width)...)
	}
	a := found.list[min(m.answer, len(found.list)-1)]
	accepted := len(found.list) - len(slices.DeleteFunc(slices.Clone(found.list), func(a Answer) bool { return a.Accepted }))
	lines := wrapped(fmt.Sprintf("answer %d of %d, of which %d are accepted", min(m.answer, len(found.list)-1)+1, len(found.list), accepted), width)
	who := frame.OneLine(a.Model)
	if a.Prompt != "" {
		who += ", " + frame.OneLine(a.Prompt)
	}
	verdict := "✗ " + a.Verdict
	switch {
	case a.Accepted:
		verdict = "✓ " + a.Verdict
	case a.Verdict == "":
		verdict = "– not judged"
	}
	if a.Total > 0 {
		verdict += fmt.Sprintf(" %d/%d", a.Passed, a.Total)
	}
	head := strings.TrimRight(frame.Cell(fmt.Sprintf("%s · sample %d", who, a.Sample), width-2), " ")
	lines = append(lines, " "+m.theme.Strong.Render(head), " "+m.theme.Chip(frame.OneLine(verdict)), "")
	for _, line := range strings.Split(frame.Plain(strings.TrimRight(a.Text, "\n")), "\n") {
		lines = append(lines, strings.Split(frame.Indent(frame.Wrap(line, width-2), " "), "\n")...)
	}
	return lines
}
