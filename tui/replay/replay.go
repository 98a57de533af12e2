// Package replay plays a session's log back on the screen: what the tester wrote, letter
// by letter as it was saved, what came, and what they made of it, at any speed.
package replay

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Texts finds a text that the log refers to.
type Texts func(session.Ref) ([]byte, error)

// tick is how often the screen moves on.
const tick = 50 * time.Millisecond

// longest is the time that a gap takes when it is played, such as a night between two
// days: the rest is left out.
const longest = 5 * time.Second

// Model is the screen.
type Model struct {
	events []session.Event
	texts  Texts
	at     []time.Duration // of each event, from the first; gaps are cut
	speed  float64

	state   *session.State
	next    int           // the first event that was not played
	clock   time.Duration // the moment that is shown
	playing bool
	round   int // of ticks: those of an earlier start are stale
	size    frame.Size
	theme   frame.Theme
}

// New plays a whole log from its beginning; speed 1 is that of life.
func New(events []session.Event, texts Texts, speed float64) (*Model, error) {
	_, intervals, err := session.Fold(events)
	if err != nil {
		return nil, err
	}
	m := &Model{events: events, texts: texts, at: make([]time.Duration, len(events)), speed: speed, playing: true}
	after := map[uint64]int64{}
	for _, iv := range intervals {
		after[iv.Until] = iv.MS
	}
	for i := 1; i < len(events); i++ {
		gap := time.Duration(after[events[i].Seq]) * time.Millisecond
		m.at[i] = m.at[i-1] + min(max(gap, 0), longest)
	}
	m.seek(0)
	return m, nil
}

type tickMsg struct{ round int }

// Init begins to play.
func (m *Model) Init() tea.Cmd { return m.wait() }

func (m *Model) wait() tea.Cmd {
	round := m.round
	return tea.Tick(tick, func(time.Time) tea.Msg { return tickMsg{round} })
}

// Typing is false: all keys are commands.
func (m *Model) Typing() bool { return false }

// seek shows the state at a moment.
func (m *Model) seek(to time.Duration) {
	end := m.at[len(m.at)-1]
	to = min(max(to, 0), end)
	if m.state == nil || to < m.clock {
		m.state, m.next = session.New(), 0
	}
	m.clock = to
	for m.next < len(m.events) && m.at[m.next] <= to {
		// The whole log was folded when the screen was made.
		_ = m.state.Apply(m.events[m.next])
		m.next++
	}
	if to == end {
		m.playing = false
	}
}

// step goes to the event before or after the moment that is shown, of those that a
// person would call one.
func (m *Model) step(forward bool) {
	m.playing = false
	if forward {
		for i := m.next; i < len(m.events); i++ {
			if telling(m.events[i].Payload) {
				m.seek(m.at[i])
				return
			}
		}
		m.seek(m.at[len(m.at)-1])
		return
	}
	for i := min(m.next, len(m.events)) - 1; i >= 0; i-- {
		if m.at[i] < m.clock && telling(m.events[i].Payload) {
			m.seek(m.at[i])
			return
		}
	}
	m.seek(0)
}

func telling(p session.Payload) bool {
	switch p.(type) {
	case session.TaskChosen, session.TaskOpened, session.PromptSent, session.AnswerReceived, session.AnswerFailed, session.VerdictRecorded, session.Picked, session.Judged, session.MergeJudged,
		session.AnswerMended, session.TaskClosed, session.TaskSkipped, session.Closed:
		return true
	}
	return false
}

// Update takes keys and ticks.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.size, m.theme = msg.Size, msg.Theme
	case tickMsg:
		if msg.round == m.round && m.playing {
			m.seek(m.clock + time.Duration(float64(tick)*m.speed))
			if m.playing {
				return m.wait()
			}
		}
	case tea.KeyPressMsg:
		return m.press(msg.String())
	}
	return nil
}

func (m *Model) press(key string) tea.Cmd {
	cmd, _, taken := frame.Pressed(m.keys(), key)
	if !taken || cmd != nil {
		return cmd
	}
	m.round++
	if m.playing {
		return m.wait()
	}
	return nil
}

// Keys returns all keys of the screen, for the settings.
func Keys() []frame.Key { return new(Model).keys() }

func (m *Model) keys() []frame.Key {
	step := func(press string) tea.Cmd { m.step(press == "right" || press == "l"); return nil }
	speed := func(press string) tea.Cmd {
		if press == "+" || press == "up" || press == "k" {
			m.speed = min(m.speed*2, 256)
		} else {
			m.speed = max(m.speed/2, 0.25)
		}
		return nil
	}
	begin, end := frame.Only(func() { m.seek(0) }), frame.Only(func() { m.seek(m.at[len(m.at)-1]) })
	return []frame.Key{
		{Press: "space", Does: "play", Do: frame.Only(m.play), Fit: func(k *frame.Key) {
			if m.playing {
				k.Does = "stop"
			}
		}},
		{Press: "←→", Also: "h l", Does: "step", Run: step}, {Press: "+-", Also: "↑ ↓ k j", Does: "speed", Run: speed},
		{Press: "home", Also: "g", Does: "beginning", More: true, Do: begin}, {Press: "end", Also: "G", Does: "end", More: true, Do: end},
		{Press: "esc", Also: "q", Does: "back", Do: frame.GoBack}, frame.HelpKey,
	}
}

// play starts or stops; at the end it begins again.
func (m *Model) play() {
	if m.clock == m.at[len(m.at)-1] {
		m.seek(0)
	}
	m.playing = !m.playing
}

// Mouse goes to the moment that is clicked in the bar; the wheel steps.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if y == 0 && msg.Button == tea.MouseLeft {
			end := m.at[len(m.at)-1]
			m.seek(time.Duration(float64(end) * float64(x-1) / float64(max(1, m.size.Width-3))))
		}
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			return m.press("left")
		case tea.MouseWheelDown:
			return m.press("right")
		}
	}
	return nil
}

// Page shows the moment.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := frame.Page{
		Scope: frame.ScopeReplay, Title: frame.OneLine("Replay of " + m.state.Session), Place: m.place(),
		Keys:   m.keys(),
		Status: fmt.Sprintf("×%g", m.speed),
	}
	body := size.Body()
	lines := []string{m.bar(body.Width), "", " " + m.theme.Strong.Render(m.phase())}
	content, height := m.content(body.Width), body.Height-len(lines)-1
	from := max(0, len(content)-height)
	p.Body, p.Seen = strings.Join(append(lines, content[from:]...), "\n"), frame.Position(from, height, len(content))
	return p
}

// place returns the moment, of all.
func (m *Model) place() string {
	return frame.Duration(m.clock.Seconds()) + " of " + frame.Duration(m.at[len(m.at)-1].Seconds())
}

func (m *Model) bar(width int) string {
	width = max(width-2, 1)
	end := m.at[len(m.at)-1]
	done := width
	if end > 0 {
		done = int(float64(width) * float64(m.clock) / float64(end))
	}
	return " " + strings.Repeat("━", done) + frame.Rule("", width-done, m.theme)
}

// phase says in a line what is going on.
func (m *Model) phase() string {
	s := m.state
	words := map[session.Phase]string{
		session.Between: "between two tasks", session.Read: "reading the task", session.Compose: "writing the prompt", session.Wait: "waiting for the answer",
		session.Pick: "comparing two answers", session.Review: "reviewing the answer", session.Rate: "rating", session.Ended: "the session has ended",
	}[s.Phase]
	if t := s.Task(); t != nil {
		words = fmt.Sprintf("%s, attempt %d of %d: %s", t.ID, len(t.Attempts), s.Plan.K, words)
	}
	switch {
	case s.Paused != "":
		words += " (paused)"
	case s.Idle:
		words += " (idle)"
	case s.Blurred:
		words += " (elsewhere)"
	}
	return frame.OneLine(words)
}

// content returns what stood before the tester.
func (m *Model) content(width int) []string {
	t := m.state.Task()
	if t == nil {
		return m.tally()
	}
	var lines []string
	put := func(head, text string) {
		lines = append(lines, "", " "+m.theme.Dim.Render(head))
		for _, line := range strings.Split(frame.Wrap(frame.Plain(text), max(20, width-4)), "\n") {
			lines = append(lines, "   "+line)
		}
	}
	a := m.state.Attempt()
	switch m.state.Phase {
	case session.Read, session.Compose:
		if before := len(t.Attempts) - 2; before >= 0 && t.Attempts[before].Decision != "" {
			put("before", m.judged(&t.Attempts[before]))
		}
		put("prompt", t.Draft())
	case session.Rate:
		put("final answer", m.judged(a))
		for _, attribute := range m.state.Plan.Attributes {
			score := "–"
			if v, rated := t.Ratings[attribute.ID]; rated {
				score = fmt.Sprint(v)
			}
			lines = append(lines, fmt.Sprintf("   %s  %s", score, frame.OneLine(attribute.Name)))
		}
	default:
		if a.Reflecting() {
			put("asked what was wrong", m.read(false, func() session.Ref { return a.Reflection.Sent.Prompt }))
			break
		}
		put("prompt", m.read(a.Sent == nil, func() session.Ref { return a.Sent.Prompt }))
		if m.state.Phase == session.Pick || m.state.Phase == session.Wait {
			for _, side := range a.Sides {
				if side.Answer != nil {
					put("answer "+strings.ToUpper(string(side.Answer.Side)), m.read(false, func() session.Ref { return side.Answer.Answer }))
				}
			}
		}
		if a.Answer != nil {
			put("answer", m.read(false, func() session.Ref { return a.Answer.Answer }))
			put("outcome", m.judged(a))
		}
	}
	return lines
}

func (m *Model) read(none bool, ref func() session.Ref) string {
	if none || ref() == "" || m.texts == nil {
		return "(not kept)"
	}
	text, err := m.texts(ref())
	if err != nil {
		return "(cannot be read: " + err.Error() + ")"
	}
	return string(text)
}

// judged says what the tests and the tester made of an attempt.
func (m *Model) judged(a *session.Attempt) string {
	var words []string
	if v := a.Verdict; v != nil {
		words = append(words, fmt.Sprintf("tests: %s, %d of %d", strings.ReplaceAll(v.Verdict, "_", " "), v.Passed, v.Total))
	}
	if a.Decision != "" {
		words = append(words, "tester: "+strings.ReplaceAll(string(a.Decision), "_", " "))
	}
	if len(words) == 0 {
		return "not judged yet"
	}
	return strings.Join(words, "; ")
}

// tally lists the tasks that are done, and why the next one was chosen.
func (m *Model) tally() []string {
	lines := []string{"", "   " + m.state.Progress().String(), ""}
	for _, t := range m.state.Tasks {
		if t.Closed {
			lines = append(lines, fmt.Sprintf("   %s: %s after %s", frame.OneLine(t.ID), strings.ReplaceAll(string(t.Outcome), "_", " "), frame.Count(len(t.Attempts), "attempt")))
		}
	}
	if n := len(m.state.Choices); n > 0 {
		c := m.state.Choices[n-1]
		what := fmt.Sprintf("%s is chosen, which tells %.2f, number %d of %d", frame.OneLine(c.Task), c.Information, c.Rank, c.Candidates)
		if c.Index < 0 {
			what = "the test ends, " + strings.ReplaceAll(string(c.End), "_", " ")
		}
		lines = append(lines, "", fmt.Sprintf("   ability %.2f ± %.2f: %s", c.Estimate.Ability, c.Estimate.SE, what))
	}
	return lines
}
