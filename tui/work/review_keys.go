package work

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// reviewKeys returns the keys while an answer is judged.
func (m *Model) reviewKeys() []frame.Key {
	judge := func(d session.Decision) func() tea.Cmd { return func() tea.Cmd { return m.judgeAs(d) } }
	return append([]frame.Key{
		{Press: "y", Does: "satisfied", Do: judge(session.DecideSatisfied), Not: func() string {
			if a := m.state.Attempt(); a != nil && a.Unusable() {
				return "you said that neither answer is usable"
			}
			return ""
		}},
		{Press: "r", Does: "refine", Do: judge(session.DecideRefine), Not: func() string {
			if a := m.state.Attempt(); a != nil && a.N >= m.state.Plan.K {
				return fmt.Sprintf("attempt %d was the last", a.N)
			}
			return ""
		}},
		{Press: "g", Does: "give up", Do: judge(session.DecideGiveUp)},
		m.viewsKey(), m.takeKey(), m.scratchKey(), m.againKey(),
	}, append(m.viewKeys(), m.scrollKey(), frame.Key{Press: "esc", Does: "end the search; how to leave", More: true, Do: frame.Only(func() {
		if m.review.find.needle == "" {
			m.notice = m.keyed("Everything is saved. {f2} pauses, ctrl+c leaves.")
		}
		m.findNothing()
	})})...)
}

// answerKeys returns the keys of the answer while it is rated.
func (m *Model) answerKeys() []frame.Key {
	back := frame.Only(func() { m.rating.viewing = false })
	return append([]frame.Key{
		{Press: "v", Also: "esc", Does: "back to the rating", Do: back}, m.viewsKey(), m.linesKey(),
	}, m.viewKeys()...)
}

// viewKeys lists the keys that inspect an answer.
func (m *viewer) viewKeys() []frame.Key {
	return slices.Concat(m.tabKeys(), []frame.Key{
		m.verbatimKey(), {Press: "c", Does: "copy code", Do: m.copyCode}, {Press: "/", Does: "find", Do: m.review.find.begin}, frame.HelpKey,
	}, m.readingKeys())
}

// viewsKey chooses a tab by its number.
func (m *viewer) viewsKey() frame.Key {
	return frame.Key{Press: "1-8", Does: "views", Fit: func(k *frame.Key) {
		k.Press = fmt.Sprintf("1-%d", len(m.tabs()))
		for _, t := range m.tabs() {
			k.Each = append(k.Each, "view: "+tabNames[t])
		}
	}, Run: func(press string) tea.Cmd {
		if i := int(press[0] - '1'); i < len(m.tabs()) {
			m.turn(m.tabs()[i])
		}
		return nil
	}}
}

// turnKeys lists the keys that choose the previous and the next tab.
func (m *viewer) turnKeys() []frame.Key {
	turn := func(press string) tea.Cmd {
		tabs, by := m.tabs(), 1
		if press == "shift+tab" || press == "left" || press == "h" {
			by = len(tabs) - 1
		}
		m.turn(tabs[(slices.Index(tabs, m.review.tab)+by)%len(tabs)])
		return nil
	}
	return []frame.Key{
		{Press: "←→", Also: "h l shift+tab tab", Does: "view before, next view", More: true, Run: turn},
	}
}

// tabKeys lists the keys of the chosen tab and of output files.
func (m *viewer) tabKeys() []frame.Key {
	return slices.Concat(m.changesKeys(), m.fileKeys(), []frame.Key{
		{Press: "enter", Does: "fold", Fit: m.fitFold, Do: frame.Only(m.foldOne)},
		{Press: "f", Does: "failed only", Do: frame.Only(m.filter), Fit: func(k *frame.Key) {
			if m.review.failing {
				k.Does = "all tests"
			}
			if m.size.Width > 0 && m.walks() {
				k.Does = "by tool"
				return
			}
			if m.review.tab != tabTests || m.state.Plan.Sees(m.attempt()) != session.SeeTests {
				k.Press = ""
			}
		}},
		{Press: "e", Does: "line of code", Do: frame.Only(m.showLine), Fit: func(k *frame.Key) {
			if m.review.tab != tabTests || m.size.Width == 0 {
				k.Press = ""
			} else if line, _ := m.failedLine(); line == "" {
				k.More, k.Why = true, "this failure names no line of the code"
			}
		}},
	}, m.saveKeys(), []frame.Key{{Press: "p", Does: "picture", Not: m.noPicture, Do: m.showPicture}})
}

// readingKeys lists the keys of every tab that only the list of keys shows.
func (m *viewer) readingKeys() []frame.Key {
	return slices.Concat(m.panKeys(), []frame.Key{
		{Press: "C", Does: "copy the whole answer as it came", More: true, Do: m.copyAnswer},
		m.hitsKey(),
		{Press: "z", Does: "fold all that is long; enter: one", More: true, Do: frame.Only(m.fold)},
	}, m.turnKeys(), m.pageKeys(), []frame.Key{{Press: "home end", Also: "G", Does: "first, last", More: true, Run: m.scroll}}) // g gives up
}

// hitsKey goes from hit to hit of a search, or else from step to step of an agent.
func (m *viewer) hitsKey() frame.Key {
	k := m.review.find.hitsKey(m.findNext)
	k.Fit = func(k *frame.Key) {
		if m.size.Width > 0 && m.walks() {
			k.Does, k.Run, k.Not = "next, previous step", m.walk, nil
		}
	}
	return k
}

// filter lists all tests or the failed ones, or an agent's steps by tool.
func (m *viewer) filter() {
	if m.walks() {
		m.nextTool()
		return
	}
	m.filterTests()
}

// scrollKey scrolls by lines, for the page of keys.
func (m *viewer) scrollKey() frame.Key {
	return frame.Key{Press: "↑↓", Also: "k j", Does: "scroll, or choose a test", More: true, Run: m.scroll}
}

// pageKeys lists the keys that scroll by pages.
func (m *viewer) pageKeys() []frame.Key {
	return []frame.Key{
		{Press: "pgup pgdn", Also: "b space", Does: "by pages", More: true, Run: m.scroll},
		{Press: "ctrl+u ctrl+d", Does: "by half pages", More: true, Run: m.scroll},
	}
}

// panKeys returns the keys for long lines of code.
func (m *viewer) panKeys() []frame.Key {
	return m.review.pan.Keys(m.theme, func(notice string) { m.notice = notice })
}

// findKeys lists the keys while a search is typed.
func (m *viewer) findKeys() []frame.Key { return m.review.find.lineKeys(m.findFirst) }
