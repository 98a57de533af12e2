package work

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/editor"
	"assay/tui/frame"
)

// openList shows a list over the editor.
func (m *composeRoom) openList(which list) {
	m.list, m.offers = which, frame.List[insertion]{}
	m.offers.Set(m.listed())
}

// listed returns what the list over the editor offers.
func (m *composeRoom) listed() []insertion {
	if m.list == listPrompts {
		return m.promptsBefore()
	}
	return m.insertions()
}

// insertChosen puts what was chosen at the cursor, on a line of its own, or makes it the draft.
func (m *composeRoom) insertChosen(at int, press string, whole bool) tea.Cmd {
	offers := m.listed()
	if at >= len(offers) {
		m.Notice = fmt.Sprintf("%s: there are %d to choose from", press, len(offers))
		return nil
	}
	chosen := offers[at]
	if chosen.why != "" {
		m.Notice = press + ": " + chosen.why
		return nil
	}
	m.list = listNone
	text := chosen.text
	if chosen.ref != "" {
		text = m.Text(chosen.ref)
	}
	if whole {
		m.Notice = m.Keyed("{ctrl+z} brings back what stood here.")
		return m.change(func(area *editor.Editor) { area.Replace(text, chosen.what) })
	}
	if !m.area.AtLineStart() {
		text = "\n" + text
	}
	return m.insert(text, chosen.what)
}

// listPage draws the list with what the chosen offer would insert: below it, or on a wide
// screen beside it.
func (m *composeRoom) listPage(body frame.Size) string {
	m.offers.Set(m.listed())
	chosen, _ := m.offers.Chosen()
	if m.Size.Wide() {
		left := body.Width * 52 / 100
		right := body.Width - left - 1
		choices := m.choices(frame.Size{Width: left, Height: body.Height})
		return frame.Columns(choices, m.offered(chosen, right, body.Height), left, right, body.Height, m.Theme)
	}
	choices := m.choices(frame.Size{Width: body.Width, Height: min(m.offers.Len()+4, body.Height/2+1)})
	rows := strings.Count(choices, "\n") + 1
	return choices + "\n" + m.offered(chosen, body.Width, body.Height-rows)
}

// choices draws the offers around the chosen one.
func (m *composeRoom) choices(size frame.Size) string {
	offers := &m.offers
	head := "Insert at the cursor"
	if m.list == listPrompts {
		head = fmt.Sprintf("Prompts sent before: %d of %d, the newest first", offers.Row()+1, offers.Len())
	}
	rows := []string{" " + m.Theme.Strong.Render(head), ""}
	rows = append(rows, offers.Draw(2, min(offers.Len(), size.Height-3), func(in insertion, chosen bool) string {
		return m.choice(in, chosen, size.Width)
	})...)
	if hint := " What is inserted is told apart from what you type."; len(rows)+2 <= size.Height {
		rows = append(rows, "", m.Theme.Dim.Render(frame.Cell(hint, size.Width)))
	}
	return strings.Join(rows, "\n")
}

// choice draws one offer: its number where it has one, its name, and how a prompt that
// was sent before begins.
func (m *composeRoom) choice(in insertion, chosen bool, width int) string {
	number, excerpt := "", ""
	if in.ref == "" {
		number = fmt.Sprintf("%d   ", in.n)
	}
	room := width - 3 - frame.Width(number)
	if in.why != "" {
		return m.Theme.Item(m.Theme.Dim.Render(number+strings.TrimRight(frame.Cell(in.name+": "+in.why, room), " ")), chosen, width)
	}
	name := strings.TrimRight(frame.Cell(in.name, room), " ")
	if left := room - frame.Width(name) - 3; in.ref != "" && left > 0 {
		excerpt = m.Theme.Dim.Render(strings.TrimRight(frame.Cell("   "+frame.OneLine(strings.TrimSpace(m.Text(in.ref))), left+3), " "))
	}
	if number != "" {
		number = m.Theme.Accent.Render(number)
	}
	return m.Theme.Item(number+name+excerpt, chosen, width)
}

// offered shows the beginning of what an offer would insert.
func (m *composeRoom) offered(in insertion, width, height int) string {
	text := in.text
	if in.ref != "" {
		text = m.Text(in.ref)
	}
	facts := frame.Extent(text)
	if in.why != "" {
		text, facts = in.why, ""
	}
	const most = 16 << 10 // more than any screen holds, and soon wrapped
	cut := text[:min(len(text), most)]
	lines := strings.Split(frame.Wrap(frame.Plain(strings.TrimRight(cut, "\n")), width-2), "\n")
	if room := height - 1; len(lines) > room && room > 0 {
		lines = lines[:room]
		lines[room-1] = m.Theme.Dim.Render("…")
	}
	return frame.Section("what it inserts", facts, width, m.Theme) + "\n" + frame.Indent(strings.Join(lines, "\n"), " ")
}

// listKeys returns the keys while a list lies over the editor.
func (m *composeRoom) listKeys() []frame.Key {
	c := m
	only := func(which list) func(*frame.Key) {
		return func(k *frame.Key) {
			if c.list != which {
				k.Press = ""
			}
		}
	}
	back := frame.Only(func() { c.list = listNone })
	return append([]frame.Key{
		{Press: "enter", Does: "insert", Do: func() tea.Cmd { return m.insertChosen(c.offers.Row(), "enter", false) }},
		{Press: "r", Does: "replace the draft", Fit: only(listPrompts), Do: func() tea.Cmd { return m.insertChosen(c.offers.Row(), "r", true) }},
		c.offers.Key(),
		{Press: "1-9", Does: "at once", Fit: func(k *frame.Key) {
			if k.Press = ""; c.list == listInsertions {
				k.Press = fmt.Sprintf("1-%d", len(m.insertions()))
			}
		}, Run: func(press string) tea.Cmd { return m.insertChosen(int(press[0]-'1'), press, false) }},
		{Press: "esc", Also: "ctrl+t q", Does: "back", Do: back}, frame.HelpKey,
		{Press: "f7 f8", Does: "older, newer", More: true, Fit: only(listPrompts), Run: func(press string) tea.Cmd {
			return c.offers.Move(map[string]string{"f7": "down", "f8": "up"}[press])
		}},
	}, frame.Motions(c.offers.Move)...)
}

// insertions lists what can be put into the draft.
func (m *composeRoom) insertions() []insertion {
	t := m.Task()
	list := make([]insertion, 0, 6)
	for level, name := range []string{1: "the statement", 2: "the statement with its constraints", 3: "the statement with constraints and examples"} {
		if level > 0 {
			list = append(list, insertion{what: fmt.Sprintf("level%d", level), name: fmt.Sprintf("%s (level %d)", name, level), text: t.PromptText(benchmark.PromptLevel(level))})
		}
	}
	prompt := insertion{what: "prompt", name: "the prompt before", why: "this is the first attempt"}
	answer := insertion{what: "answer", name: "the answer before", why: "this is the first attempt"}
	failing := insertion{what: "failing_test", name: "the first failing test", why: "no test has failed"}
	if before := m.Previous(); before != nil {
		prompt.text, prompt.why = m.Text(before.Sent.Prompt), ""
		answer.text, answer.why = m.AnswerText(before.Answer.Answer), ""
		if text := m.failingTest(before); text != "" {
			failing.text, failing.why = text, ""
		} else if m.State.Plan.Sees(before) != session.SeeTests {
			failing.why = "this study hides the tests"
		}
	}
	list = append(list, prompt, answer, failing)
	if m.OfRepository() {
		paths := insertion{what: "files", name: "the list of the repository's files", why: "the repository is being read"}
		if found, ready := m.files.listing(); ready {
			paths.text, paths.why = "Files of the repository:\n\n"+strings.Join(found.paths, "\n")+"\n", found.why
		}
		list = append(list, paths)
	}
	for i := range list {
		list[i].n = i + 1
	}
	return list
}

// failingTest describes how an attempt failed its tests, if the tester may see them: the first
// failed test, or why none was run.
func (m *composeRoom) failingTest(a *session.Attempt) string {
	if a.Verdict == nil || m.State.Plan.Sees(a) != session.SeeTests {
		return ""
	}
	result, err := m.Results(a.Verdict)
	if err != nil {
		return ""
	}
	if c := result.FirstFailing(); c != nil {
		return candidateNote(m.Task(), c.Words()) + c.Words() + "\n"
	}
	if result.Verdict == verdicts.Accepted || result.Verdict == verdicts.NotJudged {
		return ""
	}
	return strings.TrimSuffix(strings.ReplaceAll(string(result.Verdict), "_", " ")+": "+result.Message, ": ") + "\n"
}

// callsCandidate matches a call of the answer's function by the name that tests of benchmarks such as HumanEval give it.
var callsCandidate = regexp.MustCompile(`\bcandidate\b`)

// candidateNote explains the name by which tests call the answer's function or class, if a text has it; else it is "".
func candidateNote(t *benchmark.Task, text string) string {
	const name = "candidate"
	if t.EntryPoint != "" && t.EntryPoint != name && !strings.Contains(t.PromptText(benchmark.MaxPromptLevel), name) && callsCandidate.MatchString(text) {
		return "The tests call " + t.EntryPoint + " " + name + ".\n"
	}
	return ""
}

// promptsBefore lists the prompts sent in this session, newest first.
func (m *composeRoom) promptsBefore() []insertion {
	var list []insertion
	for i := range slices.Backward(m.State.Tasks) {
		t := &m.State.Tasks[i]
		for j := range slices.Backward(t.Attempts) {
			if a := &t.Attempts[j]; a.Sent != nil && a.Sent.Prompt != "" {
				name := fmt.Sprintf("%s · attempt %d", frame.OneLine(cmp.Or(t.Title, t.ID)), a.N)
				list = append(list, insertion{what: "history", name: name, ref: a.Sent.Prompt})
			}
		}
	}
	return list
}
