package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// filesRoom shows the files of a repository, in a list with a filter, or the open one. While a prompt is written they are
// as the repository was given, then as the answer leaves them.
type filesRoom struct {
	*live.Session
	insertPath, insertFile func(name string) tea.Cmd    // put the path of a file, or the file, into the prompt
	mend                   func(press string) frame.Key // edits the chosen file of a final answer

	shown  bool
	filter textinput.Model
	list   frame.List[string] // the paths that match
	open   string
	window frame.Window // of the open file
	pan    frame.Pan
	find   viewer.Finder // in the open file

	paths frame.Latest[treeVersion, listing]
	texts frame.Latest[fileKey, fileText]
}

// treeVersion identifies a state of the files.
type treeVersion struct {
	task, attempt int
	applied       bool
	mends         int
}

func (v treeVersion) String() string { return fmt.Sprintf("task-%d-edit-%d", v.task+1, v.mends+1) }

func (m *filesRoom) treeVersion() treeVersion {
	v := treeVersion{task: m.State.Current}
	if a := m.State.Attempt(); a != nil {
		v.attempt, v.applied, v.mends = a.N, a.Tree != nil && a.Tree.Failed == nil, len(m.State.Task().Mends)
	}
	return v
}

// listing are the paths of a repository, or why they cannot be read.
type listing struct {
	paths []string
	why   string
}

// fileKey identifies a file as it is drawn.
type fileKey struct {
	treeVersion
	path string
	look markdown.Look
}

// fileText is the text of a file and its rows, or why it cannot be shown.
type fileText struct {
	text string
	rows []string
	why  string
}

// readPaths lists the files of the open task's repository.
func (m *filesRoom) readPaths() tea.Cmd {
	if !m.OfRepository() {
		return nil
	}
	version, eng := m.treeVersion(), m.Eng
	return m.paths.Ask(version, func(ctx context.Context) listing {
		paths, err := eng.Paths(ctx, version.task)
		if err != nil {
			return listing{why: "The files cannot be read: " + err.Error()}
		}
		return listing{paths: paths}
	})
}

// listing returns the files of the open task's repository, once they are read.
func (m *filesRoom) listing() (listing, bool) {
	version, list, ok := m.paths.Last()
	return list, ok && version.task == m.State.Current
}

// key opens the files of a repository.
func (m *filesRoom) key() frame.Key {
	return frame.Key{Press: "ctrl+l", Does: "files", Do: m.showFiles, Fit: func(k *frame.Key) {
		if !m.OfRepository() {
			k.Press = ""
		}
	}}
}

// showFiles opens the list of files.
func (m *filesRoom) showFiles() tea.Cmd {
	f := m
	f.shown, f.open, f.list = true, "", frame.List[string]{}
	f.filter = frame.NewLine(0)
	return tea.Batch(m.readPaths(), f.filter.Focus())
}

// matching lists the paths that contain every word of the filter.
func (m *filesRoom) matching() []string {
	list, _ := m.listing()
	words := strings.Fields(strings.ToLower(m.filter.Value()))
	if len(words) == 0 {
		return list.paths
	}
	return slices.DeleteFunc(slices.Clone(list.paths), func(path string) bool {
		lower := strings.ToLower(path)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(lower, w) })
	})
}

// chosenPath returns the path that is open or chosen, "" if there is none.
func (m *filesRoom) chosenPath() string {
	if m.open != "" {
		return m.open
	}
	m.list.Set(m.matching())
	path, _ := m.list.Chosen()
	return path
}

func (m *filesRoom) Keys() []frame.Key {
	if m.open != "" {
		return m.openFileKeys()
	}
	return m.listFilesKeys()
}

func (m *filesRoom) Typing() bool { return m.open == "" || m.find.Typing }

// Mouse chooses a file, or scrolls the open one.
func (m *filesRoom) Mouse(msg tea.MouseMsg, _, y int) (cmd tea.Cmd) {
	if _, moving := msg.(tea.MouseMotionMsg); moving || m.Busy() {
		return nil
	}
	if m.open == "" {
		cmd = m.list.Mouse(msg, y, m.openFile)
	} else {
		m.window.Wheel(msg)
	}
	return tea.Batch(m.Active(), cmd)
}

// Typed hands a key or a paste to the filter, or to the search in the open file.
func (m *filesRoom) Typed(msg tea.Msg) (cmd tea.Cmd) {
	if m.open != "" {
		if m.find.Typing {
			m.find.Line, cmd = m.find.Line.Update(msg)
		}
		return cmd
	}
	m.filter, cmd = m.filter.Update(msg)
	m.list.Choose(0)
	return cmd
}

// readFile reads and draws a file.
func (m *filesRoom) readFile(path string) tea.Cmd {
	width := m.Size.Width
	if m.open == "" {
		width -= m.listWidth() + 1
	}
	key, eng := fileKey{m.treeVersion(), path, m.AnswerLook(width)}, m.Eng
	return m.texts.Ask(key, func(ctx context.Context) fileText {
		text, err := eng.ReadFile(ctx, key.task, path)
		if err != nil {
			return fileText{why: err.Error()}
		}
		return fileText{text: text, rows: markdown.Numbered(text, viewer.LanguageOf(path), key.look)}
	})
}

// fileShown returns the open file, once it is read.
func (m *filesRoom) fileShown() (fileText, bool) {
	key, text, ok := m.texts.Last()
	return text, ok && key.path == m.chosenPath() && key.task == m.State.Current
}

// listFilesKeys are the keys of the list of files.
func (m *filesRoom) listFilesKeys() []frame.Key {
	f := m
	none := func() string {
		if m.chosenPath() == "" {
			return "no file matches"
		}
		return ""
	}
	return []frame.Key{
		{Press: "enter", Does: "open", Not: none, Do: m.openFile},
		{Press: "ctrl+t", Does: "insert file", Not: none, Fit: m.whileWriting, Do: func() tea.Cmd { return m.insertFile(m.chosenPath()) }},
		{Press: "tab", Does: "insert path", Not: none, Fit: m.whileWriting, Do: func() tea.Cmd { return m.insertPath(m.chosenPath()) }},
		m.mend("ctrl+o"),
		{Press: "↑↓", Does: "choose", Run: f.list.Move},
		{Press: "esc", Also: "ctrl+l", Does: "back", Do: frame.Only(func() { f.shown = false })}, frame.HelpKey,
		{Press: "pgup pgdn", Does: "by pages", More: true, Run: f.list.Move},
	}
}

// openFile opens the chosen file.
func (m *filesRoom) openFile() tea.Cmd {
	f := m
	f.open, f.window, f.pan, f.find = m.chosenPath(), frame.Window{}, frame.Pan{}, viewer.NewFinder()
	return m.readFile(f.open)
}

// openFileKeys are the keys of an open file.
func (m *filesRoom) openFileKeys() []frame.Key {
	f := m
	back := frame.Only(func() { f.open = "" })
	escape := frame.Only(func() {
		if f.find.Needle == "" {
			f.open = ""
		}
		f.find.Seek("")
	})
	if f.find.Typing {
		return f.find.LineKeys(func(needle string) { f.find.Seek(needle); m.findInFile("") })
	}
	return slices.Concat([]frame.Key{
		{Press: "i", Does: "insert file", Fit: m.whileWriting, Do: func() tea.Cmd { return m.insertFile(m.chosenPath()) }},
		{Press: "p", Does: "insert path", Fit: m.whileWriting, Do: func() tea.Cmd { return m.insertPath(m.chosenPath()) }},
		m.mend("e ctrl+o"),
		f.window.Key(),
		{Press: "/", Does: "find", Do: f.find.Begin},
		{Press: "c", Does: "copy", Do: m.copyFile},
		{Press: "esc", Does: "back", Do: escape}, frame.HelpKey,
		f.find.HitsKey(func(press string) tea.Cmd { m.findInFile(press); return nil }),
		{Press: "q", Also: "ctrl+l", Does: "back to the list", More: true, Do: back},
	}, frame.Motions(f.window.Move), f.pan.Keys(m.Theme, func(notice string) { m.Notice = notice }))
}

// findInFile goes to a hit in the open file: with n or N to another one, else to the first below the top.
func (m *filesRoom) findInFile(press string) {
	f := m
	text, ready := m.fileShown()
	switch {
	case f.find.Needle == "":
		return
	case !ready:
		m.Notice = "The file is still being read; n finds the text when it is there."
		return
	}
	f.searchIn(text)
	if press == "" {
		f.find.GoOn(f.window.Top())
	} else {
		f.find.Step(press)
	}
	body := m.Size.Body()
	var top int
	top, m.Notice = f.find.Show(f.window.Top(), frame.Size{Width: body.Width, Height: body.Height - 2}, &f.pan, m.Theme)
	f.window.To(top)
}

// searchIn finds the needle in the open file as it is drawn.
func (m *filesRoom) searchIn(text fileText) {
	key, _, _ := m.texts.Last()
	m.find.Search(key, text.rows)
}

// whileWriting removes keys that insert into a prompt where none is written.
func (m *filesRoom) whileWriting(k *frame.Key) {
	if m.State.Phase != session.Read && m.State.Phase != session.Compose {
		k.Press = ""
	}
}

// copyFile copies the open file.
func (m *filesRoom) copyFile() tea.Cmd {
	text, ok := m.fileShown()
	if !ok || text.text == "" {
		m.Notice = "c: there is no text to copy"
		return nil
	}
	return m.Copy("The file", text.text)
}

// Page draws the list of files or the open file.
func (m *filesRoom) Page() frame.Page {
	body := m.Size.Body()
	body.Height -= m.TroubleRows()
	if m.open != "" {
		return m.filePage(body)
	}
	f := m
	list, ready := m.listing()
	found := m.matching()
	head := fmt.Sprintf("%d of %s, %s", len(found), frame.Count(len(list.paths), "file"), m.treeName())
	const label = " Files: "
	f.filter.SetWidth(max(10, body.Width-len(label)-frame.Width(head)-4))
	rows := []string{frame.Spread(m.Theme.Strong.Render(label)+f.filter.View(), m.Theme.Dim.Render(head)+" ", body.Width), ""}
	switch {
	case !ready:
		rows = append(rows, "   "+m.Theme.Dim.Render("… reading the repository"))
	case list.why != "":
		rows = append(rows, frame.Indent(m.Theme.Bad.Render(frame.Wrap(list.why, body.Width-4)), "   "))
	case len(found) == 0:
		rows = append(rows, "   "+m.Theme.Dim.Render("No file has these letters in its path."))
	}
	changed := m.changedPaths()
	f.list.Set(found)
	width := m.listWidth()
	paths := f.list.Draw(len(rows), body.Height-len(rows), func(path string, chosen bool) string {
		return m.Theme.Item(frame.Cut(frame.OneLine(path), width-30)+m.Theme.Dim.Render(changed[path]), chosen, width)
	})
	if width < body.Width {
		text, height, room := m.fileRows(body.Width-width-1), body.Height-len(rows), body.Width-width-1
		paths = strings.Split(frame.Columns(strings.Join(paths, "\n"), strings.Join(text[:min(len(text), height)], "\n"), width, room, height, m.Theme), "\n")
	}
	p := frame.Page{Body: strings.Join(append(rows, paths...), "\n"), Seen: f.list.Seen()}
	if c := f.filter.Cursor(); c != nil {
		c.X += len(label)
		p.Cursor = c
	}
	return p
}

// listWidth returns the width of the list of files; beside it, the chosen one is seen.
func (m *filesRoom) listWidth() int {
	if m.Size.Wide() {
		return m.Size.Width * 45 / 100
	}
	return m.Size.Width
}

// lookAtFile reads the chosen file where it is seen beside the list.
func (m *filesRoom) lookAtFile() tea.Cmd {
	if name := m.chosenPath(); m.shown && name != "" && (m.open != "" || m.Size.Wide()) {
		return m.readFile(name)
	}
	return nil
}

// changedPaths returns notes on files that the last answer changes.
func (m *filesRoom) changedPaths() map[string]string {
	notes := map[string]string{}
	attempts := m.Attempts()
	for i := range slices.Backward(attempts) {
		if t := attempts[i].Tree; t != nil {
			for _, f := range t.Files {
				note := fmt.Sprintf("   attempt %d: %s", attempts[i].N, f.Change)
				if f.Change == session.FileRenamed {
					notes[f.From] = note
				}
				notes[f.Path] = note
			}
			break
		}
	}
	return notes
}

// treeName names the state of the files.
func (m *filesRoom) treeName() string {
	v := m.treeVersion()
	switch {
	case v.mends > 0:
		return "with your edits"
	case v.applied:
		return fmt.Sprintf("as attempt %d leaves it", v.attempt)
	}
	return viewer.AsGiven
}

// fileRows are the rows of the file that is read, or what there is to say of it in a width.
func (m *filesRoom) fileRows(width int) []string {
	text, ready := m.fileShown()
	switch {
	case !ready:
		return []string{"   " + m.Theme.Dim.Render("…")}
	case text.why != "":
		return strings.Split(frame.Indent(m.Theme.Warn.Render(frame.Wrap(frame.Plain(text.why), width-4)), "   "), "\n")
	case text.text == "":
		return []string{"   " + m.Theme.Dim.Render("The file is empty.")}
	}
	return text.rows
}

// filePage draws the open file.
func (m *filesRoom) filePage(body frame.Size) frame.Page {
	f := m
	text, _ := m.fileShown()
	rows := []string{" " + m.Theme.Strong.Render(frame.OneLine(f.open)) + m.Theme.Dim.Render("   "+m.treeName()), ""}
	shown := slices.Clone(f.window.Of(m.fileRows(body.Width), body.Height-2))
	f.window.To(f.window.Top()) // a notice that comes and goes moves nothing
	f.searchIn(text)
	f.find.Mark(f.window.Top(), shown)
	rows = append(rows, f.pan.Rows(shown, body.Width, m.Theme)...)
	p := frame.Page{Body: strings.Join(rows, "\n"), Seen: f.window.Seen()}
	if f.find.Typing {
		return f.find.LinePage(p, body, m.Theme)
	}
	return p
}
