package frame

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// NewLine returns a line that text is typed in, with at most so many characters; 0 for any number.
func NewLine(limit int) textinput.Model {
	line := textinput.New()
	line.Prompt, line.CharLimit = "", limit
	line.SetVirtualCursor(false)
	plain := textinput.StyleState{Placeholder: lipgloss.NewStyle().Faint(true), Suggestion: lipgloss.NewStyle().Faint(true)}
	line.SetStyles(textinput.Styles{Focused: plain, Blurred: plain}) // its own colours are for dark backgrounds
	line.KeyMap.Paste = key.NewBinding()                             // the terminal's own paste arrives as a message
	line.KeyMap.DeleteWordForward = key.NewBinding()                 // it panics before the last character
	return line
}

// Field draws a line behind a label in one row, with the cursor in row y of the body while
// text is typed in it.
func Field(label string, line *textinput.Model, typing bool, y, width int, theme Theme) (string, *tea.Cursor) {
	line.SetWidth(max(1, width-Width(label)-2))
	if !typing {
		return Cut(theme.Dim.Render(label)+line.View(), width), nil
	}
	cursor := line.Cursor()
	if cursor != nil {
		cursor.X, cursor.Y = cursor.X+Width(label), y
	}
	return Cut(theme.Accent.Render(label)+line.View(), width), cursor
}

// Cut returns a text in one row of at most width columns.
func Cut(text string, width int) string { return Fit(text, Size{Width: width, Height: 1})[0] }

// Notice returns a message in as few rows as it needs, and not more than most; none for no message.
func Notice(text string, style lipgloss.Style, width, most int) []string {
	if text == "" {
		return nil
	}
	rows := strings.Split(Wrap(Brief(text, width-2, most), width-2), "\n")
	rows = rows[:min(len(rows), most)]
	for i, row := range rows {
		rows[i] = " " + style.Render(row)
	}
	return rows
}

// Under returns a body of exactly the rows of size whose last rows are others; at least one row is
// kept for them.
func Under(body string, last []string, size Size) string {
	if len(last) == 0 {
		last = []string{""}
	}
	rows := Fit(body, Size{Width: size.Width, Height: size.Height - len(last)})
	return strings.Join(append(rows, last...), "\n")
}

// mostMessage is how much of a message is looked at, in bytes.
const mostMessage = 16 << 10

// leastPath is how short a path is made before its message is cut, in characters.
const leastPath = 16

// Brief makes a message with paths fit into rows of a width: it shortens them in their middle, where folders stand, and
// if that is not enough, puts the reason, what follows the last colon, before what was attempted.
func Brief(text string, width, most int) string {
	text = strings.ReplaceAll(Plain(text[:min(len(text), mostMessage)]), "\n", " ")
	fits := func(text string) bool { return strings.Count(Wrap(text, width), "\n") < most }
	paths := slices.ContainsFunc(strings.Split(text, " "), isPath)
	for longest := len(text); !fits(text) && longest >= leastPath; longest = longest * 3 / 4 {
		words := strings.Split(text, " ")
		for i, word := range words {
			words[i] = shortened(word, longest)
		}
		text = strings.Join(words, " ")
	}
	if fits(text) || !paths {
		return text
	}
	sign := ""
	for _, s := range []string{"✗ ", "✓ ", "! "} {
		if rest, is := strings.CutPrefix(text, s); is {
			sign, text = s, rest
		}
	}
	if at := strings.LastIndex(text, ": "); at >= 0 && at > len(text)/4 {
		text = text[at+2:] + ": " + text[:at]
	}
	return sign + text
}

// isPath reports whether a word may be the path of a file.
func isPath(word string) bool { return strings.Count(word, "/")+strings.Count(word, `\`) >= 2 }

// shortened cuts the middle out of a word that is a path and longer than so many characters.
func shortened(word string, longest int) string {
	letters := []rune(word)
	if len(letters) <= longest || !isPath(word) {
		return word
	}
	head := longest / 3
	return string(letters[:head]) + "…" + string(letters[len(letters)-(longest-head-1):])
}
