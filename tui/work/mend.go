package work

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
)

// mendRoom has the files of a final answer edited.
type mendRoom struct {
	*live.Session
	files *filesRoom
}

// mendKey returns a key for editing the final answer, where the plan allows that.
func (m *mendRoom) mendKey(press, does string, do func() tea.Cmd) frame.Key {
	return frame.Key{Press: press, Does: does, Do: do, Fit: func(k *frame.Key) {
		if !m.State.Plan.HandEdit || !m.OfRepository() || m.State.Phase != session.Rate {
			k.Press = ""
		}
	}, Not: func() string {
		return cmp.Or(m.State.MayMend(), m.NoEditor())
	}}
}

// mendedMsg is sent when the editor of a file has ended.
type mendedMsg struct {
	of     treeVersion
	path   string // in the repository
	file   live.EditFile
	before string
	text   string
	holds  bool // the file holds what was written
	ms     int64
	err    error
}

// mendFile opens the chosen file in the tester's own editor. The file is read first, off the update path.
func (m *mendRoom) mendFile() tea.Cmd {
	name, command, of, eng, ctx, dir := m.files.chosenPath(), m.Opts.Editor, m.files.treeVersion(), m.Eng, m.Watch, m.EditDir()
	if name == "" {
		m.Notice = "No file is chosen."
		return nil
	}
	return func() tea.Msg {
		text, err := eng.ReadFile(ctx, of.task, name)
		if err != nil {
			return mendedMsg{of: of, path: name, err: err}
		}
		file, err := live.NewEditFile(dir, of.String(), name, text)
		if err != nil {
			return mendedMsg{of: of, path: name, err: err}
		}
		return mendMsg{mendedMsg{of: of, path: name, file: file, before: text}, command}
	}
}

// mendMsg asks for the editor of a file that was read.
type mendMsg struct {
	mendedMsg
	command string
}

// edit opens the editor.
func (m *mendRoom) edit(msg mendMsg) tea.Cmd {
	began := m.Eng.Now()
	return tea.ExecProcess(live.EditorCommand(msg.command, msg.file.Path), func(err error) tea.Msg {
		done := msg.mendedMsg
		done.ms = m.Eng.Now() - began
		done.text, done.holds, done.err = done.file.Read(done.before, err)
		return done
	})
}

// mended records what was edited. The file stays where it is if it was not taken over.
func (m *mendRoom) mended(msg mendedMsg) tea.Cmd {
	kept := func(why string) tea.Cmd {
		m.Trouble = why
		if msg.holds {
			m.Trouble += "; what was written is in " + msg.file.Path
		}
		return nil
	}
	switch {
	case msg.err != nil:
		return kept(msg.path + " was not edited: " + msg.err.Error())
	case msg.of != m.files.treeVersion():
		return kept("the answer is no longer being rated")
	case msg.text == msg.before:
		m.Notice = "Nothing was changed in " + msg.path + "."
		return nil
	}
	in := live.Record(false, func(ctx context.Context) error {
		if err := m.Eng.Mend(ctx, msg.path, msg.text, msg.ms); err != nil {
			return err
		}
		msg.file.Remove()
		return nil
	})
	in.After = func(why string) tea.Cmd {
		if why != "" {
			return kept(why)
		}
		m.Notice = "The edit is recorded apart from the model's answer; the tests run again."
		return tea.Batch(m.files.readPaths(), m.files.lookAtFile())
	}
	return m.Intend(in)
}
