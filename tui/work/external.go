package work

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/data/program"
	"assay/session"
	"assay/tui/editor"
	"assay/tui/frame"
)

// editedMsg is sent when the tester's own editor has ended.
type editedMsg struct {
	of    draftOf
	text  string
	err   error
	file  editFile
	holds bool // the file holds what was written
}

// openEditor edits the draft in the tester's own editor.
func (m *Model) openEditor() tea.Cmd {
	of, text := m.compose.of, m.compose.area.Value()
	if text != "" {
		text += "\n" // as editors expect
	}
	file, err := newEditFile(m.editDir(), of.String(), "prompt.md", text)
	if err != nil {
		m.trouble = "the editor could not be opened: " + err.Error()
		return nil
	}
	edit := tea.ExecProcess(EditorCommand(m.opts.Editor, file.path), func(err error) tea.Msg { return visited(of, file, text, err) })
	return tea.Sequence(m.saveDraft(), edit)
}

// editDir is where files of this session are while an editor has them open; "": among the temporary files.
func (m *Model) editDir() string {
	if m.opts.EditDir == "" {
		return ""
	}
	return filepath.Join(m.opts.EditDir, m.state.Session)
}

// unsavedEdits tells of texts that an editor saved when assay was killed.
func (m *Model) unsavedEdits() string {
	dir := m.editDir()
	if dir == "" {
		return ""
	}
	if f := unsavedEdit(dir, m.draftOf(m.state).String()); f.path != "" && m.writing(m.state) {
		return m.keyed("Your editor saved a text here that was not taken over: {ctrl+o} opens it.")
	}
	if f := unsavedEdit(dir, m.treeVersion().String()); f.path != "" && m.state.MayMend() == "" {
		name, _ := filepath.Rel(f.folder, f.path)
		return "Your editor saved an edit of " + name + " that was not taken over: edit that file again to go on with it."
	}
	return ""
}

// Editor returns the command of the tester's own editor: $VISUAL, $EDITOR, or the first common editor
// that is installed; "" if there is none.
func Editor(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.TrimSpace(getenv(name)); command != "" {
			return command
		}
	}
	for _, name := range []string{"editor", "nano", "vi"} {
		if _, err := program.Find(name); err == nil {
			return name
		}
	}
	return ""
}

// editorName returns the name of the program that an editor's command starts, of Debian's "editor" that of what it stands
// for.
func editorName(command string) string {
	name := strings.Fields(command)[0]
	if quote := command[:1]; strings.ContainsAny(quote, `'"`) {
		name, _, _ = strings.Cut(command[1:], quote)
	}
	if path, err := program.Find(name); err == nil && name == "editor" {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			name, _, _ = strings.Cut(filepath.Base(real), ".") // "vim.basic" is vim
		}
	}
	return frame.OneLine(filepath.Base(name))
}

// noEditor explains why nothing can be edited in another program, or is "".
func (m *Model) noEditor() string {
	if m.opts.Editor != "" {
		return ""
	}
	return cmp.Or(m.opts.NoEditor, "no editor was found: put the name of one into the environment variable EDITOR")
}

// EditorCommand runs the editor on a file, by a shell if the command has shell quotes.
func EditorCommand(command, file string) *exec.Cmd {
	words := append(strings.Fields(command), file)
	if strings.ContainsAny(command, `'"\$`) {
		words = []string{"sh", "-c", command + ` "$1"`, "sh", file}
	}
	cmd := program.Command(context.Background(), program.Own, words[0], words[1:]...)
	cmd.Stdin = os.Stdin // the terminal, not the filtered input of the screens
	return cmd
}

// visited reads the edited file.
func visited(of draftOf, file editFile, before string, failed error) tea.Msg {
	text, holds, err := file.read(before, failed)
	return editedMsg{of, strings.TrimSuffix(text, "\n"), err, file, holds}
}

// edited takes over the text from the tester's own editor.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	switch {
	case msg.err != nil && msg.holds:
		m.trouble = fmt.Sprintf("the editor ended with an error (%v), and the draft is as it was. What was written there is in %s", msg.err, msg.file.path)
		return nil
	case msg.err != nil:
		m.trouble = "the editor ended with an error, and the draft is as it was: " + msg.err.Error()
		return nil
	case msg.of != m.compose.of:
		return nil // that draft is no longer being written
	}
	saved := m.change(func(area *editor.Editor) { area.Replace(msg.text, session.FromEditor) })
	text := m.compose.area.Value()
	return tea.Batch(saved, m.intend(intent{do: func(context.Context) error {
		if s := m.eng.State(); m.writing(s) && m.draftOf(s) == msg.of && savedDraft(s) == text {
			msg.file.remove()
		}
		return nil
	}}))
}

// savedDraft is the log's copy of what is being written.
func savedDraft(s *session.State) string {
	if s.Phase == session.Wait {
		return s.Words[session.WordsAnswer]
	}
	return s.Task().Draft()
}
