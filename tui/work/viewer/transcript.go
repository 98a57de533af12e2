package viewer

import (
	"fmt"
	"slices"
	"strings"

	"assay/session"
	"assay/session/trajectory"
	"assay/tui/frame"
)

// mostTranscript is how much of an agent's transcript is shown, in bytes: its end.
const mostTranscript = 256 << 10

// transcriptText shows what an agent printed while it worked, with what it used.
func (m *reading) transcriptText(s *sheet, a *session.AnswerReceived, width int) {
	text := m.Text(a.Transcript)
	facts := []string{frame.Duration(float64(a.LatencyMS) / 1000)}
	if a.InputTokens+a.OutputTokens > 0 {
		facts = append(facts, fmt.Sprintf("%s tokens read, %s written", thousands(a.InputTokens), thousands(a.OutputTokens)))
	}
	if a.CostUSD > 0 {
		facts = append(facts, fmt.Sprintf("%.2f US dollars", a.CostUSD))
	}
	if hidden := len(text) - mostTranscript; hidden > 0 {
		text = strings.ToValidUTF8(text[hidden:], "")
		facts = append(facts, fmt.Sprintf("without its first %s KB", thousands(hidden>>10+1)))
	}
	s.add("\n " + m.Theme.Dim.Render(strings.Join(facts, " · ")) + "\n")
	if steps := m.stepsOf(a); len(steps) > 0 {
		m.addSteps(s, steps, width)
		if m.review.tool != "" {
			return
		}
		s.add(" " + m.Theme.Strong.Render("As it was printed") + "\n")
	}
	if m.State.Plan.HideThinking {
		text = hiddenThinking // what the agent thought may be anywhere in what it printed
	}
	for line := range strings.SplitSeq(strings.TrimRight(frame.Plain(text), "\n"), "\n") {
		for _, row := range strings.Split(frame.WrapText(line, width-2), "\n") {
			s.rows = append(s.rows, " "+row)
		}
	}
}

// Limits of what is shown of an agent's steps: of each text, and of all of them, after which steps have their heads alone.
const (
	mostStepText = 8 << 10
	mostSteps    = 256 << 10
)

// stepsOf returns the steps of an agent's answer; none if they cannot be read, since the transcript has them, too.
func (m *subject) stepsOf(a *session.AnswerReceived) []trajectory.Step {
	if a.Trajectory == "" {
		return nil
	}
	steps, err := trajectory.Parse(m.Text(a.Trajectory))
	if err != nil {
		return nil
	}
	return steps
}

// addSteps lists the steps of an agent, each a spot that folds, or those alone that use the chosen tool.
func (m *reading) addSteps(s *sheet, steps []trajectory.Step, width int) {
	tool, budget, listed := m.review.tool, mostSteps, 0
	uses := func(step trajectory.Step) bool {
		return tool == "" || slices.ContainsFunc(step.Calls, func(c trajectory.Call) bool { return c.Tool == tool })
	}
	for _, step := range steps {
		if uses(step) {
			listed++
		}
	}
	total := trajectory.Sum(steps)
	head := fmt.Sprintf("%s with %s", frame.Count(total.Steps, "step"), frame.Count(total.ToolCalls, "use")+" of tools")
	if tool != "" {
		head = fmt.Sprintf("%d of %s: those with %s", listed, frame.Count(total.Steps, "step"), frame.Plain(oneRow(tool)))
	}
	s.add(" " + m.Theme.Dim.Render(frame.Wrap(head, width-2)) + "\n")
	for i, step := range steps {
		if !uses(step) {
			continue
		}
		s.add(" " + m.stepHead(i, step, width-1))
		if rows := m.stepRows(step, width, &budget); len(rows) > 0 {
			m.addBlock(s, item{stepItem, i}, rows, blockRows)
		} else {
			s.begin(item{stepItem, i}, false)
			s.end()
		}
		s.add("")
	}
}

// stepHead is the row of a step's number, tools, tokens and cost.
func (m *reading) stepHead(i int, step trajectory.Step, width int) string {
	var tools, used []string
	for _, c := range step.Calls {
		if name := frame.Plain(oneRow(c.Tool)); !slices.Contains(tools, name) && len(tools) < 5 {
			tools = append(tools, name)
		}
	}
	if step.InputTokens+step.OutputTokens > 0 {
		used = append(used, fmt.Sprintf("%s tokens read, %s written", thousands(step.InputTokens), thousands(step.OutputTokens)))
	}
	if step.CostUSD > 0 {
		used = append(used, fmt.Sprintf("%.4f US dollars", step.CostUSD))
	}
	head := m.Theme.Strong.Render(fmt.Sprintf("step %d", i+1))
	if len(tools) > 0 {
		head += " " + strings.Join(tools, ", ")
	}
	if len(used) > 0 {
		head += "  " + m.Theme.Dim.Render(strings.Join(used, " · "))
	}
	return frame.Cut(head, width)
}

// stepRows are a step's texts: what the model thought and said, and each use of a tool with what that returned.
func (m *reading) stepRows(step trajectory.Step, width int, budget *int) (rows []string) {
	add := func(text, before string, dim bool) {
		if text = strings.TrimRight(frame.Plain(text), "\n"); strings.TrimSpace(text) == "" || *budget <= 0 {
			return
		}
		more := ""
		if most := min(mostStepText, *budget); len(text) > most {
			more = fmt.Sprintf("… %s more bytes", thousands(len(text)-most))
			text = strings.ToValidUTF8(text[:most], "")
		}
		*budget -= len(text)
		for line := range strings.SplitSeq(text+strings.Repeat("\n", min(1, len(more)))+more, "\n") {
			for _, row := range strings.Split(frame.WrapText(line, width-2-len(before)), "\n") {
				if row = before + row; dim {
					row = m.Theme.Dim.Render(row)
				}
				rows = append(rows, " "+row)
			}
		}
	}
	if !m.State.Plan.HideThinking {
		add(step.Thinking, "> ", true)
	}
	add(step.Text, "", false)
	for _, c := range step.Calls {
		call := "→ " + oneRow(c.Tool)
		if c.Exit != nil {
			call += fmt.Sprintf(" (exit %d)", *c.Exit)
		}
		add(call+" "+c.Input, "", false)
		add(c.Output, "    ", true)
	}
	return rows
}

func oneRow(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ToValidUTF8(text[:min(len(text), 40)], "")
}

// walks reports whether the chosen tab lists steps and nothing is searched for in it.
func (m *reading) walks() bool {
	a := m.Attempt()
	return m.review.tab == tabTranscript && m.review.find.Needle == "" && a != nil && a.Answer != nil && a.Answer.Trajectory != ""
}
