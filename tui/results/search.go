package results

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// search is a line of words that a row must contain or, after a hyphen, must not contain.
type search struct {
	line   textinput.Model
	typing bool
}

func newSearch() search { return search{line: frame.NewLine(200)} }

func (s *search) words() string { return strings.TrimSpace(s.line.Value()) }

func (s *search) begin() tea.Cmd {
	s.typing = true
	return s.line.Focus()
}

func (s *search) clear() { s.line.SetValue("") }

// update passes a key or a paste to the line while it is typed.
func (s *search) update(msg tea.Msg) (cmd tea.Cmd) {
	if s.typing {
		s.line, cmd = s.line.Update(msg)
	}
	return cmd
}

// finds reports whether the texts of a row match the words, ignoring case.
func (s *search) finds(texts ...string) bool {
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

// view draws the line, or empty if there are no words.
func (s *search) view(width int, empty string, theme frame.Theme) (string, *tea.Cursor) {
	const label = " find "
	s.line.SetWidth(max(1, width-len(label)-2))
	text, cursor, style := s.line.View(), s.line.Cursor(), theme.Accent
	if !s.typing {
		style, cursor = theme.Dim, nil
		if s.words() == "" {
			text = theme.Dim.Render(empty)
		}
	}
	if cursor != nil {
		cursor.X += len(label)
	}
	return frame.Fit(style.Render(label)+text, frame.Size{Width: width, Height: 1})[0], cursor
}

// keys lists the keys while the line is typed; list is called when its words have changed.
func (s *search) keys(list func()) []frame.Key {
	end := frame.Only(func() {
		s.typing = false
		s.line.Blur()
	})
	return []frame.Key{
		{Press: "enter", Also: "↓", Does: "done", Do: end}, {Press: "esc", Does: "everything again", Do: func() tea.Cmd {
			s.clear()
			list()
			return end()
		}}, frame.HelpKeyTyping,
	}
}

// back returns the action of the key that leaves a list: it first clears the search, then leaves.
func (s *search) back(list func(), leave func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if s.words() == "" {
			return leave()
		}
		s.clear()
		list()
		return nil
	}
}
