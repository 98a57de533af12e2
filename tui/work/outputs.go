package work

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// outputsMsg carries the directory of saved output files and the file to open, "" for none.
type outputsMsg struct {
	of   attemptID
	dir  string
	open string
	err  error
}

// OpenedMsg reports whether a file was handed to a program of the desktop.
type OpenedMsg struct {
	Path string
	Err  error
}

// leftFiles lists the output files that the task asks of the program under review.
func (m *viewer) leftFiles() []session.Output {
	if a := m.attempt(); a != nil && a.Verdict != nil {
		return a.Verdict.Outputs
	}
	return nil
}

// saveKeys lists the keys that save output files, if there are any. No program is started for
// them unless the tester asks: they come from untrusted code.
func (m *viewer) saveKeys() []frame.Key {
	return []frame.Key{
		{Press: "o", Does: "save", Do: func() tea.Cmd { return m.writeOutputs("") }, Fit: func(k *frame.Key) {
			if !m.savesOutputs() {
				k.Press = ""
			}
		}},
		{Press: "x", Does: "save files, and open the chosen one", More: true, Fit: func(k *frame.Key) {
			at, opener := m.chosenFile(), m.opts.Desktop.Opener()
			if !m.savesOutputs() || opener == "" || at < 0 || !verdicts.Viewed(m.leftFiles()[at].Name, m.leftFiles()[at].Kind) {
				k.Press = "" // what a model and a task chose is not run
			} else {
				k.Does = "save them, and open the chosen one with " + opener
			}
		}, Do: func() tea.Cmd { return m.writeOutputs(m.leftFiles()[m.chosenFile()].Name) }},
	}
}

// savesOutputs reports whether there are files that can be saved.
func (m *viewer) savesOutputs() bool {
	return m.opts.SaveOutputs != nil && m.state.Plan.Sees(m.attempt()) == session.SeeTests &&
		slices.ContainsFunc(m.leftFiles(), func(f session.Output) bool { return f.Problem == "" })
}

// chosenFile returns the index of the file chosen in the tests, else of the first picture, else of the
// first file; -1 for none.
func (m *viewer) chosenFile() int {
	files := m.leftFiles()
	if c := m.review.chosen; c.kind == fileItem && c.n < len(files) && files[c.n].Problem == "" && m.review.tab == tabTests {
		return c.n
	}
	if i := m.shownPicture(); i >= 0 {
		return i
	}
	return slices.IndexFunc(files, func(f session.Output) bool { return f.Problem == "" })
}

// writeOutputs saves the files and opens the named one, "" for none.
func (m *viewer) writeOutputs(open string) tea.Cmd {
	files, id := m.leftFiles(), m.state.Session
	of := attemptID{m.task().ID, m.attempt().N}
	return func() tea.Msg {
		whole := make([]verdicts.OutputFile, len(files))
		for i, f := range files {
			data, err := m.source.Output(f)
			if err != nil {
				return outputsMsg{err: err}
			}
			whole[i] = verdicts.OutputFile{Name: f.Name, Problem: f.Problem, Data: data}
		}
		dir, err := m.opts.SaveOutputs(context.Background(), id, of.task, of.attempt, whole)
		return outputsMsg{of, dir, open, err}
	}
}

func (m *viewer) outputsSaved(msg outputsMsg) tea.Cmd {
	if msg.err != nil {
		m.trouble = fmt.Errorf("the files were not saved: %w", msg.err).Error()
		return nil
	}
	m.trouble, m.savedOf, m.savedIn = "", msg.of, msg.dir
	m.review.changes++
	m.notice = "The files are in " + msg.dir
	if msg.open == "" {
		return nil
	}
	path, desktop := filepath.Join(msg.dir, filepath.FromSlash(msg.open)), m.opts.Desktop
	return func() tea.Msg { return OpenedMsg{path, desktop.Open(path)} }
}

func (m *viewer) opened(msg OpenedMsg) {
	if msg.Err != nil {
		m.trouble = msg.Err.Error()
		return
	}
	m.notice = m.opts.Desktop.Opener() + " opens " + msg.Path
}

// files lists the output files, with the first lines of texts and one of the pictures.
func (l *testList) files(v *session.VerdictRecorded) {
	m, width := l.m, l.width
	if len(v.Outputs) == 0 {
		return
	}
	name := 0
	for _, f := range v.Outputs {
		name = max(name, frame.Width(frame.Plain(f.Name)))
	}
	name = min(name, max(width-40, 12))
	l.add("\n " + m.theme.Dim.Render("files of the program"))
	for i, f := range v.Outputs {
		called := frame.Fit(frame.Plain(f.Name), frame.Size{Width: name, Height: 1})[0]
		called += strings.Repeat(" ", max(0, name-frame.Width(called)))
		l.begin(item{fileItem, i}, false)
		if f.Problem != "" {
			text := frame.Wrap("not copied: "+frame.Plain(f.Problem), max(width-name-8, 12))
			l.add("   " + m.theme.Warn.Render("–") + " " + called + "  " +
				strings.TrimLeft(frame.Indent(text, strings.Repeat(" ", name+7)), " "))
			l.end()
			continue
		}
		line := fmt.Sprintf("     %s  %-14s %10s", called, frame.Plain(f.Kind), sizeText(f.Size))
		l.add(frame.Fit(line, frame.Size{Width: width, Height: 1})[0])
		l.addText(m.previewText(i, width))
		if l.chooses {
			l.rows = append(l.rows, m.inlinePicture(i)...)
		}
		l.end()
	}
	if m.savedIn != "" && m.savedOf == (attemptID{m.task().ID, m.attempt().N}) {
		l.add(frame.Indent(frame.Wrap(m.theme.Dim.Render("saved in ")+frame.FileLink(m.savedIn, m.theme.Dim, width-16), width-6), "     "))
	} else if m.savesOutputs() {
		l.add("     " + m.theme.Dim.Render("o saves them, to be opened with your own programs"))
	}
}

// sizeText formats a number of bytes.
func sizeText(n int64) string {
	switch {
	case n < 1<<10:
		return frame.Count(int(n), "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// Limits of the preview of a text file.
const (
	previewLines = 8
	previewBytes = 4 << 10
)

// preview is the beginning of a text file without control sequences.
type preview struct {
	lines []string
	more  bool
}

// previews reads the beginnings of the text files behind a verdict.
func (m *viewer) previews(v *session.VerdictRecorded) ([]preview, error) {
	list := make([]preview, len(v.Outputs))
	for i, f := range v.Outputs {
		if f.Problem != "" || !verdicts.IsText(f.Kind) {
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
