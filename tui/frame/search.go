package frame

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// Search is the line over a list in which a person types words that its rows must match.
type Search struct {
	Label   string // in front of the line, as " find "
	Changed func() // lists the rows that match, when the words have changed
	Done    func() // is called when typing ends

	line   textinput.Model
	typing bool
}

// NewSearch makes a search without words.
func NewSearch(label string, changed, done func()) Search {
	return Search{Label: label, Changed: changed, Done: done, line: NewLine(200)}
}

// Words returns what is typed.
func (s *Search) Words() string { return strings.TrimSpace(s.line.Value()) }

// Typing reports whether the line is being typed.
func (s *Search) Typing() bool { return s.typing }

// Begin begins typing.
func (s *Search) Begin() tea.Cmd {
	s.typing = true
	return s.line.Focus()
}

// Clear removes the words.
func (s *Search) Clear() {
	s.line.SetValue("")
	s.Changed()
}

// Update passes a key or a paste to the line while it is typed.
func (s *Search) Update(msg tea.Msg) (cmd tea.Cmd) {
	if s.typing {
		s.line, cmd = s.line.Update(msg)
		s.Changed()
	}
	return cmd
}

// Finds reports whether the texts of a row contain each word or, after a hyphen, do not contain it, ignoring case.
func (s *Search) Finds(texts ...string) bool {
	row := strings.ToLower(strings.Join(texts, "\n"))
	for _, word := range strings.Fields(strings.ToLower(s.line.Value())) {
		unwanted, not := strings.CutPrefix(word, "-")
		if not && unwanted == "" {
			continue // it is being typed
		}
		if not == strings.Contains(row, strings.TrimPrefix(word, "-")) {
			return false
		}
	}
	return true
}

// View draws the line, or empty if there are no words.
func (s *Search) View(width int, empty string, theme Theme) (string, *tea.Cursor) {
	if !s.typing && s.Words() == "" {
		return Cut(theme.Dim.Render(s.Label)+empty, width), nil
	}
	return Field(s.Label, &s.line, s.typing, 0, width, theme)
}

// Keys lists the keys while the line is typed, of which one clears it.
func (s *Search) Keys(clears string) []Key {
	end := Only(func() {
		s.typing = false
		s.line.Blur()
		s.Done()
	})
	return []Key{
		{Press: "enter", Also: "↓", Does: "done", Do: end}, {Press: "esc", Does: clears, Do: func() tea.Cmd {
			s.Clear()
			return end()
		}}, HelpKey,
	}
}

// Back returns the action of the key that leaves a list: it first clears the search, then leaves.
func (s *Search) Back(leave func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if s.Words() == "" {
			return leave()
		}
		s.Clear()
		return nil
	}
}
