package results

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// search is a line of words that a row has to have, or, with a hyphen before them, must
// not have.
type search struct {
	line   textinput.Model
	typing bool
}

func newSearch() search {
	line := textinput.New()
	line.Prompt = ""
	line.CharLimit = 200
	line.SetVirtualCursor(false)
	return search{line: line}
}

func (s *search) words() string { return strings.TrimSpace(s.line.Value()) }

func (s *search) begin() tea.Cmd {
	s.typing = true
	return s.line.Focus()
}

func (s *search) clear() { s.line.SetValue("") }

// update takes a key or a paste while the line is typed.
func (s *search) update(msg tea.Msg) tea.Cmd {
	if !s.typing {
		return nil
	}
	if key, is := msg.(tea.KeyPressMsg); is {
		switch key.String() {
		case "enter", "down", "esc":
			if key.String() == "esc" {
				s.clear()
			}
			s.typing = false
			s.line.Blur()
			return nil
		}
	}
	var cmd tea.Cmd
	s.line, cmd = s.line.Update(msg)
	return cmd
}

// finds reports whether the texts of a row fit the words, in any case of letters.
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

// view draws the line, or empty where nothing is searched for.
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

func searchKeys() []frame.Key {
	return []frame.Key{{Press: "enter", Does: "done"}, {Press: "esc", Does: "everything again"}, frame.HelpKeyTyping}
}
