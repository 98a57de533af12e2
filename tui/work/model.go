package work

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
)

// Options are what the session's screens need beside the engine.
type Options struct {
	// Ticks drive the heartbeat; nil for none.
	Ticks <-chan time.Time
	// Report writes the session's report and returns where it lies; nil where
	// there is none.
	Report func(ctx context.Context, id string) (path string, err error)
	// Copy puts text on the clipboard; nil uses the terminal's.
	Copy func(text string) tea.Cmd
	// Interval is the least time between two looks at what changed.
	Interval time.Duration
}

// Model is the screen of one session.
type Model struct {
	eng   *engine.Engine
	opts  Options
	queue queue
	state *session.State

	// predicted counts the intents under way whose outcome state shows already.
	predicted int
	steps     int       // intents under way that lead to another view
	held      []tea.Msg // keys pressed meanwhile: they are meant for that view

	watch context.Context // of the listeners, ended by Leave
	stop  context.CancelFunc

	at      position // what the views below were made for
	size    frame.Size
	theme   frame.Theme
	trouble string // what went wrong last, with what to do
	notice  string // what just happened, until the next key
	ask     *question

	compose composer
	review  reviewer
	rating  rater
	answer  rendering
	report  string // where the report was written
}

// position is where a session stands, as far as a view is made for it.
type position struct {
	task, attempt int
	phase         session.Phase
	paused        bool
}

// question is a decision that wants a second key.
type question struct {
	text string
	yes  string // what y does
	do   func() tea.Cmd
}

// predictedIntent names an intent whose outcome is shown before it is committed.
const predictedIntent = "predicted"

// changedMsg says that the engine has something new.
type changedMsg struct{}

// reportMsg says where the report lies.
type reportMsg struct {
	path string
	err  error
}

// New makes the screen of a live session.
func New(eng *engine.Engine, opts Options) *Model {
	if opts.Copy == nil {
		opts.Copy = tea.SetClipboard
	}
	m := &Model{eng: eng, opts: opts, state: eng.State(), theme: frame.NewTheme(true, true)}
	m.watch, m.stop = context.WithCancel(context.Background())
	m.compose = newComposer()
	m.review = newReviewer()
	return m
}

// Init starts listening and the heartbeat.
func (m *Model) Init() tea.Cmd {
	if m.opts.Ticks != nil {
		go m.eng.Pulse(m.watch, m.opts.Ticks)
	}
	return tea.Batch(m.listen(), m.follow())
}

// Leave saves what is in the editor, ends the background work and leaves the
// session paused.
func (m *Model) Leave() tea.Cmd {
	m.held = nil // released after the closing, a key would resume the session
	saved := m.saveDraft()
	closed := m.queue.add("close", func(ctx context.Context) error {
		m.stop()
		return m.eng.Close(ctx)
	})
	return tea.Sequence(saved, closed)
}

// Typing says whether printable keys are text, or may turn out to be when the
// step under way is done.
func (m *Model) Typing() bool { return m.steps > 0 || len(m.held) > 0 || m.typing() }

func (m *Model) typing() bool {
	if m.ask != nil || m.state.Paused != "" {
		return false
	}
	switch m.state.Phase {
	case session.Read, session.Compose:
		return !m.compose.choosing
	case session.Wait:
		return m.pasting()
	case session.Review, session.Rate:
		return m.review.noting || m.review.finding
	}
	return false
}

// listen waits for the next change, and lets changes that come at once pass as
// one.
func (m *Model) listen() tea.Cmd {
	ctx, changes, interval := m.watch, m.eng.Changes(), m.opts.Interval
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-changes:
		}
		if interval > 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(interval):
			}
		}
		return changedMsg{}
	}
}

// Update turns messages into intents and the engine's news into views.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.size, m.theme = msg.Size, msg.Theme
		return tea.Batch(m.showTab(), m.render())
	case changedMsg:
		return tea.Batch(m.listen(), m.follow())
	case doneMsg:
		return m.done(msg)
	case reportMsg:
		m.reported(msg)
		return nil
	case renderedMsg:
		m.answer.take(msg)
		return nil
	case saveMsg:
		return m.saveDraft()
	case editedMsg:
		return m.edited(msg)
	case tea.FocusMsg:
		return m.intend("focus", func(ctx context.Context) error { return m.eng.Focus(ctx, true) })
	case tea.BlurMsg:
		return m.intend("focus", func(ctx context.Context) error { return m.eng.Focus(ctx, false) })
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		return m.press(msg)
	}
	return nil
}

// press takes a key or a paste. While a step to another view is under way they
// are held for that view: else the letters typed right after r would be
// commands of the view that is left.
func (m *Model) press(msg tea.Msg) tea.Cmd {
	if m.steps > 0 || len(m.held) > 0 {
		m.held = append(m.held, msg)
		return nil
	}
	return m.pressed(msg)
}

// release hands the held keys, in order, to the view that was arrived at, until
// one of them begins the next step.
func (m *Model) release() tea.Cmd {
	var cmds []tea.Cmd
	for m.steps == 0 && m.predicted == 0 && len(m.held) > 0 {
		msg := m.held[0]
		m.held = m.held[1:]
		cmds = append(cmds, m.pressed(msg))
	}
	return tea.Batch(cmds...)
}

func (m *Model) pressed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.notice = ""
		if msg.String() == "?" && !m.typing() {
			return func() tea.Msg { return msg } // no text after all: the program's key for help
		}
		return tea.Batch(m.active(), m.key(msg))
	case tea.PasteMsg:
		return tea.Batch(m.active(), m.paste(msg))
	}
	return nil
}

// active tells the engine that somebody is there.
func (m *Model) active() tea.Cmd {
	return m.intend("active", func(ctx context.Context) error { return m.eng.Active(ctx) })
}

// intend queues an intent.
func (m *Model) intend(what string, run func(context.Context) error) tea.Cmd {
	if isStep(what) {
		m.steps++
	}
	return m.queue.add(what, run)
}

// isStep says whether an intent leads to another view.
func isStep(what string) bool {
	switch what {
	case "open", "send", "judge", "undo", "commit", "skip", "pause", "resume":
		return true
	}
	return false
}

func (m *Model) done(msg doneMsg) tea.Cmd {
	if msg.what == predictedIntent {
		m.predicted--
	}
	if isStep(msg.what) {
		m.steps--
	}
	if msg.err != nil {
		m.trouble = msg.err.Error()
	} else if msg.what != "active" && msg.what != "focus" && msg.what != "tab" {
		m.trouble = ""
	}
	return tea.Batch(m.follow(), m.release())
}

// follow makes the views fit the committed state.
func (m *Model) follow() tea.Cmd {
	if m.predicted == 0 {
		m.state = m.eng.State()
	}
	now := position{task: m.state.Current, phase: m.state.Phase, paused: m.state.Paused != ""}
	if a := m.state.Attempt(); a != nil {
		now.attempt = a.N
	}
	before := m.at
	m.at = now
	var cmd tea.Cmd
	if now.task != before.task || now.attempt != before.attempt || now.phase != before.phase {
		cmd = m.arrive(before, now)
	}
	return tea.Batch(cmd, m.showTab(), m.render())
}

// arrive prepares the view of a phase that was entered.
func (m *Model) arrive(before, now position) tea.Cmd {
	switch now.phase {
	case session.Read, session.Compose:
		if before.task == now.task && before.attempt == now.attempt &&
			(before.phase == session.Read || before.phase == session.Compose) {
			return nil // writing goes on
		}
		m.compose.begin(m.state.Task().Draft())
		return m.compose.area.Focus()
	case session.Wait:
		m.review.scroll.GotoTop()
		m.review.follow = true
		if m.pasting() {
			m.compose.begin("")
			return m.compose.area.Focus()
		}
	case session.Review:
		if before.phase != session.Rate {
			m.review.begin()
		}
		m.review.tab = tabAnswer
	case session.Rate:
		m.rating.begin(m.state)
	case session.Ended:
		return m.writeReport()
	}
	return nil
}

// key routes a key to the view that is shown.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.ask != nil {
		return m.answerQuestion(msg)
	}
	if m.state.Paused != "" {
		return m.pausedKey(msg)
	}
	if msg.String() == "f2" && m.state.Phase != session.Ended {
		return tea.Sequence(m.saveDraft(), m.intend("pause", func(ctx context.Context) error { return m.eng.Pause(ctx, "tester") }))
	}
	switch m.state.Phase {
	case session.Between:
		return m.readyKey(msg)
	case session.Read, session.Compose:
		return m.composeKey(msg)
	case session.Wait:
		return m.waitKey(msg)
	case session.Review:
		return m.reviewKey(msg)
	case session.Rate:
		return m.ratingKey(msg)
	default:
		return m.summaryKey(msg)
	}
}

func (m *Model) answerQuestion(msg tea.KeyPressMsg) tea.Cmd {
	q := m.ask
	m.ask = nil
	if msg.String() == "y" {
		return q.do()
	}
	return nil
}

// Page draws the view that the session's state calls for.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := m.view()
	p.Title, p.Place = m.title(), m.place()
	if m.ask != nil {
		text := frame.Indent(theme.Strong.Render(frame.Wrap(m.ask.text, size.Width-2)), " ")
		room := size.Body().Height - strings.Count(text, "\n") - 2
		p.Body = strings.Join(frame.Fit(p.Body, frame.Size{Width: size.Width, Height: room}), "\n") + "\n\n" + text
		p.Keys = []frame.Key{{Press: "y", Does: m.ask.yes}, {Press: "esc", Does: "no"}}
		p.Cursor = nil
		return p
	}
	if t := m.troubleText(); t != "" {
		room := frame.Size{Width: size.Width, Height: size.Body().Height - m.troubleRows()}
		p.Body = strings.Join(frame.Fit(p.Body, room), "\n") + "\n" + t
	}
	return p
}

// troubleText says what is wrong or what just happened, under the body.
func (m *Model) troubleText() string {
	text, style := m.notice, m.theme.Dim
	switch {
	case m.eng.Trouble() != "":
		text, style = "✗ "+m.eng.Trouble()+" · it is tried again every second", m.theme.Bad
	case m.trouble != "":
		text, style = "✗ "+m.trouble, m.theme.Bad
	case m.notice == "":
		return ""
	}
	const most = 4 // rows; an error that needs more hides what it is about
	lines := strings.Split(frame.Wrap(frame.Plain(text), m.size.Width-2), "\n")
	lines = lines[:min(len(lines), most)]
	return frame.Indent(style.Render(strings.Join(lines, "\n")), " ")
}

// troubleRows is how many rows troubleText takes.
func (m *Model) troubleRows() int {
	if t := m.troubleText(); t != "" {
		return strings.Count(t, "\n") + 1
	}
	return 0
}

func (m *Model) view() frame.Page {
	if m.state.Paused != "" {
		return m.pausedPage()
	}
	switch m.state.Phase {
	case session.Between:
		return m.readyPage()
	case session.Read, session.Compose:
		return m.composePage()
	case session.Wait:
		return m.waitPage()
	case session.Review:
		return m.reviewPage()
	case session.Rate:
		return m.ratingPage()
	default:
		return m.summaryPage()
	}
}

// title says which task this is.
func (m *Model) title() string {
	parts := []string{m.state.Plan.Benchmark}
	i := m.shownTask()
	if i < 0 {
		return strings.Join(parts, " · ")
	}
	t := m.state.Tasks[i]
	if t.Difficulty != "" {
		parts = append(parts, string(t.Difficulty))
	}
	if t.Category != "" {
		parts = append(parts, t.Category)
	}
	return strings.Join(parts, " · ")
}

// shownTask is the open task, or the next one, or -1.
func (m *Model) shownTask() int {
	if m.state.Current >= 0 {
		return m.state.Current
	}
	return m.state.Next()
}

// place says where the task stands among all.
func (m *Model) place() string {
	i := m.shownTask()
	if i < 0 {
		return fmt.Sprintf("%s done", count(m.state.Done(), "task"))
	}
	t := m.state.Tasks[i]
	if t.Practice {
		return "practice, not counted"
	}
	n, total := 0, 0
	for j, other := range m.state.Tasks {
		if !other.Practice {
			total++
			if j <= i {
				n++
			}
		}
	}
	place := fmt.Sprintf("task %d of %d", n, total)
	if t.Set != "" {
		place += " · " + t.Set
	}
	return place
}

// attemptStatus is "attempt 2/10".
func (m *Model) attemptStatus() string {
	a := m.state.Attempt()
	if a == nil {
		return ""
	}
	return fmt.Sprintf("attempt %d/%d", a.N, m.state.Plan.K)
}

// task is the full text of the open task.
func (m *Model) task() *benchmark.Task { return m.eng.Task(m.state.Current) }

// text reads a stored text for the screen.
func (m *Model) text(ref session.Ref) string {
	text, err := m.eng.Text(ref)
	if err != nil {
		return "(this text cannot be read: " + err.Error() + ")"
	}
	return text
}

// count writes "1 task", "2 tasks".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
