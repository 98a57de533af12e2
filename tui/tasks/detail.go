package tasks

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/benchmark"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// tab is a part of a task.
type tab int

const (
	statementTab tab = iota
	testsTab
	metadataTab
	contextTab
	referenceTab
	tabs
)

var tabNames = [tabs]string{"statement", "tests", "metadata", "context", "reference"}

// detailKey identifies the rendered text of a task.
type detailKey struct {
	task *benchmark.Task
	tab  tab
	look markdown.Look
}

func (m *Model) open(t tab) {
	if t != m.tab {
		m.tab, m.pan = t, frame.Pan{}
		m.text.To(0)
	}
}

// openSession is why reference solutions are hidden.
const openSession = "a session over this benchmark is open, and has not ended"

func (m *Model) hidesReference() bool {
	return m.opts.HideReference != nil && m.opts.HideReference(m.benchmark().Name)
}

// reveal shows the reference solution of the chosen task.
func (m *Model) reveal() {
	m.open(referenceTab)
	m.revealed = m.task
	if !m.beside() {
		m.mode = reading
	}
}

// detailKey returns what the screen needs; ok is false if nothing needs to be rendered.
func (m *Model) detailKey() (key detailKey, ok bool) {
	if m.task == nil || m.size.Width == 0 || !m.beside() && m.mode != reading {
		return key, false
	}
	if m.tab == referenceTab && m.revealed != m.task {
		return key, false
	}
	return detailKey{m.task, m.tab, markdown.LookOf(m.theme, m.detailSize().Width)}, true
}

// render starts rendering what the screen needs.
func (m *Model) render() tea.Cmd {
	key, ok := m.detailKey()
	if !ok {
		return nil
	}
	return m.details.Ask(key, func(context.Context) []string { return key.lines() })
}

// detailLines returns all lines of the task on the screen.
func (m *Model) detailLines() []string {
	if m.task != nil && m.tab == referenceTab {
		switch {
		case m.hidesReference():
			return []string{" " + m.theme.Dim.Render("The reference solution is not shown: "+openSession+".")}
		case m.revealed != m.task:
			return []string{" " + m.theme.Accent.Render(m.theme.Press(frame.ScopeTasks, "r")) + " shows the reference solution, if the task has one."}
		}
	}
	want, ok := m.detailKey()
	if key, lines, has := m.details.Last(); ok && has && key == want {
		return lines
	}
	return []string{" " + m.theme.Dim.Render("…")}
}

// lines renders one part of a task.
func (k detailKey) lines() []string {
	var text string
	switch t := k.task; k.tab {
	case statementTab:
		look := k.look
		look.Breaks = t.Program()
		text = markdown.Render(t.PromptText(benchmark.MaxPromptLevel), look)
	case testsTab:
		text = " This task has no tests: it is judged by the tester alone."
		if tests := t.TestsText(); tests != "" {
			text = markdown.Render(tests, k.look)
		}
	case metadataTab:
		text = metadata(t, k.look.Width)
	case contextTab:
		text = " This task has no context levels."
		if len(t.ContextLevels) > 0 {
			var b strings.Builder
			for i, level := range t.ContextLevels {
				fmt.Fprintf(&b, "## Context level %d\n\n%s\n\n", i+1, level)
			}
			text = markdown.Render(b.String(), k.look)
		}
	case referenceTab:
		text = " This task has no reference solution."
		if t.Reference != "" {
			text = markdown.Render("```"+t.ReferenceLanguage()+"\n"+strings.TrimRight(t.Reference, "\n")+"\n```\n", k.look)
		}
	}
	lines := strings.Split(text, "\n")
	blank := func(line string) bool { return strings.TrimSpace(ansi.Strip(line)) == "" }
	for len(lines) > 1 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 1 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// metadata lists a task's metadata, one line each.
func metadata(t *benchmark.Task, width int) string {
	const label = 18
	var b strings.Builder
	for _, row := range t.Metadata() {
		text := frame.Wrap(frame.OneLine(row[1]), width-label-1)
		b.WriteString(" " + frame.Cell(frame.OneLine(row[0]), label-1) + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", label)) + "\n")
	}
	return b.String()
}

// detailSize returns the size of the task's text.
func (m *Model) detailSize() frame.Size {
	body := m.size.Body()
	if m.beside() {
		return frame.Size{Width: body.Width - m.listWidth() - 1, Height: m.mainHeight() - detailHead}
	}
	return frame.Size{Width: body.Width, Height: body.Height - detailHead}
}

// detailHead is the number of rows above the lines of a task: title, tabs, rule.
const detailHead = 3

// detail draws the chosen task.
func (m *Model) detail() string {
	size := m.detailSize()
	if m.task == nil {
		return ""
	}
	var b strings.Builder
	title := frame.OneLine(m.task.Title)
	if title == "" {
		title = frame.OneLine(m.task.ID)
	}
	b.WriteString(" " + m.theme.Strong.Render(frame.Cell(title, size.Width-1)) + "\n")
	b.WriteString(m.tabLine(size.Width) + "\n")
	lines := m.text.Of(m.detailLines(), size.Height)
	b.WriteString(frame.Rule(m.text.Seen(), size.Width, m.theme) + "\n")
	b.WriteString(strings.Join(m.pan.Rows(lines, size.Width, m.theme), "\n"))
	return b.String()
}

func (m *Model) tabLine(width int) string {
	gap := " "
	if width < 62 {
		gap = ""
	}
	var parts []string
	for t := range tabs {
		text := m.theme.Press(frame.ScopeTasks, fmt.Sprint(int(t)+1)) + " " + tabNames[t]
		parts = append(parts, m.theme.Tab(text, t == m.tab))
	}
	return frame.Fit(strings.Join(parts, gap), frame.Size{Width: width, Height: 1})[0]
}
