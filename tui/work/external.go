package work

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/editor"
)

// editedMsg is sent when the tester's own editor has ended.
type editedMsg struct {
	of   draftOf
	text string
	err  error
	left string // the file, if it holds text that was not taken over
}

// openEditor edits the draft in the tester's own editor.
func (m *Model) openEditor() tea.Cmd {
	if m.opts.NoEditor != "" {
		m.notice = m.opts.NoEditor
		return nil
	}
	command := Editor(os.Getenv)
	if command == "" {
		m.notice = "No editor was found: put the name of one into the environment variable EDITOR."
		return nil
	}
	draft, of := m.compose.area.Value(), m.compose.of
	name, err := draftFile(draft)
	if err != nil {
		m.trouble = "the editor could not be opened: " + err.Error()
		return nil
	}
	saved := m.saveDraft()
	edit := tea.ExecProcess(EditorCommand(command, name), func(err error) tea.Msg { return visited(of, name, draft, err) })
	return tea.Sequence(saved, edit)
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
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// draftFile writes the draft to a temporary file, with a newline at its end as editors expect.
func draftFile(draft string) (name string, err error) {
	file, err := os.CreateTemp("", "assay-*.md")
	if err != nil {
		return "", err
	}
	if draft != "" {
		draft += "\n"
	}
	_, err = file.WriteString(draft)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// EditorCommand runs the editor on a file, by a shell if the command has shell quotes.
func EditorCommand(command, file string) *exec.Cmd {
	words := append(strings.Fields(command), file)
	if strings.ContainsAny(command, `'"\$`) {
		words = []string{"sh", "-c", command + ` "$1"`, "sh", file}
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin = os.Stdin // the terminal, not the filtered input of the screens
	return cmd
}

// visited reads the edited file and deletes it, unless the editor failed and the file holds the
// only copy of a text.
func visited(of draftOf, name, draft string, failed error) tea.Msg {
	content, err := os.ReadFile(name)
	text := strings.TrimSuffix(string(content), "\n")
	msg := editedMsg{of: of, text: text, err: errors.Join(failed, err)}
	if failed != nil && err == nil && text != draft && strings.TrimSpace(text) != "" {
		msg.left = name
		return msg
	}
	_ = os.Remove(name)
	return msg
}

// edited takes over the text from the tester's own editor.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	switch {
	case msg.left != "":
		m.trouble = fmt.Sprintf("the editor ended with an error (%v), and the draft is as it was. What was written there is in %s", msg.err, msg.left)
	case msg.err != nil:
		m.trouble = "the editor ended with an error, and the draft is as it was: " + msg.err.Error()
	case msg.of != m.compose.of:
		return nil // that draft is no longer being written
	default:
		return m.change(func(area *editor.Editor) { area.Replace(msg.text, "editor") })
	}
	return nil
}
