package work

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark/judge"
	"assay/session"
	"assay/tui/frame"
)

// outputsMsg says where the files that a program left were saved.
type outputsMsg struct {
	of  session.Ref
	dir string
	err error
}

// leftFiles are the files that the program of the attempt under review was to leave.
func (m *viewer) leftFiles() []session.Output {
	if a := m.attempt(); a != nil && a.Verdict != nil {
		return a.Verdict.Outputs
	}
	return nil
}

// saveable counts the files that can be saved.
func saveable(files []session.Output) int {
	n := 0
	for _, f := range files {
		if f.Problem == "" {
			n++
		}
	}
	return n
}

// saveKey is the key that saves the files, where there are any.
func (m *viewer) saveKey() []frame.Key {
	if m.state.Plan.Sees(m.attempt()) != session.SeeTests {
		return nil
	}
	if saveable(m.leftFiles()) == 0 || m.opts.SaveOutputs == nil {
		return nil
	}
	return []frame.Key{{Press: "o", Does: "save files"}}
}

// saveOutputs writes the files to where the tester can open them. Nothing is
// started to show them: they come from untrusted code.
func (m *viewer) saveOutputs() tea.Cmd {
	if len(m.saveKey()) == 0 {
		return nil
	}
	files, of := m.leftFiles(), m.attempt().Verdict.Detail
	id, task, attempt := m.state.Session, m.task().ID, m.attempt().N
	return func() tea.Msg {
		whole := make([]judge.OutputFile, len(files))
		for i, f := range files {
			data, err := m.source.Output(f)
			if err != nil {
				return outputsMsg{err: err}
			}
			whole[i] = judge.OutputFile{Name: f.Name, Problem: f.Problem, Data: data}
		}
		dir, err := m.opts.SaveOutputs(context.Background(), id, task, attempt, whole)
		return outputsMsg{of, dir, err}
	}
}

func (m *viewer) outputsSaved(msg outputsMsg) {
	if msg.err != nil {
		m.trouble = fmt.Errorf("the files were not saved: %w", msg.err).Error()
		return
	}
	m.trouble, m.savedOf, m.savedIn = "", msg.of, msg.dir
	m.notice = "The files are in " + msg.dir
}

// outputsText lists the files that a program left, with the first lines of those
// that are text.
func (m *viewer) outputsText(v *session.VerdictRecorded, width int) string {
	if len(v.Outputs) == 0 {
		return ""
	}
	name := 0
	for _, f := range v.Outputs {
		name = max(name, frame.Width(frame.Plain(f.Name)))
	}
	name = min(name, max(width-40, 12))
	var b strings.Builder
	b.WriteString("\n " + m.theme.Dim.Render("files of the program") + "\n")
	for i, f := range v.Outputs {
		called := frame.Fit(frame.Plain(f.Name), frame.Size{Width: name, Height: 1})[0]
		called += strings.Repeat(" ", max(0, name-frame.Width(called)))
		if f.Problem != "" {
			text := frame.Wrap("not copied: "+frame.Plain(f.Problem), max(width-name-8, 12))
			b.WriteString("   " + m.theme.Warn.Render("–") + " " + called + "  " +
				strings.TrimLeft(frame.Indent(text, strings.Repeat(" ", name+7)), " ") + "\n")
			continue
		}
		line := fmt.Sprintf("     %s  %-14s %10s", called, frame.Plain(f.Kind), sizeText(f.Size))
		b.WriteString(frame.Fit(line, frame.Size{Width: width, Height: 1})[0] + "\n")
		b.WriteString(m.previewText(i, width))
	}
	if m.savedIn != "" && m.savedOf == v.Detail {
		b.WriteString(frame.Indent(m.theme.Dim.Render(frame.Wrap("saved in "+frame.Plain(m.savedIn), width-6)), "     ") + "\n")
	} else if len(m.saveKey()) > 0 {
		b.WriteString("     " + m.theme.Dim.Render("o saves them, to be opened with your own programs") + "\n")
	}
	return b.String()
}

// sizeText is a number of bytes for people.
func sizeText(n int64) string {
	switch {
	case n < 1<<10:
		return count(int(n), "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// What is shown of a text file: its first lines.
const (
	previewLines = 8
	previewBytes = 4 << 10
)

// preview is the beginning of a text file, with what a terminal would interpret
// taken out.
type preview struct {
	lines []string
	more  bool
}

// previews reads the beginnings of the text files behind a verdict.
func (m *viewer) previews(v *session.VerdictRecorded) ([]preview, error) {
	list := make([]preview, len(v.Outputs))
	for i, f := range v.Outputs {
		if f.Problem != "" || !judge.IsText(f.Kind) {
			continue
		}
		data, err := m.source.Output(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the file %s cannot be read", f.Name), err)
		}
		list[i] = previewOf(data)
	}
	return list, nil
}

func previewOf(data []byte) preview {
	head := data[:min(len(data), previewBytes)]
	lines := strings.Split(strings.TrimRight(frame.Plain(string(head)), "\n"), "\n")
	p := preview{lines: lines, more: len(head) < len(data)}
	if len(lines) > previewLines {
		p.lines, p.more = lines[:previewLines], true
	}
	return p
}

func (m *viewer) previewText(i, width int) string {
	if i >= len(m.shownPreviews) {
		return ""
	}
	var b strings.Builder
	for _, line := range m.shownPreviews[i].lines {
		b.WriteString(frame.Fit("       "+line, frame.Size{Width: width, Height: 1})[0] + "\n")
	}
	if m.shownPreviews[i].more {
		b.WriteString("       " + m.theme.Dim.Render("…") + "\n")
	}
	return b.String()
}
