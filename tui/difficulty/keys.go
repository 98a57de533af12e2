package difficulty

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/difficulty"
	"assay/tui/frame"
)

// Keys returns all keys of the screen, for the settings.
func Keys() []frame.Key {
	m := &Model{}
	return frame.Merged(m.listKeys(), m.readKeys(), m.topicKeys(), m.mergeKeys(), m.filter.Keys("clear"), m.nameKeys())
}

// keys returns the keys of the current mode.
func (m *Model) keys() []frame.Key {
	switch {
	case m.filter.Typing():
		return m.filter.Keys("clear")
	case m.mode == naming:
		return m.nameKeys()
	case m.mode == reading:
		return m.readKeys()
	case m.mode == topics && m.merging != 0:
		return m.mergeKeys()
	case m.mode == topics:
		return m.topicKeys()
	}
	return m.listKeys()
}

// press runs the action of a key, or shows why there is none now.
func (m *Model) press(press string) (cmd tea.Cmd, taken bool) {
	cmd, why, taken := frame.Pressed(m.keys(), press)
	if why != "" {
		m.trouble = why
	}
	return cmd, taken
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	cmd, taken := m.press(msg.String())
	if !taken {
		return m.typed(msg)
	}
	return cmd
}

// typed passes a key or a paste to the line being typed.
func (m *Model) typed(msg tea.Msg) (cmd tea.Cmd) {
	if m.mode != naming {
		return m.filter.Update(msg)
	}
	m.name, cmd = m.name.Update(msg)
	return cmd
}

func (m *Model) nameKeys() []frame.Key {
	return []frame.Key{{Press: "enter", Does: "rename", Do: m.rename}, {Press: "esc", Does: "cancel", Do: frame.Only(func() {
		m.mode = topics
		m.name.Blur()
	})}, frame.HelpKey}
}

// refilter applies the filter.
func (m *Model) refilter() {
	wants, err := parse(m.filter.Words())
	if m.wrong = ""; err != nil {
		m.wrong = err.Error()
	}
	m.wants = wants
	m.list()
}

func (m *Model) listKeys() []frame.Key {
	choose := m.shown.Key()
	choose.More = m.size.Narrow()
	noTask := func() string {
		if m.task() == nil {
			return "there is no task"
		}
		return ""
	}
	keys := append([]frame.Key{
		choose,
		{Press: "enter", Does: "open", Not: noTask, Do: frame.Only(func() { m.mode = reading })},
	}, m.commonKeys()...)
	return append(append(keys,
		frame.Key{Press: "1-4", Does: "a part of the task", Each: tabNames[:], More: true, Not: noTask, Run: func(press string) tea.Cmd {
			m.openTab(press)
			if !m.beside() {
				m.mode = reading
			}
			return nil
		}},
		frame.HelpKey,
		frame.Key{Press: "esc", Also: "q", Does: "back", Do: m.leaveList, Fit: func(k *frame.Key) {
			if m.topic != 0 {
				k.Does = "all topics"
			}
		}}), frame.Motions(m.shown.Move)...)
}

// leaveList goes back to the topics if one topic is listed, or leaves the screen.
func (m *Model) leaveList() tea.Cmd {
	if m.topic == 0 {
		return frame.Back
	}
	m.topic, m.mode = 0, topics
	m.list()
	return nil
}

func (m *Model) openTab(press string) { m.open(tab(press[0] - '1')) }

func (m *Model) readKeys() []frame.Key {
	back := frame.Only(func() { m.mode = listing })
	keys := append([]frame.Key{
		{Press: "1-4", Does: "part", Each: tabNames[:], Run: func(press string) tea.Cmd { m.openTab(press); return nil }},
		m.text.Key(), m.shown.Beside("other task"),
	}, m.commonKeys()...)
	return append(append(keys, frame.HelpKey, frame.Key{Press: "esc", Also: "enter q", Does: "back", Do: back},
		frame.Key{Press: "tab", Does: "next part", More: true, Do: frame.Only(func() { m.open((m.tab + 1) % tabs) })},
		frame.Key{Press: "shift+tab", Does: "part before", More: true, Do: frame.Only(func() { m.open((m.tab + tabs - 1) % tabs) })},
	), frame.Motions(m.text.Move)...)
}

// commonKeys returns the keys of both list and task.
func (m *Model) commonKeys() []frame.Key {
	list := func(k *frame.Key) { k.More = m.mode == reading } // while reading, the list's keys are only in the list of keys
	return []frame.Key{
		{Press: "n", Does: "next answer", Not: m.noAnswers, Do: frame.Only(func() { m.turn(1) })},
		{Press: "s", Does: "next suspect", Do: frame.Only(m.nextSuspect), Not: func() string {
			if m.suspect == 0 {
				return "no task is suspect"
			}
			if t := m.task(); m.suspect == 1 && t != nil && t.Kind == difficulty.Suspect {
				return "no other task is suspect"
			}
			return ""
		}},
		{Press: "/", Does: "filter", Fit: list, Do: func() tea.Cmd {
			m.mode = listing
			return m.filter.Begin()
		}},
		{Press: "o", Does: "order", Fit: list, Do: frame.Only(func() {
			m.order = (m.order + 1) % orders
			m.list()
		})},
		{Press: "t", Does: "topics", Fit: list, Do: frame.Only(func() { m.mode = topics }), Not: func() string {
			if len(m.all.Topics) == 0 {
				return "there are no topics: --topics finds them"
			}
			return ""
		}},
		{Press: "N", Does: "answer before", More: true, Not: m.noAnswers, Do: frame.Only(func() { m.turn(-1) })},
	}
}

// noAnswers returns why no other answer can be shown, or "".
func (m *Model) noAnswers() string {
	switch {
	case m.opts.Answers == nil:
		return "there are no answers here: runs of 'assay run batch' keep them"
	case m.tab != answersTab || !m.beside() && m.mode != reading:
		return "the answers are not shown: " + m.theme.Press(frame.ScopeDifficulty, "4") + " shows them"
	case len(m.answers().list) < 2:
		return "there is no other answer"
	}
	return ""
}

// nextSuspect chooses the next suspect task.
func (m *Model) nextSuspect() {
	if !m.shown.Next(func(t *difficulty.Task) bool { return t.Kind == difficulty.Suspect }) {
		m.trouble = "this list has no suspect: the filter excludes them"
	}
}

// turn shows another answer to the task.
func (m *Model) turn(by int) {
	if n := len(m.answers().list); n > 0 {
		m.answer = (m.answer + by + n) % n
		m.text.To(0)
	}
}

func (m *Model) topicKeys() []frame.Key {
	list := frame.Only(func() {
		m.mode, m.topic = listing, 0
		m.list()
	})
	choose := m.topics.Key()
	choose.More = m.size.Narrow()
	return append([]frame.Key{
		choose, {Press: "enter", Does: "its tasks", Do: frame.Only(m.showTopic)},
		{Press: "r", Does: "rename", Not: m.unchangeable, Do: func() tea.Cmd {
			m.mode = naming
			m.name.SetValue(m.here().Name)
			m.name.CursorEnd()
			return m.name.Focus()
		}},
		{Press: "m", Does: "merge", Not: m.unchangeable, Do: frame.Only(func() { m.merging = m.here().Number })},
		{Press: "u", Does: "undo", Do: m.undo, Not: func() string {
			switch {
			case m.opts.Topics != nil && !m.editing && !m.undoable:
				return "nothing was changed here"
			case m.opts.Topics == nil || m.editing:
				return m.unchangeable()
			}
			return ""
		}},
		{Press: "t", Also: "esc q", Does: "list", Do: list}, frame.HelpKey,
	}, frame.Motions(m.topics.Move)...)
}

// unchangeable returns why the chosen topic cannot be changed, or "".
func (m *Model) unchangeable() string {
	switch {
	case m.opts.Topics == nil:
		return "there is no file of topics: --topics-file FILE names one"
	case m.editing:
		return "the file is being written"
	case m.here() == nil:
		return "these tasks belong to no topic"
	}
	return ""
}

// mergeKeys returns the keys for choosing the topic to merge into.
func (m *Model) mergeKeys() []frame.Key {
	stop := frame.Only(func() { m.merging = 0 })
	return append([]frame.Key{
		m.topics.Key(), {Press: "enter", Also: "m", Does: "merge into this one", Do: m.merge},
		{Press: "esc", Also: "t q", Does: "cancel", Do: stop}, frame.HelpKey,
	}, frame.Motions(m.topics.Move)...)
}

// showTopic lists the tasks of the chosen topic.
func (m *Model) showTopic() {
	m.topic = outside
	if t := m.here(); t != nil {
		m.topic = t.Number
	}
	m.filter.Clear()
	m.mode = listing
	m.shown.Choose(0)
}

// edit changes the file of topics in the background.
func (m *Model) edit(notice, chosen string, change func(*difficulty.TopicsFile) error) tea.Cmd {
	if m.editing {
		return nil
	}
	m.editing = true
	file := m.opts.Topics
	return func() tea.Msg {
		err := change(file)
		return editedMsg{notice: notice, undoable: file.Undoable(), chosen: chosen, err: err}
	}
}

// file returns the name of the file of topics, for messages.
func (m *Model) file() string { return filepath.Base(m.opts.Topics.Path) }

func (m *Model) rename() tea.Cmd {
	name, t := strings.TrimSpace(m.name.Value()), m.here()
	m.mode = topics
	m.name.Blur()
	if name == t.Name {
		return nil
	}
	return m.edit(fmt.Sprintf("“%s” is now “%s”, in %s", t.Name, name, m.file()), name, func(f *difficulty.TopicsFile) error { return f.Rename(t.Number-1, name) })
}

// merge merges the marked topic into the chosen one.
func (m *Model) merge() tea.Cmd {
	into, from := m.here(), m.merging
	switch {
	case into == nil:
		m.trouble = "tasks without a topic are not a topic to merge into"
		return nil
	case into.Number == from:
		m.trouble = "choose another topic to merge this one into"
		return nil
	}
	number := into.Number - 1
	return m.edit(fmt.Sprintf("“%s” is now part of “%s”, in %s", m.topicName(from), into.Name, m.file()), into.Name,
		func(f *difficulty.TopicsFile) error { return f.Merge(number, from-1) })
}

func (m *Model) undo() tea.Cmd {
	return m.edit("the last change is undone, in "+m.file(), "", func(f *difficulty.TopicsFile) error { return f.Undo() })
}

// Mouse chooses and opens rows of the lists, and scrolls text.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if _, moving := msg.(tea.MouseMotionMsg); moving || m.Typing() {
		return nil
	}
	m.trouble, m.notice = "", ""
	enter := func() tea.Cmd {
		cmd, _ := m.press("enter")
		return cmd
	}
	switch {
	case m.mode == reading || m.beside() && x > m.listWidth():
		m.text.Wheel(msg)
		return nil
	case m.mode == topics:
		return m.topics.Mouse(msg, y, enter)
	}
	return tea.Batch(m.shown.Mouse(msg, y, enter), m.read())
}
