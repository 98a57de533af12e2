package difficulty

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/difficulty"
	"assay/tui/frame"
)

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	switch m.mode {
	case filtering, naming:
		return m.typed(msg)
	case reading:
		return m.readKey(msg.String())
	case topics:
		return m.topicKey(msg.String())
	}
	return m.listKey(msg.String())
}

// typed hands a key or a paste to the line that is typed.
func (m *Model) typed(msg tea.Msg) (cmd tea.Cmd) {
	key, isKey := msg.(tea.KeyPressMsg)
	switch {
	case m.mode == naming && isKey && key.String() == "esc":
		m.mode = topics
		m.name.Blur()
	case m.mode == naming && isKey && key.String() == "enter":
		return m.rename()
	case m.mode == naming:
		m.name, cmd = m.name.Update(msg)
	case m.mode == filtering && isKey && (key.String() == "enter" || key.String() == "down" || key.String() == "esc"):
		if key.String() == "esc" {
			m.filter.SetValue("")
			m.refilter()
		}
		m.mode = listing
		m.filter.Blur()
	case m.mode == filtering:
		m.filter, cmd = m.filter.Update(msg)
		m.refilter()
	}
	return cmd
}

// refilter lists what the filter chooses.
func (m *Model) refilter() {
	wants, err := parse(m.filter.Value())
	if m.wrong = ""; err != nil {
		m.wrong = err.Error()
	}
	m.wants = wants
	m.list()
}

func (m *Model) listKey(press string) tea.Cmd {
	if to, moved := frame.Move(press, m.row, m.listHeight()-1, len(m.shown)); moved {
		m.choose(to)
		return nil
	}
	switch press {
	case "enter":
		if m.refuse(press); m.chosen != "" {
			m.mode = reading
		}
	case "esc", "q":
		if m.topic != 0 && press == "esc" {
			m.topic, m.mode = 0, topics
			m.list()
			return nil
		}
		return frame.Back
	default:
		if t, ok := tabAt(press); ok && m.chosen != "" {
			m.open(t)
			if !m.beside() {
				m.mode = reading
			}
			return nil
		}
		return m.commonKey(press)
	}
	return nil
}

func (m *Model) readKey(press string) tea.Cmd {
	if to, moved := frame.Move(press, m.scroll, m.detailHeight()-1, len(m.detailLines())); moved {
		m.scrollTo(to)
		return nil
	}
	switch press {
	case "left", "[":
		m.choose(m.row - 1)
	case "right", "]":
		m.choose(m.row + 1)
	case "tab":
		m.open((m.tab + 1) % tabs)
	case "shift+tab":
		m.open((m.tab + tabs - 1) % tabs)
	case "enter", "esc", "q":
		m.mode = listing
		m.choose(m.row)
	default:
		if t, ok := tabAt(press); ok {
			m.open(t)
			return nil
		}
		return m.commonKey(press)
	}
	return nil
}

// commonKey handles the keys that the list and the task share.
func (m *Model) commonKey(press string) tea.Cmd {
	if m.refuse(press) {
		return nil
	}
	switch press {
	case "/":
		m.mode, m.anchor = filtering, m.chosen
		return m.filter.Focus()
	case "o":
		m.order = (m.order + 1) % orders
		m.list()
	case "s":
		m.nextSuspect()
	case "t":
		m.mode = topics
		m.chooseTopic(m.topicRow)
	case "n":
		m.turn(1)
	case "N":
		m.turn(-1)
	}
	return nil
}

// refuse says why a key does nothing now, if that is so.
func (m *Model) refuse(press string) bool {
	m.trouble = frame.Refused(m.keys(), press)
	return m.trouble != ""
}

// nextSuspect chooses the next task that may have something wrong.
func (m *Model) nextSuspect() {
	for step := range len(m.shown) {
		row := (m.row + 1 + step) % len(m.shown)
		if m.all.Tasks[m.shown[row]].Kind == difficulty.Suspect {
			m.choose(row)
			return
		}
	}
	m.trouble = "no suspect is in this list: the filter leaves them out"
}

// turn shows another answer to the task.
func (m *Model) turn(by int) {
	if n := len(m.answers().list); n > 0 {
		m.answer = (m.answer + by + n) % n
		m.scroll = 0
	}
}

func (m *Model) topicKey(press string) tea.Cmd {
	if to, moved := frame.Move(press, m.topicRow, m.listHeight()-1, m.topicRows()); moved {
		m.chooseTopic(to)
		return nil
	}
	if m.refuse(press) {
		return nil
	}
	switch press {
	case "enter":
		if m.merging != 0 {
			return m.merge()
		}
		m.topic = outside
		if t := m.here(); t != nil {
			m.topic = t.Number
		}
		m.filter.SetValue("")
		m.refilter()
		m.mode = listing
		m.choose(0)
	case "r":
		m.mode = naming
		m.name.SetValue(m.here().Name)
		m.name.CursorEnd()
		return m.name.Focus()
	case "m":
		if m.merging != 0 {
			return m.merge()
		}
		m.merging = m.here().Number
	case "u":
		return m.undo()
	case "t", "esc", "q":
		if m.merging != 0 && press != "q" {
			m.merging = 0
			return nil
		}
		m.mode, m.topic = listing, 0
		m.list()
	}
	return nil
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

// file is what messages call the file of topics.
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

// merge puts the topic that was marked into the chosen one.
func (m *Model) merge() tea.Cmd {
	into, from := m.here(), m.merging
	switch {
	case into == nil:
		m.trouble = "tasks of no topic are none that another could be put into"
		return nil
	case into.Number == from:
		m.trouble = "choose another topic, into which this one is put"
		return nil
	}
	number := into.Number - 1
	return m.edit(fmt.Sprintf("“%s” is part of “%s” now, in %s", m.topicName(from), into.Name, m.file()), into.Name,
		func(f *difficulty.TopicsFile) error { return f.Merge(number, from-1) })
}

func (m *Model) undo() tea.Cmd {
	return m.edit("the last change is undone, in "+m.file(), "", func(f *difficulty.TopicsFile) error { return f.Undo() })
}

// keys are what can be done now.
func (m *Model) keys() []frame.Key {
	switch m.mode {
	case filtering:
		return []frame.Key{{Press: "enter", Does: "done"}, {Press: "esc", Does: "clear"}, frame.HelpKeyTyping}
	case naming:
		return []frame.Key{{Press: "enter", Does: "rename"}, {Press: "esc", Does: "do not"}, frame.HelpKeyTyping}
	case topics:
		return m.topicKeys()
	case reading:
		keys := []frame.Key{{Press: "1-4", Does: "part"}, {Press: "↑↓", Does: "scroll"}, {Press: "←→", Does: "other task"}}
		return append(append(keys, m.commonKeys()...), frame.HelpKey, frame.Key{Press: "esc", Does: "back"}, frame.VimKeys)
	}
	open := frame.Key{Press: "enter", Does: "open"}
	if m.chosen == "" {
		open.Why = "there is no task"
	}
	back := "back"
	if m.topic != 0 {
		back = "all topics"
	}
	keys := append([]frame.Key{{Press: "↑↓", Does: "choose", More: m.size.Narrow()}, open}, m.commonKeys()...)
	return append(keys, frame.Key{Press: "1-4", Does: "a part of the task", More: true}, frame.HelpKey, frame.Key{Press: "esc", Does: back}, frame.VimKeys)
}

// commonKeys are those of the list and of the task.
func (m *Model) commonKeys() []frame.Key {
	var noSuspect, noTopics, noAnswers string
	if m.suspect == 0 {
		noSuspect = "no task is a suspect"
	}
	if m.topicRows() == 0 || len(m.all.Topics) == 0 {
		noTopics = "there are no topics: --topics finds them"
	}
	switch {
	case m.opts.Answers == nil:
		noAnswers = "the answers are not at hand: runs of 'assay run batch' keep them"
	case m.tab != answersTab || !m.beside() && m.mode != reading:
		noAnswers = "the answers are not shown: " + m.theme.Press(frame.ScopeDifficulty, "4") + " shows them"
	case len(m.answers().list) < 2:
		noAnswers = "there is no other answer"
	}
	one := m.mode == reading // then what is for the list is on the help page
	return []frame.Key{
		{Press: "n", Does: "next answer", Why: noAnswers}, {Press: "s", Does: "next suspect", Why: noSuspect}, {Press: "/", Does: "filter", More: one},
		{Press: "o", Does: "order", More: one}, {Press: "t", Does: "topics", Why: noTopics, More: one}, {Press: "N", Does: "answer before", Why: noAnswers, More: true},
	}
}

func (m *Model) topicKeys() []frame.Key {
	var cannot, cannotUndo string
	switch {
	case m.opts.Topics == nil:
		cannot = "topics are kept in no file: --topics-file FILE names one"
	case m.here() == nil:
		cannot = "these tasks belong to no topic"
	case m.editing:
		cannot = "the file is being written"
	}
	if cannotUndo = cannot; m.opts.Topics != nil && !m.editing {
		if cannotUndo = ""; !m.undoable {
			cannotUndo = "nothing was changed here"
		}
	}
	if m.merging != 0 {
		return []frame.Key{{Press: "↑↓", Does: "choose"}, {Press: "enter", Does: "put into this one"}, {Press: "esc", Does: "do not"}, frame.HelpKey, frame.VimKeys}
	}
	return []frame.Key{
		{Press: "↑↓", Does: "choose", More: m.size.Narrow()}, {Press: "enter", Does: "its tasks"}, {Press: "r", Does: "rename", Why: cannot},
		{Press: "m", Does: "merge", Why: cannot}, {Press: "u", Does: "undo", Why: cannotUndo}, {Press: "t", Does: "list"}, frame.HelpKey,
		{Press: "esc", Does: "list"}, frame.VimKeys,
	}
}

// Mouse chooses and opens in the lists, and scrolls what is read.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if _, moving := msg.(tea.MouseMotionMsg); moving || m.Typing() {
		return nil
	}
	m.trouble, m.notice = "", ""
	wheel, wheeled := msg.(tea.MouseWheelMsg)
	if m.mode == reading || m.beside() && x > m.listWidth() {
		if press, ok := frame.WheelKey(wheel); wheeled && ok {
			to, _ := frame.Move(press.String(), m.scroll, 1, len(m.detailLines()))
			m.scrollTo(to)
		}
		return nil
	}
	row, top, rows, choose, open := m.row, m.top, len(m.shown), m.choose, m.listKey
	if m.mode == topics {
		row, top, rows, choose, open = m.topicRow, m.topicTop, m.topicRows(), m.chooseTopic, m.topicKey
	}
	switch to, means := frame.PointAt(msg, y-topHeight-1, top, row, rows, m.listHeight()); means {
	case frame.PointChosen:
		choose(to)
	case frame.PointOpened:
		return tea.Batch(open("enter"), m.read())
	}
	return m.read()
}
