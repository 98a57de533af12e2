package work

import (
	"fmt"
	"strings"

	"assay/session"
	"assay/tui/frame"
)

// mostTranscript is how much of an agent's transcript is shown, in bytes: its end.
const mostTranscript = 256 << 10

// transcriptText shows what an agent printed while it worked, with what it used.
func (m *viewer) transcriptText(s *sheet, a *session.AnswerReceived, width int) {
	text := m.text(a.Transcript)
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
	s.add("\n " + m.theme.Dim.Render(strings.Join(facts, " · ")) + "\n")
	if steps := m.stepsOf(a); len(steps) > 0 {
		m.addSteps(s, steps, width)
		if m.review.tool != "" {
			return
		}
		s.add(" " + m.theme.Strong.Render("As it was printed") + "\n")
	}
	if m.state.Plan.HideThinking {
		text = hiddenThinking // what the agent thought may be anywhere in what it printed
	}
	for line := range strings.SplitSeq(strings.TrimRight(frame.Plain(text), "\n"), "\n") {
		for _, row := range strings.Split(frame.WrapText(line, width-2), "\n") {
			s.rows = append(s.rows, " "+row)
		}
	}
}
