package work

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/session"
	"assay/tui/frame"
)

// insertion is one thing that ctrl+t offers.
type insertion struct {
	what string // as the log names it
	name string
	text string
	why  string // why there is nothing to insert
}

// insertions lists what can be put into the draft.
func (m *Model) insertions() []insertion {
	t := m.task()
	list := make([]insertion, 0, 6)
	for level, name := range []string{1: "the statement", 2: "the statement with its constraints", 3: "the statement with constraints and examples"} {
		if level > 0 {
			list = append(list, insertion{what: fmt.Sprintf("level%d", level), name: fmt.Sprintf("%s (level %d)", name, level), text: t.PromptText(benchmark.PromptLevel(level))})
		}
	}
	prompt := insertion{what: "prompt", name: "the prompt before", why: "this is the first attempt"}
	answer := insertion{what: "answer", name: "the answer before", why: "this is the first attempt"}
	failing := insertion{what: "failing_test", name: "the first failing test", why: "no test has failed"}
	if before := m.previous(); before != nil {
		prompt.text, prompt.why = m.text(before.Sent.Prompt), ""
		answer.text, answer.why = m.text(before.Answer.Answer), ""
		if text := m.failingTest(before); text != "" {
			failing.text, failing.why = text, ""
		}
	}
	return append(list, prompt, answer, failing)
}

// failingTest puts the first failing test of an attempt into words.
func (m *Model) failingTest(a *session.Attempt) string {
	if a.Verdict == nil {
		return ""
	}
	result, err := m.results(a.Verdict)
	if err != nil {
		return ""
	}
	for _, c := range result.Cases {
		if c.Status == judge.Passed || c.Status == judge.NotRun {
			continue
		}
		text := c.Call + " fails"
		if c.Expected != "" {
			text += ": expected " + c.Expected
		}
		if c.Got != "" {
			text += ", got " + c.Got
		}
		if c.Message != "" {
			text += " (" + c.Message + ")"
		}
		return text + "\n"
	}
	return ""
}

func (m *Model) insertKey(msg tea.KeyPressMsg) tea.Cmd {
	list := m.insertions()
	m.compose.choosing = false
	press := msg.String()
	if len(press) != 1 || press < "1" || int(press[0]-'1') >= len(list) {
		return nil
	}
	chosen := list[press[0]-'1']
	if chosen.why != "" {
		m.notice = press + ": " + chosen.why
		return nil
	}
	return m.change(chosen.what, func(area *textarea.Model) tea.Cmd {
		if area.Column() > 0 {
			area.InsertString("\n")
		}
		area.InsertString(chosen.text)
		return nil
	})
}

func (m *Model) insertPage(body frame.Size) string {
	var b strings.Builder
	b.WriteString("\n " + m.theme.Strong.Render("Insert at the cursor") + "\n\n")
	for i, in := range m.insertions() {
		if in.why != "" {
			b.WriteString("   " + m.theme.Dim.Render(fmt.Sprintf("%d   %s: %s", i+1, in.name, in.why)) + "\n")
			continue
		}
		fmt.Fprintf(&b, "   %s   %s\n", m.theme.Accent.Render(fmt.Sprint(i+1)), in.name)
	}
	b.WriteString("\n   " + m.theme.Dim.Render(frame.Fit("What is inserted is told apart from what you type.", body)[0]) + "\n")
	b.WriteString("\n   " + m.theme.Accent.Render("esc") + "  back to the prompt\n")
	return b.String()
}

// editedMsg is the end of a visit to the tester's own editor.
type editedMsg struct {
	text string
	err  error
}

// openEditor edits the draft in $VISUAL or $EDITOR.
func (m *Model) openEditor() tea.Cmd {
	command := os.Getenv("VISUAL")
	if command == "" {
		command = os.Getenv("EDITOR")
	}
	if command == "" {
		m.notice = "No editor is set: put its name into the environment variable EDITOR."
		return nil
	}
	file, err := os.CreateTemp("", "assay-*.md")
	if err != nil {
		m.trouble = "the editor could not be opened: " + err.Error()
		return nil
	}
	name := file.Name()
	_, err = file.WriteString(m.compose.area.Value())
	if err = firstError(err, file.Close()); err != nil {
		m.trouble = "the editor could not be opened: " + err.Error()
		return nil
	}
	words := append(strings.Fields(command), name)
	saved := m.saveDraft()
	edit := tea.ExecProcess(exec.Command(words[0], words[1:]...), func(err error) tea.Msg {
		defer os.Remove(name)
		text, readErr := os.ReadFile(name)
		return editedMsg{strings.TrimSuffix(string(text), "\n"), firstError(err, readErr)}
	})
	return tea.Sequence(saved, edit)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) edited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.trouble = "the editor ended with an error and the draft is as it was: " + msg.err.Error()
		return nil
	}
	return m.change("editor", func(area *textarea.Model) tea.Cmd {
		area.SetValue(msg.text)
		area.MoveToEnd()
		return nil
	})
}
