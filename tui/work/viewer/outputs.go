package viewer

import (
	"context"
	"errors"
	"fmt"
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

// savesOutputs reports whether there are files that can be saved.
func (m *reading) savesOutputs() bool {
	return m.Opts.SaveOutputs != nil && m.State.Plan.Sees(m.Attempt()) == session.SeeTests &&
		slices.ContainsFunc(m.leftFiles(), func(f session.Output) bool { return f.Problem == "" })
}

// chosenFile returns the index of the file chosen in the tests, else of the first picture, else of the
// first file; -1 for none.
func (m *reading) chosenFile() int {
	files := m.leftFiles()
	if c := m.review.chosen; c.kind == fileItem && c.n < len(files) && files[c.n].Problem == "" && m.review.tab == TabTests {
		return c.n
	}
	if i := m.shownPicture(); i >= 0 {
		return i
	}
	return slices.IndexFunc(files, func(f session.Output) bool { return f.Problem == "" })
}

// writeOutputs saves the files and opens the named one, "" for none.
func (m *reading) writeOutputs(open string) tea.Cmd {
	files, id := m.leftFiles(), m.State.Session
	of := attemptID{m.Task().ID, m.Attempt().N}
	return func() tea.Msg {
		whole := make([]verdicts.OutputFile, len(files))
		for i, f := range files {
			data, err := m.source.Output(f)
			if err != nil {
				return outputsMsg{err: err}
			}
			whole[i] = verdicts.OutputFile{Name: f.Name, Problem: f.Problem, Data: data}
		}
		dir, err := m.Opts.SaveOutputs(context.Background(), id, of.task, of.attempt, whole)
		return outputsMsg{of, dir, open, err}
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
func (m *subject) previews(v *session.VerdictRecorded) ([]preview, error) {
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

func (m *testsTab) previewText(i, width int) string {
	if i >= len(m.shownPreviews) {
		return ""
	}
	var b strings.Builder
	for _, line := range m.shownPreviews[i].lines {
		b.WriteString(frame.Fit("       "+line, frame.Size{Width: width, Height: 1})[0] + "\n")
	}
	if m.shownPreviews[i].more {
		b.WriteString("       " + m.Theme.Dim.Render("…") + "\n")
	}
	return b.String()
}

// testsTab is the tab of the tests, with the files of the program. The results read last are kept, since the
// screen is drawn far more often than they change.
type testsTab struct {
	pictures
	shownDetail   session.Ref // of shownResult
	shownResult   verdicts.Result
	shownPreviews []preview // of the files of shownResult

	savedOf attemptID // whose files were saved last
	savedIn string    // and where
}

// Results reads the results of the test cases behind a verdict.
func (m *testsTab) Results(v *session.VerdictRecorded) (verdicts.Result, error) {
	if v.Detail == m.shownDetail {
		return m.shownResult, nil
	}
	result, err := m.source.Verdict(v)
	if err != nil {
		return result, err
	}
	previews, err := m.previews(v)
	if err == nil {
		m.shownDetail, m.shownResult, m.shownPreviews = v.Detail, result, previews
	}
	return result, err
}
