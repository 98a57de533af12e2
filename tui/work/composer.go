package work

import (
	"context"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/tui/diff"
	"assay/tui/editor"
	"assay/tui/frame"
	"assay/tui/markdown"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// composeRoom is the editor of a prompt, or of a pasted answer.
type composeRoom struct {
	*live.Session
	files     *filesRoom
	ownEditor string // the name of the tester's own editor

	area    editor.Editor
	of      draftOf
	unsaved *unsaved
	list    list // the list shown over the editor
	offers  frame.List[insertion]
	above   above
	skips   [aboves]int // lines scrolled away of each text above
	seen    int         // visible lines of the chosen one
	upper   [aboves]upperLines
	differ  frame.Latest[draftVersion, []diff.Run]
	at      place
}

// begin fills the editor with a draft, of which the given number of bytes was inserted, not typed.
// If the editor holds that text already, as after a failed answer, its undo history stays.
func (m *composeRoom) begin(of draftOf, draft string, inserted int) {
	m.list, m.above, m.skips = listNone, aboveStatement, [aboves]int{}
	if m.of == of && m.area.Value() == draft {
		return
	}
	// The log tells how many bytes were inserted, not which ones. This matters for text that is
	// deleted and restored by undo.
	m.area.Reset(draft, 2*inserted > len(draft))
	m.of, m.unsaved = of, &unsaved{saved: draft}
	if text := m.area.Value(); text != draft {
		m.unsaved.add(editor.Change{Text: text, What: "clean"})
	}
}

// above is what stands above the editor.
type above int

const (
	aboveStatement above = iota
	aboveArrived
	aboveAnswer
	aboveTests
	aboveDifference
	abovePrompt // the prompt as sent, while the tester fetches its answer from a chat page
	aboves      // the number of them
)

// list is what lies over the editor to choose from.
type list int

const (
	listNone list = iota
	listInsertions
	listPrompts
)

// upperLines caches the lines above the editor, which are drawn at every key and may be a long
// answer.
type upperLines struct {
	key   upperKey
	lines []string
}

// upperKey holds everything that upperLines depend on.
type upperKey struct {
	look          markdown.Look
	folded        bool
	task, attempt int
	sees          session.TestsSeen
	verdict       *session.VerdictRecorded
	extracted     *session.CodeExtracted
	draft         draftVersion
	arrived       [2]session.Arrival
}

// draftVersion identifies a text of the editor and the prompt it is compared with.
type draftVersion struct {
	of      draftOf
	version uint64
}

// place is the position and width of the editor in the body.
type place struct{ x, y, width int }

// saveDraft saves what was typed, if a prompt or a pasted answer is being written.
func (m *composeRoom) saveDraft() tea.Cmd {
	if m.State.Paused != "" || !writing(m.State) {
		return nil
	}
	u, of := m.unsaved, m.of
	if !u.add(m.area.Changes()...) {
		return nil
	}
	return m.Intend(m.SavesDraft(func(ctx context.Context) error {
		if s := m.Eng.State(); !writing(s) || draftIn(s) != of {
			return nil // sending it meanwhile has saved it
		}
		return u.save(ctx, m.Eng, of)
	}))
}

// insert inserts a text that was not typed at the cursor, replacing the selection.
func (m *composeRoom) insert(text, what string) tea.Cmd {
	return m.change(func(area *editor.Editor) {
		if !area.Insert(text, what) {
			m.Notice = editor.TooLong
		}
	})
}

// change alters the draft other than by typing, and saves it at once.
func (m *composeRoom) change(alter func(*editor.Editor)) tea.Cmd {
	before := m.area.Version()
	alter(&m.area)
	if m.area.Version() == before {
		return nil
	}
	return tea.Batch(m.saveDraft(), m.compareDraft())
}

// first explains why there is no previous attempt, or is "".
func (m *composeRoom) first() string {
	if m.Previous() == nil {
		return "this is the first attempt"
	}
	return ""
}

// onClipboard puts what was cut or copied on the clipboard.
func (m *composeRoom) onClipboard(text string) tea.Cmd {
	if text == "" {
		m.Notice = m.Keyed("Nothing is selected: shift and the arrow keys select, or {ctrl+space} and then the arrow keys.")
		return nil
	}
	m.Notice = fmt.Sprintf(m.Keyed("The text (%s) was sent to the clipboard; {ctrl+v} also inserts it."), frame.Extent(text))
	return m.Opts.Copy(text)
}

// arrived lists what had arrived of answers that failed or were stopped, as far as the study shows it.
func (m *composeRoom) arrived() (list []session.Arrival) {
	a := m.State.Attempt()
	if a == nil {
		return nil
	}
	for _, got := range a.Arrived() {
		if m.State.Plan.HideThinking {
			got.Thinking = ""
		}
		if got.Text != "" || got.Thinking != "" {
			list = append(list, got)
		}
	}
	return list
}

// threePanes reports whether a text about the previous attempt stands beside the editor.
func (m *composeRoom) threePanes() bool {
	return m.Size.Width >= viewer.ThreeWidth && m.besideEditor() != aboveStatement
}

// besideEditor returns the text in the third column: the one chosen with tab, or the first that tab
// would choose.
func (m *composeRoom) besideEditor() above {
	if m.above != aboveStatement {
		return m.above
	}
	return m.nextAbove()
}

// nextAbove returns what tab shows next above the editor.
func (m *composeRoom) nextAbove() above {
	if m.Awaited() {
		if m.above == abovePrompt {
			return aboveStatement
		}
		return abovePrompt
	}
	before := m.Previous()
	for next := m.above + 1; next <= aboveDifference; next++ {
		if next == aboveArrived && len(m.arrived()) > 0 || next > aboveArrived && before != nil && (next != aboveTests || before.Verdict != nil) {
			return next
		}
	}
	return aboveStatement
}

// compareDraft computes the difference in the background.
func (m *composeRoom) compareDraft() tea.Cmd {
	c, before := m, m.Previous()
	if c.above != aboveDifference || before == nil || before.Sent == nil {
		return nil
	}
	old, draft := m.Text(before.Sent.Prompt), c.area.Value()
	return c.differ.Ask(draftVersion{c.of, c.area.Version()}, func(context.Context) []diff.Run { return diff.Words(old, draft) })
}

// insertion is a text that a list offers.
type insertion struct {
	n    int    // its number in the list, from 1
	what string // as the log names it
	name string
	text string
	ref  session.Ref // of the text, if text is empty
	why  string      // why there is nothing to insert
}

// draftOf identifies what the text in the editor is for.
type draftOf struct {
	task, attempt int
	answer        bool // a pasted answer, not a prompt
}

func (d draftOf) String() string {
	if d.answer {
		return fmt.Sprintf("task-%d-answer-%d", d.task+1, d.attempt)
	}
	return fmt.Sprintf("task-%d-prompt-%d", d.task+1, d.attempt)
}

// unsaved holds the changes of a draft that the log does not have yet, in order. The screen adds
// changes, the queue of intents saves them; a change that cannot be saved stays, with its origin.
type unsaved struct {
	mu      sync.Mutex
	saved   string // the draft in the log
	changes []editor.Change
}

// add appends changes, and reports whether the log lacks any.
func (u *unsaved) add(changes ...editor.Change) (any bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes = append(u.changes, changes...)
	return len(u.changes) > 0
}

// lost reports whether the log lacks the text in the editor. Changes that were undone are no
// loss.
func (u *unsaved) lost(text string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.changes) > 0 && u.saved != text
}

// save writes the changes to the log one by one: those of a prompt with their origin, those of a
// pasted answer without.
func (u *unsaved) save(ctx context.Context, eng *engine.Engine, of draftOf) error {
	for {
		u.mu.Lock()
		before, changes := u.saved, u.changes
		u.mu.Unlock()
		if len(changes) == 0 {
			return nil
		}
		var err error
		if c := changes[0]; of.answer {
			err = eng.Draft(ctx, session.WordsAnswer, c.Text)
		} else if c.What == "" {
			err = eng.Edit(ctx, c.Text)
		} else {
			err = eng.Insert(ctx, c.What, before, c.Text)
		}
		if err != nil {
			return err
		}
		u.mu.Lock()
		u.saved, u.changes = changes[0].Text, u.changes[1:]
		u.mu.Unlock()
	}
}

// writing reports whether the editor is open in a state: for a prompt, or for a pasted answer.
func writing(s *session.State) bool {
	return s.Phase == session.Read || s.Phase == session.Compose || s.Phase == session.Wait && s.Plan.Model.Provider == "paste"
}

// draftIn identifies what the text in the editor is for in a state.
func draftIn(s *session.State) draftOf {
	of := draftOf{task: s.Current, answer: s.Phase == session.Wait}
	if a := s.Attempt(); a != nil {
		of.attempt = a.N
	}
	return of
}

// savedDraft is the log's copy of what is being written.
func savedDraft(s *session.State) string {
	if s.Phase == session.Wait {
		return s.Words[session.WordsAnswer]
	}
	return s.Task().Draft()
}
