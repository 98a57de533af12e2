package viewer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/result"
)

// shortened lists the beginnings of tabs' names in the order in which they are used if the line is too
// long.
var shortened = [...]shortName{{tabSolution, "sol."}, {tabMeasures, "meas."}, {tabTranscript, "tr."}, {tabResult, "res."}, {TabChanges, "ch."}}

type shortName struct {
	of   tab
	name string
}

// tabName is the place of a tab's name in its line, in columns.
type tabName struct {
	of       tab
	from, to int
}

func (m *reading) tabLine(width int) (string, []tabName) {
	line, names := m.tabLabels(0)
	for short := 1; frame.Width(line) > width && short <= len(shortened)+len(m.tabs()); short++ {
		line, names = m.tabLabels(short)
	}
	return ansi.Truncate(line, width, "…"), names
}

// tabLabels draws the names of the tabs, using the first short entries of shortened and, beyond those, no names for as many
// of the last tabs, but for the chosen one and the tests.
func (m *reading) tabLabels(short int) (string, []tabName) {
	var b strings.Builder
	var names []tabName
	edge := " "
	if m.Room() < frame.FullWidth {
		edge = ""
	}
	at := 0
	for i, t := range m.tabs() {
		name := tabNames[t]
		if i := slices.IndexFunc(shortened[:min(short, len(shortened))], func(s shortName) bool { return s.of == t }); i >= 0 {
			name = shortened[i].name
		}
		if i >= len(m.tabs())+len(shortened)-short && t != m.review.tab {
			name = ""
		}
		if t == TabTests {
			name = m.testsLabel()
		}
		if edge == "" {
			b.WriteString(" ")
			at++
		}
		text := m.Theme.Tab(strings.TrimRight(fmt.Sprintf("%d %s", i+1, name), " "), t == m.review.tab)
		if edge == "" {
			text = strings.TrimSpace(text)
		}
		if a := m.Attempt(); t == TabTests && m.State.Plan.Sees(a) != session.SeeNothing && a.Verdict != nil {
			text = strings.TrimSuffix(text, " ") + m.Theme.Chip(result.Verdict(a.Verdict, true))
		}
		names = append(names, tabName{t, at, at + frame.Width(text)})
		at += frame.Width(text)
		b.WriteString(text)
	}
	return b.String(), names
}

// testsLabel names the tests in the line of tabs; a verdict follows as a chip.
func (m *reading) testsLabel() string {
	a := m.Attempt()
	tests := "tests "
	if m.Room() < frame.FullWidth {
		tests = ""
	}
	switch {
	case m.State.Plan.Sees(a) == session.SeeNothing:
		return tests + "– hidden"
	case a.Verdict == nil && !m.open():
		return tests + "– none"
	case a.Verdict == nil && (a.Answer == nil || m.State.Phase == session.Wait):
		return tests + "–"
	case a.Verdict == nil:
		far := strings.TrimPrefix(m.runningText(), "running")
		if far != "" && tests == "" { // the same width as without
			return "… running" + strings.Replace(far, " of ", "/", 1)
		}
		return "tests … running" + far
	}
	return tests
}
