package work

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/session"
	"assay/tui/diff"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// besideWidth is the minimum width for two texts side by side.
const besideWidth = frame.WideWidth

// around is the number of unchanged lines shown before and after a change.
const around = 3

// diffKey identifies two texts that are compared.
type diffKey struct {
	before, after session.Ref
	plain         string // the first text, if it is not a stored one
}

// comparedText is a text that code can be compared with.
type comparedText struct {
	name  string
	key   diffKey
	files []session.ChangedFile // of a repository, in place of key
	asked bool                  // compared with on request only
}

// compared lists the texts that the code of an attempt can be compared with, nearest first:
// the other answer of a pair, earlier attempts, then the reference solution if the tester may see it.
func (m *viewer) compared(a *session.Attempt) []comparedText {
	if a == nil || a.Extracted == nil || a.Extracted.Code == "" {
		return nil
	}
	if m.ofRepository() {
		return m.comparedTrees(a)
	}
	var list []comparedText
	if p := m.past; p != nil && p.rival.Code != "" {
		list = append(list, comparedText{name: p.rival.Name, key: diffKey{plain: p.rival.Code, after: a.Extracted.Code}})
	}
	attempts := m.attempts()
	for i := len(attempts) - 1; i >= 0; i-- {
		if b := &attempts[i]; b.N < a.N && b.Extracted != nil {
			list = append(list, comparedText{name: fmt.Sprintf("attempt %d", b.N), key: diffKey{before: b.Extracted.Code, after: a.Extracted.Code}})
		}
	}
	for _, t := range m.tabs() {
		if t == tabSolution {
			list = append(list, comparedText{name: "the reference solution", key: diffKey{plain: m.task().Reference, after: a.Extracted.Code}, asked: true})
		}
	}
	return list
}

// nameOf names an attempt in comparisons.
func (m *viewer) nameOf(a *session.Attempt) string {
	if m.past != nil && m.past.self != "" {
		return m.past.self
	}
	return fmt.Sprintf("attempt %d", a.N)
}

// against returns the chosen text of a list; ok is false if none is chosen. The reference
// solution is compared with only on request.
func (m *viewer) against(list []comparedText) (chosen comparedText, ok bool) {
	i := m.review.against - notAsked(list)
	if i < 0 || i >= len(list) {
		return comparedText{}, false
	}
	return list[i], true
}

// notAsked returns 1 if nothing is compared until the tester asks, else 0.
func notAsked(list []comparedText) int {
	if len(list) > 0 && list[0].asked {
		return 1
	}
	return 0
}

// compare starts the comparisons that the chosen tab needs.
func (m *viewer) compare() tea.Cmd {
	a := m.attempt()
	switch m.review.tab {
	case tabChanges:
		c, ok := m.against(m.compared(a))
		if ok && m.ofRepository() {
			return m.compareTrees(c.files)
		}
		if ok {
			key := m.drawKey(c.key, m.review.beside)
			key.language = m.language()
			return m.ask(&m.diffs, key)
		}
	case tabPrompt:
		if key, ok := m.promptKey(a); ok {
			return m.ask(&m.prompts, m.drawKey(key, false))
		}
	}
	return nil
}

// drawKey identifies a drawing of a comparison.
type drawKey struct {
	diffKey
	width  int
	beside bool

	language string // of both texts, "" for prose
	numbered bool   // lines have their numbers
	colours  colours
	sideways bool
}

// colours identifies the colours of a theme.
type colours struct {
	name        frame.ThemeName
	dark, color bool
}

func coloursOf(t frame.Theme) colours { return colours{t.Name, t.Dark, t.Color} }

func (m *viewer) drawKey(key diffKey, beside bool) drawKey {
	return drawKey{diffKey: key, width: m.room(), beside: beside && m.room() >= besideWidth, colours: coloursOf(m.theme), sideways: m.theme.Sideways}
}

// comparison is a drawn comparison of two texts. It is made in the background, since a megabyte
// of differences takes longer than a key may.
type comparison struct {
	runs    []drawnRun
	summary string // "" if the texts are equal
}

// drawnRun is a run of equal lines, each with its rows, or a run of lines that differ, drawn as
// one.
type drawnRun struct {
	same  bool
	lines [][]string
}

// ask starts a comparison.
func (m *viewer) ask(latest *frame.Latest[drawKey, comparison], key drawKey) tea.Cmd {
	source, theme := m.source, m.theme
	return latest.Ask(key, func(ctx context.Context) comparison {
		before := key.plain
		if before == "" {
			before = storedText(source, key.before)
		}
		d := drawing{theme: theme, old: frame.Plain(before), new: frame.Plain(storedText(source, key.after))}
		rows := diff.Lines(d.old, d.new)
		if ctx.Err() != nil {
			return comparison{}
		}
		return d.changes(rows, key)
	})
}

// changes draws rows run by run.
func (d drawing) changes(rows []diff.Row, key drawKey) comparison {
	var c comparison
	if added, deleted := countChanges(rows); added+deleted > 0 {
		c.summary = fmt.Sprintf("%s added, %d deleted", frame.Count(added, "line"), deleted)
	}
	look := markdown.LookOf(d.theme, key.width)
	d.width, d.before, d.after = key.width, markdown.Paint(d.old, key.language, look), markdown.Paint(d.new, key.language, look)
	if key.numbered {
		d.numbers = len(fmt.Sprint(len(rows)))
	}
	if key.sideways && !key.beside { // columns side by side always wrap: they cannot scroll sideways
		d.width = markdown.MostColumns
	}
	draw := d.unified
	if key.beside {
		draw = d.sideBySide
	}
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && (rows[j].Kind == diff.Same) == (rows[i].Kind == diff.Same) {
			j++
		}
		run := drawnRun{same: rows[i].Kind == diff.Same}
		if run.same {
			for _, r := range rows[i:j] {
				run.lines = append(run.lines, draw([]diff.Row{r}))
			}
		} else {
			run.lines = [][]string{draw(rows[i:j])}
		}
		c.runs = append(c.runs, run)
		i = j
	}
	return c
}

func (m *viewer) promptKey(a *session.Attempt) (diffKey, bool) {
	before := m.previous()
	if a == nil || a.Sent == nil || before == nil || before.Sent == nil {
		return diffKey{}, false
	}
	return diffKey{before: before.Sent.Prompt, after: a.Sent.Prompt}, true
}

// changesSheet compares the code of an attempt with another text.
func (m *viewer) changesSheet(a *session.Attempt, size frame.Size) *sheet {
	if m.ofRepository() {
		return m.treeSheet(a, size)
	}
	s := &sheet{}
	say := func(style lipgloss.Style, text string) {
		s.add("\n" + frame.Indent(style.Render(frame.Wrap(text, size.Width-2)), " "))
	}
	list := m.compared(a)
	chosen, ok := m.against(list)
	switch {
	case a.Extracted == nil:
		say(m.theme.Dim, "… the code is being taken from the answer")
		return s
	case a.Extracted.Code == "":
		say(m.theme.Dim, "There is no code in this answer.")
		return s
	case !ok:
		text := "This is the first attempt: there is nothing to compare with."
		if len(list) > 0 {
			text += " [ compares with the reference solution."
		}
		say(m.theme.Dim, text+" The code is:")
		s.add("")
		s.rows = append(s.rows, markdown.Code(m.text(a.Extracted.Code), m.language(), m.answerLook(size.Width))...)
		return s
	}
	key, drawn, ready := m.diffs.Last()
	head := fmt.Sprintf("%s → %s", chosen.name, m.nameOf(a))
	switch {
	case !ready || key.diffKey != chosen.key:
		say(m.theme.Dim, head+" · … comparing")
		return s
	case drawn.summary == "":
		say(m.theme.Warn, "The code is the same as in "+chosen.name+".")
		return s
	}
	say(m.theme.Dim, head+" · "+drawn.summary)
	s.add("")
	m.addChanges(s, drawn)
	return s
}

// countChanges counts the lines that are drawn as new and as deleted; a changed line is both.
func countChanges(rows []diff.Row) (added, deleted int) {
	for _, r := range rows {
		if r.Kind == diff.New || r.Kind == diff.Changed {
			added++
		}
		if r.Kind == diff.Gone || r.Kind == diff.Changed {
			deleted++
		}
	}
	return added, deleted
}

// promptSheet shows the prompt as sent and its difference to the previous prompt.
func (m *viewer) promptSheet(a *session.Attempt, size frame.Size) *sheet {
	s := &sheet{}
	if r := a.Reflection; r != nil && r.Answer != nil {
		for _, part := range []struct{ head, text string }{
			{"asked before, which is no attempt", m.text(r.Sent.Prompt)}, {"what the model said was wrong", m.answerText(r.Answer.Answer)},
		} {
			s.add("\n " + m.theme.Dim.Render(part.head) + "\n\n" + frame.Indent(markdown.Wrapped(part.text, size.Width-4), "   "))
		}
	}
	prompt := m.text(a.Sent.Prompt)
	facts := frame.Extent(prompt) + notTyped(a.Sent.Inserted, a.Sent.Editor, a.Sent.Bytes)
	if n := len(a.Sent.Messages) - 1; n > 0 {
		facts += " · sent with " + frame.Count(n, "earlier message")
	}
	s.add("\n " + m.theme.Dim.Render(facts) + "\n\n" + frame.Indent(markdown.Wrapped(prompt, size.Width-4), "   "))
	if a.Sent.Asked() != a.Sent.Prompt {
		s.add("\n " + m.theme.Dim.Render("appended by the study") + "\n\n" + frame.Indent(markdown.Wrapped(m.state.Plan.Suffix, size.Width-4), "   "))
	}
	wanted, ok := m.promptKey(a)
	if !ok {
		return s
	}
	s.add("\n " + m.theme.Dim.Render("changes to the prompt before") + "\n")
	if key, drawn, ready := m.prompts.Last(); ready && key.diffKey == wanted {
		m.addChanges(s, drawn)
	} else {
		s.add(" " + m.theme.Dim.Render("… comparing"))
	}
	return s
}

// addChanges adds a comparison, with long unchanged runs folded.
func (m *viewer) addChanges(s *sheet, c comparison) {
	for i, run := range c.runs {
		if run.same {
			m.addSame(s, run.lines, item{sameItem, i}, i == 0, i == len(c.runs)-1)
			continue
		}
		s.begin(item{changeItem, i}, false)
		s.addLines(run.lines)
		s.end()
	}
}

func (s *sheet) addLines(lines [][]string) {
	for _, l := range lines {
		s.rows = append(s.rows, l...)
	}
}

// addSame adds unchanged lines: those next to a change, and the others if they are unfolded.
func (m *viewer) addSame(s *sheet, lines [][]string, of item, first, last bool) {
	head, tail := around, around
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	hidden := len(lines) - head - tail
	if hidden < 4 {
		s.addLines(lines)
		return
	}
	s.addLines(lines[:head])
	s.begin(of, true)
	if m.foldedAway(of) {
		s.add("   " + m.theme.Dim.Render(fmt.Sprintf("… %s lines the same: %s shows them", thousands(hidden), m.unfolds())))
	} else {
		s.addLines(lines[head : len(lines)-tail])
	}
	s.end()
	s.addLines(lines[len(lines)-tail:])
}

// changesKeys returns the keys of the tab of changes.
func (m *viewer) changesKeys() []frame.Key {
	keys := []frame.Key{
		{Press: ". ,", Does: "changes", Run: m.goToChange},
		{Press: "[ ]", Does: "compare with", Run: m.compareWith, Not: func() string {
			if list := m.compared(m.attempt()); len(list) == 0 || len(list) == 1 && !list[0].asked {
				return "there is nothing else to compare with"
			}
			return ""
		}},
		{Press: "s", Does: "side by side", Do: frame.Only(m.turnBeside), Not: func() string {
			if m.room() < besideWidth {
				return fmt.Sprintf("two columns need %d, and this terminal has %d", besideWidth, m.room())
			}
			return ""
		}},
	}
	for i := range keys {
		keys[i].Fit = func(k *frame.Key) {
			if m.review.tab != tabChanges {
				k.Press = ""
			} else if k.Press == "s" && m.isBeside() {
				k.Does = "one below the other"
			}
		}
	}
	return keys
}

// isBeside reports whether changes are to be side by side: those of repositories unless the tester turned
// that off, others if the tester turned it on.
func (m *viewer) isBeside() bool {
	if m.ofRepository() {
		return !m.review.stacked
	}
	return m.review.beside
}

func (m *viewer) turnBeside() {
	m.changed(func() {
		if m.ofRepository() {
			m.review.stacked = !m.review.stacked
		} else {
			m.review.beside = !m.review.beside
		}
	})
}

// compareWith chooses the next text to compare with: further away for "[", nearer for "]".
func (m *viewer) compareWith(press string) tea.Cmd {
	r := &m.review
	list := m.compared(m.attempt())
	at := r.against - 1
	if press == "[" {
		at = r.against + 1
	}
	switch {
	case at < 0:
		m.notice = "] nothing is nearer than " + list[0].name
		return nil
	case at-notAsked(list) >= len(list):
		m.notice = "[ nothing is further away than " + list[len(list)-1].name
		return nil
	}
	r.against = at
	r.toggled, r.tops[tabChanges] = map[item]bool{}, 0
	r.changes++
	return nil
}

// goToChange scrolls to the next or previous change.
func (m *viewer) goToChange(press string) tea.Cmd {
	return m.goToItem(press == ".", changeItem, press, "change")
}

// goToItem scrolls to the next or previous item of a kind.
func (m *viewer) goToItem(next bool, kind itemKind, press, what string) tea.Cmd {
	size := m.textSize()
	s := m.sheet(size)
	at := m.top(s, size.Height)
	const above = 1 // a row of context
	to := -1
	for _, spot := range s.spots {
		row := max(0, spot.row-above)
		if spot.kind != kind {
			continue
		}
		if next && row > at && to < 0 || !next && row < at {
			to = row
		}
	}
	if to < 0 {
		m.notice = press + " this is the " + map[bool]string{true: "last ", false: "first "}[next] + what
		return nil
	}
	before := at
	m.review.tops[tabChanges] = to
	if m.top(s, size.Height) == before {
		m.notice = press + " the last " + what + "s are all in view"
	}
	return nil
}
