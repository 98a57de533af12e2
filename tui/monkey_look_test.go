package tui_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/tuitest"
)

// What the monkey holds against the state after each input. It only presses keys and reads
// the screen, as a tester would who does not believe the program.

// fileLinks are assay's own links, to files and with nothing else in them.
var fileLinks = regexp.MustCompile(`\x1b\]8;;(file:///[A-Za-z0-9/._~%$&+,:=@-]+)?\x07`)

// look checks what is drawn.
func (m *monkey) look() {
	drawn := m.App.View().Content
	m.shown = ansi.Strip(drawn)
	if strings.Contains(m.shown, "This screen has failed") {
		m.fail("a panic:\n%s", m.shown)
	}
	drawn = fileLinks.ReplaceAllString(drawn, "")
	for _, bad := range []string{"\x1b[2J", "\x1b]", "\x07", "\xff"} {
		if strings.Contains(drawn, bad) {
			m.fail("%q reaches the terminal", bad)
		}
	}
	m.fits()
	if m.size.TooSmall() {
		m.deaf()
		return
	}
	live := m.process.opened()
	if live == nil {
		return
	}
	m.claims()
	page := m.App.Page()
	if m.Quit || !slices.Contains(sessionScopes, page.Scope) || m.covers(m.shown) {
		return
	}
	m.counts()
	switch {
	case page.Scope == frame.ScopeCompose && m.r.IntN(16) == 0:
		m.statement()
	case page.Scope == frame.ScopeReview && m.r.IntN(4) == 0:
		m.answer()
	case page.Scope == frame.ScopeWaiting && page.Keys[0].Does == "stop" && live.Streamed("") != "":
		m.stream()
	}
}

// fits checks that the screen fills the terminal exactly.
func (m *monkey) fits() {
	rows := strings.Split(m.shown, "\n")
	if len(rows) != m.size.Height {
		m.fail("%d rows at %d×%d:\n%s", len(rows), m.size.Width, m.size.Height, m.shown)
	}
	for i, row := range rows {
		if frame.Width(row) > m.size.Width {
			m.fail("row %d is wider than %d×%d: %q", i+1, m.size.Width, m.size.Height, row)
		}
	}
}

// deaf checks that nothing is pressed by mistake where nothing is seen.
func (m *monkey) deaf() {
	key, err := frame.KeyNamed(oneOf(m.r, []string{"y", "enter", "3", "ctrl+s", "esc"}))
	if err != nil {
		m.fail("%v", err)
	}
	if strings.Contains(m.shown, "Leave assay?") {
		return
	}
	if _, cmd := m.App.Update(key); cmd != nil {
		m.fail("%v does something at %d×%d", key, m.size.Width, m.size.Height)
	}
}

// covered reports whether something lies over the page, or is about to take its place.
func (m *monkey) covered() bool {
	return m.covers(m.Screen()) || !m.App.Settled() || m.offers("no")
}

// covers reports whether the screen shows something that lies over the page.
func (m *monkey) covers(screen string) bool {
	return strings.Contains(screen, "Leave assay?") || strings.Contains(screen, listOfCommands)
}

// doubt fails, unless the program is about to end: it takes no keys any more then.
func (m *monkey) doubt(format string, args ...any) {
	m.T.Helper()
	screen := m.Screen()
	if !m.wait(time.Second, func() bool { return m.Quit }) {
		m.fail(format+"\nThe screen was\n%s", append(args, screen)...)
	}
}

// statement checks that the statement above the editor can be read from its first line to
// its last, and that the position is that of what is shown.
func (m *monkey) statement() {
	live := m.process.opened()
	task := live.State().Task()
	if m.covered() || !m.offers("send") || !m.composing() || task == nil {
		return
	}
	m.did["statements read"]++
	m.note("read the statement")
	var want []string
	if strings.Contains(live.Task(live.State().Current).Description, "statement-line-") {
		want = []string{"statement-line-01.", "statement-line-02.", "statement-line-29.", "statement-line-30."}
	}
	want = append(want, task.Title)
	for range 5 { // what else stands above the editor
		m.wait(tuitest.Patience, m.App.Settled)
		for at := ""; at != m.above(); {
			at = m.above()
			m.Press("f4")
		}
		if first, last, rows, scrolls := m.position(); scrolls && (first != 1 || last-first+1 != strings.Count(m.above(), "\n")) {
			m.doubt("at the top it is said to show %d-%d of %d, and there are %d rows", first, last, rows, strings.Count(m.above(), "\n"))
		}
		read := ""
		for at := ""; at != m.above(); {
			at = m.above()
			read += at
			m.Press("f5")
			m.wait(tuitest.Patience, m.App.Settled)
		}
		if _, last, rows, scrolls := m.position(); scrolls && last != rows {
			m.doubt("at the end it is said to show up to %d of %d", last, rows)
		}
		if !slices.ContainsFunc(want, func(line string) bool { return !strings.Contains(read, line) }) {
			return
		}
		m.Press("tab")
	}
	m.doubt("the statement %q cannot be read to its end", want)
}

// above is what stands above the editor, or at its left, with the position.
func (m *monkey) above() string {
	var b strings.Builder
	for y, row := range strings.Split(m.Screen(), "\n")[frame.BodyTop:] {
		if m.size.Wide() && y == 0 { // the titles of the columns
			continue
		}
		if m.size.Wide() {
			row, _, _ = strings.Cut(row, "│")
			if strings.HasPrefix(row, "──") {
				break
			}
		} else if strings.HasPrefix(row, "── your ") {
			break
		}
		b.WriteString(row + "\n")
		if strings.Contains(row, " down, f4 up") {
			return strings.TrimSuffix(b.String(), "\n")
		}
	}
	return b.String()
}

var positions = regexp.MustCompile(`(\d+)-(\d+) of (\d+) · f5 down, f4 up`)

// position is what is said to be shown of what stands above the editor.
func (m *monkey) position() (first, last, rows int, scrolls bool) {
	found := positions.FindString(m.Screen())
	if found == "" {
		return 0, 0, 0, false
	}
	_, err := fmt.Sscanf(found, "%d-%d of %d", &first, &last, &rows)
	return first, last, rows, err == nil
}

// composing reports whether the editor of a prompt is on the screen.
func (m *monkey) composing() bool {
	return strings.Contains(m.Screen(), "── your prompt") || strings.Contains(m.Screen(), "── your next ")
}

// word is what a model's answer is recognised by.
var word = regexp.MustCompile(`[\p{L}\d]{3,20}`)

// answer checks that an answer that is reviewed is on the screen.
func (m *monkey) answer() {
	live := m.process.opened()
	a := live.State().Attempt()
	if m.covered() || !m.offers("satisfied") || a == nil || a.Answer == nil || strings.Contains(m.shown, " find: ") {
		return
	}
	text, err := live.Text(a.Answer.Answer)
	if err != nil {
		m.fail("the answer cannot be read: %v", err)
	}
	m.did["answers read"]++
	m.note("read the answer")
	m.Press("1")
	if m.offers("full screen") || !m.wait(tuitest.Patience, m.App.Settled) {
		return
	}
	if !strings.ContainsFunc(m.answerText(), seen) {
		m.doubt("the page of the answer %q is empty", text[:min(len(text), 80)])
	}
	m.Press("home")
	if words := word.FindAllString(frame.Plain(text), -1); len(words) > 0 && len(text) < 2000 {
		shown := m.answerText()
		if !slices.ContainsFunc(append(words, "Nothing of this answer can be shown"), func(w string) bool { return strings.Contains(shown, w) }) {
			m.doubt("nothing of the answer %q is shown", text[:min(len(text), 80)])
		}
	}
}

func seen(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }

// stream checks that an answer is on the screen while it arrives.
func (m *monkey) stream() {
	m.did["streams read"]++
	if text := m.process.opened().Streamed(""); word.MatchString(text) && !strings.ContainsFunc(m.answerText(), seen) {
		m.doubt("nothing is shown of %q, which has arrived", text[:min(len(text), 80)])
	}
}

// answerText is what is in the column of the answer, below the tabs.
func (m *monkey) answerText() string {
	rows := strings.Split(m.Screen(), "\n")
	rows = rows[frame.BodyTop+2 : len(rows)-2]
	for i, row := range rows {
		if m.size.Width >= 160 {
			_, row, _ = strings.Cut(row, "│")
		}
		if last := strings.LastIndex(row, "│"); last >= 0 && m.size.Wide() {
			row = row[:last]
		}
		rows[i] = row
	}
	return strings.Join(rows, "\n")
}

// text is what stands in the editor.
type text struct {
	value  string
	answer bool // a pasted answer, not a prompt
}

// written reads what stands in the editor, by copying all of it.
func (m *monkey) written() (kept text, ok bool) {
	if m.size.TooSmall() || m.Quit || m.process.opened() == nil || m.covered() {
		return text{}, false
	}
	switch kept.answer = m.offers("hand in"); {
	case kept.answer && strings.Contains(m.Screen(), "── the answer"), m.offers("send") && m.composing():
	default:
		return text{}, false
	}
	p := m.process
	p.copied = ""
	m.Press("f9", "ctrl+g")
	if kept.value = p.copied; kept.value != "" {
		m.Press("esc") // nothing is selected any more
	}
	return kept, true
}

// log is a session as its log has it at this moment.
func (m *monkey) log(id string) *session.State {
	s, err := session.Replay(m.events(id))
	if err != nil {
		m.fail("the log does not replay: %v", err)
	}
	return s
}

// compare checks that the log has what stands in the editor.
func (m *monkey) compare(kept text, log *session.State, claim string) {
	has := log.Words[session.WordsAnswer]
	if !kept.answer {
		if has = ""; log.Task() != nil {
			has = log.Task().Draft()
		}
	}
	if a := log.Attempt(); kept.answer && a != nil && a.Answer != nil {
		return // it was handed in a moment ago, and the screen has yet to follow
	}
	m.did["claims checked"]++
	if has != kept.value {
		m.doubt("%s, and the log has %q of %q", claim, has, kept.value)
	}
}

// sessionScopes are those of pages on which a session is worked on.
var sessionScopes = []frame.Scope{frame.ScopeCompose, frame.ScopeWaiting, frame.ScopeReview, frame.ScopeRating, frame.ScopeBetween}

// claims checks what the screen says to be saved, or not to be.
func (m *monkey) claims() {
	screen, live := m.shown, m.process.opened()
	saved, lost := strings.Contains(screen, "Everything is saved"), strings.Contains(screen, "Not saved: your prompt")
	if !saved && !lost || !slices.Contains(sessionScopes, m.App.Page().Scope) {
		return
	}
	m.note("claim")
	id := live.State().Session
	log := m.log(id)
	switch {
	case strings.Contains(screen, "Leave assay?"):
		m.Press("esc")
	case lost || live.BreakLeft() > 0 || m.covered():
		return
	default:
		m.Press("enter")
		m.wait(time.Second, func() bool { return m.Quit || live.State().Paused == "" && m.App.Settled() })
	}
	if kept, ok := m.written(); ok && lost && m.world.full {
		if again := m.log(id); again.Seq == log.Seq && again.Task() != nil && again.Task().Draft() == kept.value {
			m.doubt("what is saved is said not to be: %q", kept.value)
		}
	} else if ok && saved {
		m.compare(kept, log, "everything is said to be saved:\n"+screen)
	}
	if saved {
		m.words(log, screen)
		m.ratings(log, screen)
	}
}

// words checks that the log has the words of a question that is being answered.
func (m *monkey) words(log *session.State, claim string) {
	page := m.App.Page()
	if page.Cursor == nil || !m.offers("no") {
		return
	}
	rows := strings.Split(m.Screen(), "\n")
	line := strings.TrimSpace(rows[len(rows)-3])
	for _, r := range line {
		if r > 126 {
			return // it may stand in another order than it was typed
		}
	}
	known := []string{log.Words[session.WordsNote], log.Words[session.WordsFlag], log.Words[session.WordsReason], log.Words[session.WordsMerge]}
	if t := log.Task(); t != nil {
		known = append(known, t.Note)
		if t.Merge != nil {
			known = append(known, t.Merge.Text)
		}
	}
	m.did["words checked"]++
	if !slices.ContainsFunc(known, func(k string) bool { return strings.Contains(k, line) }) {
		m.doubt("everything is said to be saved, and the log has %q of %q:\n%s", known, line, claim)
	}
}

// chosen is a score or a label that is set in the form.
var chosen = regexp.MustCompile(`\[\S( [^\]]+)?\]`)

// ratings checks that the log has what is filled in in the form.
func (m *monkey) ratings(log *session.State, claim string) {
	page := m.App.Page()
	if page.Scope != frame.ScopeRating || page.Seen != "" || !m.offers("commit") || m.covered() || m.size.Wide() || log.Task() == nil {
		return
	}
	t := log.Task()
	has := len(t.Ratings) + len(t.Labels)
	if t.Checked > 0 {
		has++
	}
	if strings.Contains(page.Body, "Would you merge this?") {
		if has = 0; t.Merge != nil {
			has = len(t.Merge.Reasons)
			if t.Merge.Answer != "" {
				has++
			}
		}
	}
	form, _, _ := strings.Cut(ansi.Strip(page.Body), "note: ")
	for _, l := range log.Plan.LabelsFor(t.Decided(log.Plan.K)) {
		if t.Labels[l.ID] != "" && !strings.Contains(form, ansi.Truncate(l.Name, 12, "")) {
			return // a notice lies over the end of the form
		}
	}
	m.did["forms checked"]++
	if shown := len(chosen.FindAllString(form, -1)); shown != has {
		m.doubt("everything is said to be saved, and the log has %d ratings of %d:\n%s", has, shown, claim)
	}
}

// counts checks that the tasks are counted as the log counts them.
func (m *monkey) counts() {
	head, _, _ := strings.Cut(m.shown, "\n")
	live, want := m.process.opened(), ""
	if !m.wait(tuitest.Patience, func() bool {
		want = live.State().Progress().Place()
		if !strings.Contains(head, want) && slices.Contains(sessionScopes, m.App.Page().Scope) {
			head, _, _ = strings.Cut(m.Screen(), "\n")
			return false
		}
		return true
	}) {
		m.fail("the screen counts %q, and the session %q", head, want)
	}
}
