package work

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
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
		m.Trouble = "the editor could not be opened: " + err.Error()
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
	return filepath.Join(m.opts.EditDir, m.State.Session)
}

// unsavedEdits tells of texts that an editor saved when assay was killed.
func (m *Model) unsavedEdits() string {
	dir := m.editDir()
	if dir == "" {
		return ""
	}
	if f := unsavedEdit(dir, m.draftOf(m.State).String()); f.path != "" && m.writing(m.State) {
		return m.keyed("Your editor saved a text here that was not taken over: {ctrl+o} opens it.")
	}
	if f := unsavedEdit(dir, m.treeVersion().String()); f.path != "" && m.State.MayMend() == "" {
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
		m.Trouble = fmt.Sprintf("the editor ended with an error (%v), and the draft is as it was. What was written there is in %s", msg.err, msg.file.path)
		return nil
	case msg.err != nil:
		m.Trouble = "the editor ended with an error, and the draft is as it was: " + msg.err.Error()
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

// editFile is a file that the tester's own editor has open. Its folder holds nothing else, and has the hash of
// the text that the editor began with for its name: so what an editor saved when assay was killed is found again.
type editFile struct{ folder, path string }

// newEditFile writes a text to a file below dir, for the text named what and with a name by which editors know
// the language. It returns the file of an earlier edit if that was not taken over. dir "" is a new temporary one.
func newEditFile(dir, what, name, text string) (f editFile, err error) {
	if dir == "" {
		dir, err = os.MkdirTemp("", "assay-edit-")
		f.folder = dir
	} else if f = unsavedEdit(dir, what); f.path == "" {
		f.folder = filepath.Join(dir, what, hashOf(text))
	} else {
		return f, nil
	}
	f.path = filepath.Join(f.folder, filepath.FromSlash(name))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(f.path, []byte(text), 0o600)
	}
	return f, err
}

// unsavedEdit finds the file of an edit that was not taken over, for the text named what, "*" for any; none if its
// path is "".
func unsavedEdit(dir, what string) editFile {
	folders, _ := fs.Glob(os.DirFS(dir), what+"/*") // the pattern is right, and a directory that is not there has none
	for _, folder := range folders {
		f := editFile{folder: filepath.Join(dir, folder)}
		_ = filepath.WalkDir(f.folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				f.path = path
			}
			return err
		})
		text, err := os.ReadFile(f.path)
		if err == nil && strings.TrimSpace(string(text)) != "" && hashOf(string(text)) != filepath.Base(folder) {
			return f
		}
	}
	return editFile{}
}

// read returns the text that the editor left. It deletes the file unless a failed editor saved a text in it, which
// is nowhere else.
func (f editFile) read(before string, failed error) (text string, holds bool, err error) {
	content, err := os.ReadFile(f.path)
	text = string(content)
	holds = err == nil && text != before && strings.TrimSpace(text) != ""
	if err = errors.Join(failed, err); !holds {
		f.remove()
	}
	return text, holds, err
}

// remove deletes the file. One that could not be deleted is offered again, which does no harm.
func (f editFile) remove() { _ = os.RemoveAll(f.folder) }

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }
