package viewer

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
	"assay/tui/picture"
)

// OverKeys lists the keys of what is over the tabs: the line of the search, or a picture that fills the page; nil for
// neither.
func (m *Viewer) OverKeys() []frame.Key {
	switch {
	case m.Searching():
		return m.FindKeys()
	case m.review.full:
		return m.FullKeys()
	}
	return nil
}

// ViewKeys lists the keys that inspect an answer.
func (m *Viewer) ViewKeys() []frame.Key {
	return slices.Concat(m.tabKeys(), []frame.Key{
		m.VerbatimKey(), {Press: "c", Does: "copy code", Do: m.copyCode}, {Press: "/", Does: "find", Do: m.review.find.Begin}, frame.HelpKey,
	}, m.readingKeys())
}

// ViewsKey chooses a tab by its number.
func (m *Viewer) ViewsKey() frame.Key {
	return frame.Key{Press: "1-8", Does: "views", Fit: func(k *frame.Key) {
		k.Press = fmt.Sprintf("1-%d", len(m.tabs()))
		for _, t := range m.tabs() {
			k.Each = append(k.Each, "view: "+tabNames[t])
		}
	}, Run: func(press string) tea.Cmd {
		if i := int(press[0] - '1'); i < len(m.tabs()) {
			m.Turn(m.tabs()[i])
		}
		return nil
	}}
}

// MovingKeys lists the keys that choose the previous and the next tab, and scroll by pages.
func (m *Viewer) MovingKeys() []frame.Key {
	turn := func(press string) tea.Cmd {
		tabs, by := m.tabs(), 1
		if press == "shift+tab" || press == "left" || press == "h" {
			by = len(tabs) - 1
		}
		m.Turn(tabs[(slices.Index(tabs, m.review.tab)+by)%len(tabs)])
		return nil
	}
	return []frame.Key{
		{Press: "←→", Also: "h l shift+tab tab", Does: "view before, next view", More: true, Run: turn},
		{Press: "pgup pgdn", Also: "b space", Does: "by pages", More: true, Run: m.Scroll},
		{Press: "ctrl+u ctrl+d", Does: "by half pages", More: true, Run: m.Scroll},
	}
}

// tabKeys lists the keys of the chosen tab and of output files.
func (m *Viewer) tabKeys() []frame.Key {
	return slices.Concat(m.changesKeys(), []frame.Key{
		{Press: "enter", Does: "fold", Fit: m.fitFold, Do: frame.Only(m.foldOne)},
		{Press: "f", Does: "failed only", Do: frame.Only(m.filter), Fit: func(k *frame.Key) {
			if m.review.failing {
				k.Does = "all tests"
			}
			if m.Size.Width > 0 && m.walks() {
				k.Does = "by tool"
				return
			}
			if m.review.tab != TabTests || m.State.Plan.Sees(m.Attempt()) != session.SeeTests {
				k.Press = ""
			}
		}},
		{Press: "e", Does: "line of code", Do: frame.Only(m.showLine), Fit: func(k *frame.Key) {
			if m.review.tab != TabTests || m.Size.Width == 0 {
				k.Press = ""
			} else if line, _ := m.failedLine(); line == "" {
				k.More, k.Why = true, "this failure names no line of the code"
			}
		}},
	}, m.saveKeys(), []frame.Key{{Press: "p", Does: "picture", Not: m.noPicture, Do: m.showPicture}})
}

// readingKeys lists the keys of every tab that only the list of keys shows.
func (m *Viewer) readingKeys() []frame.Key {
	return slices.Concat(m.PanKeys(), []frame.Key{
		{Press: "C", Does: "copy the whole answer as it came", More: true, Do: m.copyAnswer},
		m.hitsKey(),
		{Press: "z", Does: "fold all that is long; enter: one", More: true, Do: frame.Only(m.fold)},
	}, m.MovingKeys(), []frame.Key{{Press: "home end", Also: "G", Does: "first, last", More: true, Run: m.Scroll}}) // g gives up
}

// hitsKey goes from hit to hit of a search, or else from step to step of an agent.
func (m *Viewer) hitsKey() frame.Key {
	k := m.review.find.HitsKey(m.findNext)
	k.Fit = func(k *frame.Key) {
		if m.Size.Width > 0 && m.walks() {
			k.Does, k.Run, k.Not = "next, previous step", m.walk, nil
		}
	}
	return k
}

// ScrollKey scrolls by lines, for the page of keys.
func (m *Viewer) ScrollKey() frame.Key {
	return frame.Key{Press: "↑↓", Also: "k j", Does: "scroll, or choose a test", More: true, Run: m.Scroll}
}

// FollowKey goes to the end of an answer that streams, and stays there.
func (m *Viewer) FollowKey() frame.Key {
	return frame.Key{Press: "end", Also: "G", Does: "follow", Run: m.Scroll, Fit: func(k *frame.Key) { k.More = !m.streaming() || m.stream.Following() }}
}

// PanKeys returns the keys for long lines of code.
func (m *Viewer) PanKeys() []frame.Key {
	return m.review.pan.Keys(m.Theme, func(notice string) { m.Notice = notice })
}

// FindKeys lists the keys while a search is typed.
func (m *Viewer) FindKeys() []frame.Key { return m.review.find.LineKeys(m.findFirst) }

// VerbatimKey switches between the rendered answer and the verbatim one.
func (m *Viewer) VerbatimKey() frame.Key {
	return frame.Key{Press: "m", Does: "verbatim", Fit: func(k *frame.Key) {
		if m.Verbatim() {
			k.Does = "rendered"
		}
		if m.review.tab != TabAnswer || m.stream != nil && m.stream.Empty() {
			k.Press = ""
		}
	}, Not: func() string {
		if m.State.Plan.Answers != "" {
			return "the study shows answers " + string(m.State.Plan.Answers)
		}
		return ""
	}, Do: func() tea.Cmd { return frame.Verbatim }}
}

// changesKeys returns the keys of the tab of changes, the last two for those of repositories.
func (m *Viewer) changesKeys() []frame.Key {
	keys := []frame.Key{
		{Press: ". ,", Does: "changes", Run: func(press string) tea.Cmd { return m.goToItem(press == ".", changeItem, press, "change") }},
		{Press: "[ ]", Does: "compare with", Run: m.compareWith, Not: func() string {
			if list := m.compared(m.Attempt()); len(list) == 0 || len(list) == 1 && !list[0].asked {
				return "there is nothing else to compare with"
			}
			return ""
		}},
		{Press: "s", Does: "side by side", Do: frame.Only(m.turnBeside), Not: func() string {
			if m.Room() < besideWidth {
				return fmt.Sprintf("two columns need %d, and this terminal has %d", besideWidth, m.Room())
			}
			return ""
		}},
		{Press: "} {", Does: "next file, file before", Run: func(press string) tea.Cmd { return m.goToItem(press == "}", changedFileItem, press, "file") }},
		{Press: "x", Does: "fold file", Do: frame.Only(m.foldFile)},
	}
	for i := range keys {
		keys[i].Fit = func(k *frame.Key) {
			if m.review.tab != TabChanges || i > 2 && !m.OfRepository() {
				k.Press = ""
			} else if k.Press == "s" && m.isBeside() {
				k.Does = "one below the other"
			}
		}
	}
	return keys
}

func (m *Viewer) turnBeside() {
	m.changed(func() {
		if m.OfRepository() {
			m.review.stacked = !m.review.stacked
		} else {
			m.review.beside = !m.review.beside
		}
	})
}

// compareWith chooses the next text to compare with: further away for "[", nearer for "]".
func (m *Viewer) compareWith(press string) tea.Cmd {
	r := &m.review
	list := m.compared(m.Attempt())
	at := r.against - 1
	if press == "[" {
		at = r.against + 1
	}
	switch {
	case at < 0:
		m.Notice = "] nothing is nearer than " + list[0].name
		return nil
	case at-notAsked(list) >= len(list):
		m.Notice = "[ nothing is further away than " + list[len(list)-1].name
		return nil
	}
	r.against = at
	r.toggled, r.tops[TabChanges] = map[item]bool{}, 0
	r.changes++
	return nil
}

// foldFile folds or unfolds the file at the top of the view, or the first visible one.
func (m *Viewer) foldFile() {
	s, top, _ := m.inView()
	at := -1
	for i, spot := range s.spots {
		if spot.kind == changedFileItem && (spot.row <= top || at < 0) {
			at = i
		}
	}
	if at < 0 {
		m.Notice = "x: there is no file here"
		return
	}
	of := s.spots[at].item
	m.changed(func() { m.review.toggled[of] = !m.review.toggled[of] })
	after, top, _ := m.inView()
	if i := after.find(of); i >= 0 && after.spots[i].row < top {
		m.review.tops[TabChanges] = after.spots[i].row
	}
}

// saveKeys lists the keys that save output files, if there are any. No program is started for
// them unless the tester asks: they come from untrusted code.
func (m *Viewer) saveKeys() []frame.Key {
	return []frame.Key{
		{Press: "o", Does: "save", Do: func() tea.Cmd { return m.writeOutputs("") }, Fit: func(k *frame.Key) {
			if !m.savesOutputs() {
				k.Press = ""
			}
		}},
		{Press: "x", Does: "save files, and open the chosen one", More: true, Fit: func(k *frame.Key) {
			at, opener := m.chosenFile(), m.Opts.Desktop.Opener()
			if !m.savesOutputs() || opener == "" || at < 0 || !verdicts.Viewed(m.leftFiles()[at].Name, m.leftFiles()[at].Kind) {
				k.Press = "" // what a model and a task chose is not run
			} else {
				k.Does = "save them, and open the chosen one with " + opener
			}
		}, Do: func() tea.Cmd { return m.writeOutputs(m.leftFiles()[m.chosenFile()].Name) }},
	}
}

// showPicture shows the chosen picture as large as the screen.
func (m *Viewer) showPicture() tea.Cmd {
	files := m.leftFiles()
	if at := m.chosenFile(); at >= 0 && isPicture(files[at]) {
		m.review.picture = at + 1
	} else {
		m.review.picture = slices.IndexFunc(files, isPicture) + 1
	}
	if !m.Opts.Pictures.Overlays() || !m.Theme.Color {
		m.review.full = true
		m.review.changes++
		return nil
	}
	f, source, way, size := files[m.review.picture-1], m.source, m.Opts.Pictures, m.Size
	caption := frame.OneLine(f.Name+" · "+f.Kind) + " · any key goes back"
	return func() tea.Msg {
		data, err := source.Output(f)
		if err != nil {
			return shownMsg{err: err}
		}
		img, err := picture.Decode(data)
		if err != nil {
			return shownMsg{err: err}
		}
		shown, err := picture.NewShown(img, way, caption, size.Width, size.Height)
		return shownMsg{shown, err}
	}
}

// FullKeys returns the keys while a picture fills the page.
func (m *Viewer) FullKeys() []frame.Key {
	back := frame.Only(func() { m.review.full = false; m.review.changes++ })
	return append(append([]frame.Key{{Press: "esc", Also: "p enter space q v", Does: "back", Do: back}}, m.saveKeys()...), frame.HelpKey)
}

// Point handles the mouse in the tabs of an attempt. Positions are relative to the body.
func (m *Viewer) Point(msg tea.MouseMsg, x, y int) {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		m.wheel(frame.WheelRows(msg))
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.click(x, y)
		}
	}
}

// click chooses a tab by its name, or a test case.
func (m *Viewer) click(x, y int) {
	if m.review.full {
		m.review.full = false
		return
	}
	if y == 0 {
		_, names := m.tabLine(m.Room())
		for _, n := range names {
			if x >= n.from && x < n.to {
				m.Turn(n.of)
			}
		}
		return
	}
	size := m.textSize()
	left, _, _ := m.columns()
	if left > 0 {
		left++ // the line between them
	}
	if m.review.tab != TabTests || y < 2 || x < left || x >= left+size.Width {
		return
	}
	s, top, _ := m.inView()
	row := top + y - 2
	for _, spot := range s.spots {
		if row >= spot.row && row < spot.row+spot.rows {
			m.review.chosen = spot.item
		}
	}
}

// wheel moves the view but not the cursor.
func (m *Viewer) wheel(rows int) {
	if m.streaming() {
		m.stream.Scroll(rows)
		return
	}
	_, top, _ := m.inView()
	m.review.tops[m.review.tab] = top + rows
}
