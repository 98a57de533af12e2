package work

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Past is the screen of a past attempt: the tabs of the review, and the outcome of the task.
type Past struct{ viewer }

// NewPast shows an attempt; task and attempt are indexes, times are those of the task.
func NewPast(source Source, state *session.State, task, attempt int, times session.TaskTimes, opts Options) *Past {
	p := &Past{newViewer(source, state, opts)}
	p.past = &past{task: task, attempt: attempt, times: times}
	return p
}

// NewBlind shows an attempt at a state's only task to a rater, without the tester's judgement and
// the outcome.
func NewBlind(source Source, state *session.State, attempt int, opts Options) *Past {
	p := NewPast(source, state, 0, attempt, session.TaskTimes{}, opts)
	p.past.blind = true
	return p
}

// Rival is the other answer of a pair: its name, and its code, with which the tab of changes compares.
type Rival struct{ Name, Code string }

// NewSide shows one side of a pair, as [NewBlind] does.
func NewSide(name string, rival Rival, source Source, state *session.State, attempt int, opts Options) *Past {
	p := NewBlind(source, state, attempt, opts)
	p.past.self, p.past.rival = name, rival
	return p
}

// Leaves reports whether a key leaves the screen.
func (p *Past) Leaves(press string) bool {
	r := &p.review
	return (press == "esc" || press == "q") && !r.find.typing && !r.full && (press != "esc" || r.find.needle == "")
}

// Verbatim reports whether the answer is shown as it was written.
func (p *Past) Verbatim() bool { return p.verbatim() }

// Attempt returns the index of the attempt that is shown.
func (p *Past) Attempt() int { return p.past.attempt }

// Init restarts dropped background work; the answer is rendered when the size is known.
func (p *Past) Init() tea.Cmd { return p.resume() }

// Typing reports whether words to search for are being typed.
func (p *Past) Typing() bool { return p.review.find.typing }

// Update handles keys and the results of background work.
func (p *Past) Update(msg tea.Msg) tea.Cmd {
	if cmd, taken := p.computed(msg); taken {
		return cmd
	}
	switch msg := msg.(type) {
	case frame.LookMsg:
		p.size, p.theme = msg.Size, msg.Theme
	case tea.PasteMsg:
		return p.pasteWords(msg)
	case tea.KeyPressMsg:
		p.notice, p.trouble = "", ""
		return tea.Batch(p.key(msg), p.render())
	}
	return p.render()
}

// Mouse chooses tabs and test cases, and scrolls.
func (p *Past) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if p.review.find.typing {
		return nil
	}
	p.mouse(msg, x, y)
	return p.render()
}

// key does what the table has for a key. While a search is typed, other keys are its text.
func (p *Past) key(msg tea.KeyPressMsg) (cmd tea.Cmd) {
	press := msg.String()
	if p.review.find.typing {
		press = msg.Keystroke()
	}
	cmd, why, taken := frame.Pressed(p.table(), press)
	p.notice = cmp.Or(why, p.notice)
	if p.review.find.typing && !taken {
		p.review.find.line, cmd = p.review.find.line.Update(msg)
	}
	return cmd
}

// show goes to another attempt of the task, in the same tab.
func (p *Past) show(attempt int) {
	if attempt < 0 || attempt >= len(p.attempts()) {
		return
	}
	tab := p.review.tab
	p.past.attempt = attempt
	p.review.begin()
	p.review.tab = tab
}

// Page draws the attempt.
func (p *Past) Page(size frame.Size, theme frame.Theme) frame.Page {
	p.size, p.theme = size, theme
	body := size.Body()
	t := &p.state.Tasks[p.past.task]
	page := frame.Page{
		Scope: frame.ScopeResults,
		Title: frame.OneLine(p.state.Plan.Benchmark + " · " + taskName(t)),
		Place: fmt.Sprintf("attempt %d of %d", p.past.attempt+1, len(t.Attempts)),
		Keys:  p.table(),
	}
	if !p.past.blind {
		page.Status = Decision(p.attempt())
	}
	text, style := p.notice, theme.Dim
	if p.trouble != "" {
		text, style = "✗ "+p.trouble, theme.Bad
	}
	room := body
	if text != "" {
		text = "\n" + frame.Indent(style.Render(frame.Wrap(frame.Plain(text), body.Width-2)), " ")
		room.Height -= strings.Count(text, "\n")
	}
	page.Body = strings.Join(frame.Fit(p.reviewBody(room), room), "\n") + text
	if p.review.find.typing {
		return p.review.find.linePage(page, body, theme)
	}
	page.Seen = p.seen()
	return page
}

// table lists the keys of the current view.
func (p *Past) table() []frame.Key {
	switch {
	case p.review.find.typing:
		return p.findKeys()
	case p.review.full:
		return p.fullKeys()
	}
	return p.keys()
}

func (p *Past) keys() []frame.Key {
	return append([]frame.Key{
		p.viewsKey(),
		{Press: "[ ]", Does: "other attempt", Fit: func(k *frame.Key) {
			if p.review.tab == tabChanges { // there they choose the texts to compare
				k.Press = ""
			} else if len(p.attempts()) < 2 {
				k.Why = "there is only one"
			}
		}, Run: func(press string) tea.Cmd {
			if press == "[" {
				p.show(p.past.attempt - 1)
			} else {
				p.show(p.past.attempt + 1)
			}
			return nil
		}},
		{Press: "esc", Does: "back", Fit: func(k *frame.Key) {
			if p.review.find.needle != "" {
				k.Does = "end the search"
			}
		}, Do: func() tea.Cmd {
			if p.review.find.needle == "" {
				return frame.Back
			}
			p.findNothing()
			return nil
		}},
	}, append(p.viewKeys(), p.scrollKey(), frame.Key{Press: "q", Does: "back at once", More: true, Do: frame.GoBack})...)
}

// taskName returns the title of a task, or its id where it has none.
func taskName(t *session.Task) string { return cmp.Or(t.Title, t.ID) }

// Decision returns the tester's judgement of an answer.
func Decision(a *session.Attempt) string {
	return cmp.Or(map[session.Decision]string{
		session.DecideSatisfied: "✓ satisfied",
		session.DecideRefine:    "↻ refined",
		session.DecideGiveUp:    "✗ not satisfied",
	}[a.Decision], "… not judged")
}

// absent explains why the chosen tab is empty, or is "".
func (m *viewer) absent(a *session.Attempt) string {
	switch m.review.tab {
	case tabSolution:
		if m.awaited() { // the tester could use it in a prompt without a record in the log
			return "The reference solution is shown with the answer."
		}
		return ""
	case tabTask, tabResult:
		return ""
	}
	switch {
	case m.open() && (a.Failed == nil && a.Broken == nil):
		if m.review.tab != tabPrompt && a.Answer == nil {
			return "There is no answer yet."
		}
		return ""
	case a.Sent != nil && a.Sent.Prompt == "" && !a.HasAnswer():
		return "This session was imported from tables, which have no prompts, answers or code."
	case a.Sent != nil && a.Sent.Prompt == "" && m.review.tab == tabPrompt:
		return "The prompt of this answer was not imported."
	case a.Sent == nil:
		return "No prompt was sent in this attempt."
	case m.review.tab == tabPrompt:
		return ""
	case a.Answer == nil && a.Failed != nil:
		if m.state.Plan.Unnamed() {
			return "There is no answer."
		}
		return "There is no answer: " + frame.Plain(a.Failed.Message)
	case !a.HasAnswer():
		return "There is no answer to this prompt."
	case m.review.tab == tabChanges && a.Extracted == nil && a.Tree == nil:
		return "The code was not taken from this answer."
	case m.review.tab == tabTests && a.Verdict == nil:
		return "The code of this answer was not run."
	case m.review.tab == tabMeasures && a.Measured == nil:
		return "The code of this answer was not measured."
	}
	return ""
}
