package viewer

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
	"assay/tui/work/result"
)

// Past is the screen of a past attempt: the tabs of the review, and the outcome of the task.
type Past struct{ Viewer }

// NewPast shows an attempt; task and attempt are indexes, times are those of the task.
func NewPast(source Source, state *session.State, task, attempt int, times session.TaskTimes, opts Options) *Past {
	p := &Past{New(source, state, opts)}
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

// NewSide shows one side of a pair, as [NewBlind] does.
func NewSide(name string, rival Rival, source Source, state *session.State, attempt int, opts Options) *Past {
	p := NewBlind(source, state, attempt, opts)
	p.past.self, p.past.rival = name, rival
	return p
}

// NewLive shows a side of the open attempt of a live session, of whose tests progress tells.
func NewLive(source Source, state *session.State, side session.Side, progress Progress, opts Options) *Past {
	p := NewPast(source, state, state.Current, len(state.Task().Attempts)-1, session.TaskTimes{}, opts)
	p.past.blind, p.past.live, p.past.side, p.past.self = true, true, side, SideName(side)
	p.Progress = progress
	if p.Awaited() {
		p.stream = markdown.NewStream()
	}
	return p
}

// Follow shows a later state of the session, in which rival is the other answer.
func (p *Past) Follow(state *session.State, rival Rival) tea.Cmd {
	p.State, p.past.rival = state, rival
	if p.stream != nil && !p.Awaited() {
		p.Complete(p.Attempt().Answer)
	}
	return p.Render()
}

// Leaves reports whether a key leaves the screen.
func (p *Past) Leaves(press string) bool {
	r := &p.review
	return (press == "esc" || press == "q") && !r.find.Typing && !r.full && (press != "esc" || r.find.Needle == "")
}

// Index returns the index of the attempt that is shown.
func (p *Past) Index() int { return p.past.attempt }

// Init restarts dropped background work; the answer is rendered when the size is known.
func (p *Past) Init() tea.Cmd { return p.Resume() }

// Typing reports whether words to search for are being typed.
func (p *Past) Typing() bool { return p.Searching() }

// Update handles keys and the results of background work.
func (p *Past) Update(msg tea.Msg) tea.Cmd {
	if cmd, taken := p.Take(msg); taken {
		return cmd
	}
	switch msg := msg.(type) {
	case frame.LookMsg:
		p.Size, p.Theme = msg.Size, msg.Theme
	case tea.PasteMsg:
		return p.FindTyped(msg)
	case tea.KeyPressMsg:
		p.Notice, p.Trouble = "", ""
		return tea.Batch(p.key(msg), p.Render())
	}
	return p.Render()
}

// Mouse chooses tabs and test cases, and scrolls.
func (p *Past) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if p.Searching() {
		return nil
	}
	p.Point(msg, x, y)
	return p.Render()
}

// key does what the table has for a key. While a search is typed, other keys are its text.
func (p *Past) key(msg tea.KeyPressMsg) (cmd tea.Cmd) {
	press := msg.String()
	if p.Searching() {
		press = msg.Keystroke()
	}
	cmd, why, taken := frame.Pressed(p.table(), press)
	p.Notice = cmp.Or(why, p.Notice)
	if !taken {
		return p.FindTyped(msg)
	}
	return cmd
}

// show goes to another attempt of the task, in the same tab.
func (p *Past) show(attempt int) {
	if attempt < 0 || attempt >= len(p.Attempts()) {
		return
	}
	tab := p.review.tab
	p.past.attempt = attempt
	p.review.begin()
	p.review.tab = tab
}

// Page draws the attempt.
func (p *Past) Page(size frame.Size, theme frame.Theme) frame.Page {
	p.Size, p.Theme = size, theme
	body := size.Body()
	t := &p.State.Tasks[p.past.task]
	page := frame.Page{
		Scope: frame.ScopeResults,
		Title: frame.OneLine(p.State.Plan.Benchmark + " · " + cmp.Or(t.Title, t.ID)),
		Place: fmt.Sprintf("attempt %d of %d", p.past.attempt+1, len(t.Attempts)),
		Keys:  p.table(),
	}
	if !p.past.blind {
		page.Status = result.Decision(p.Attempt())
	}
	text, style := p.Notice, theme.Dim
	if p.Trouble != "" {
		text, style = "✗ "+p.Trouble, theme.Bad
	}
	room := body
	if text != "" {
		text = "\n" + frame.Indent(style.Render(frame.Wrap(frame.Plain(text), body.Width-2)), " ")
		room.Height -= strings.Count(text, "\n")
	}
	page.Body = strings.Join(frame.Fit(p.ReviewBody(room), room), "\n") + text
	if p.review.find.Typing {
		return p.review.find.LinePage(page, body, theme)
	}
	page.Seen = p.Seen()
	return page
}

// PastKeys returns all keys of the views of an attempt that is looked at, for the settings.
func PastKeys() []frame.Key {
	p := &Past{New(nil, session.New(), Options{})}
	return frame.Merged(p.keys(), p.FullKeys(), p.FindKeys())
}

// table lists the keys of the current view.
func (p *Past) table() []frame.Key {
	if over := p.OverKeys(); over != nil {
		return over
	}
	return p.keys()
}

func (p *Past) keys() []frame.Key {
	return append([]frame.Key{
		p.ViewsKey(),
		{Press: "[ ]", Does: "other attempt", Fit: func(k *frame.Key) {
			if p.review.tab == TabChanges { // there they choose the texts to compare
				k.Press = ""
			} else if len(p.Attempts()) < 2 {
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
			if p.review.find.Needle != "" {
				k.Does = "end the search"
			}
		}, Do: func() tea.Cmd {
			if p.FindNothing() {
				return nil
			}
			return frame.Back
		}},
	}, append(p.ViewKeys(), p.ScrollKey(), frame.Key{Press: "q", Does: "back at once", More: true, Do: frame.GoBack})...)
}
