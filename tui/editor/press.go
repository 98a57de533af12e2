package editor

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Keys returns the keys of the editor, for legends and settings: [Editor.Press] handles them. The
// usual keys for moving and deleting are not listed.
func Keys() []frame.Key {
	return []frame.Key{
		{Press: "ctrl+z ctrl+r", Does: "undo, redo", More: true},
		{Press: "ctrl+space", Does: "select, as shift+arrows do", More: true}, {Press: "f9", Does: "select all", More: true},
		{Press: "ctrl+x ctrl+g ctrl+v", Does: "cut, copy, paste", More: true},
	}
}

// Selecting is a hint while text is selected, with assay's own keys in braces.
const Selecting = "Selecting: the arrow keys extend it, {ctrl+x} cuts, {ctrl+g} copies."

// Press passes a key to the editor. clip is the text that was cut or copied, for the terminal's
// clipboard. says is a message about the key, mostly why it changed nothing, or ""; assay's own
// keys are in braces.
func (e *Editor) Press(msg tea.KeyPressMsg) (clip, says string) {
	press, before := msg.Keystroke(), e.Version()
	switch press {
	case "ctrl+x":
		clip = e.Cut()
	case "ctrl+g", "ctrl+insert":
		clip = e.Copy()
	default:
		if e.Key(msg); e.Version() == before {
			says = map[string]string{
				"ctrl+z": "There is nothing to undo.", "ctrl+r": "There is nothing to redo.",
				"ctrl+v": "Nothing was cut or copied here. Your terminal's paste key inserts its clipboard.",
			}[press]
			if press == "ctrl+v" && e.clip != "" {
				says = TooLong
			}
		}
		return "", says
	}
	if clip == "" {
		return "", "Nothing is selected: shift with the arrow keys selects, or {ctrl+space}, then the arrow keys."
	}
	return clip, "The text (" + frame.Extent(clip) + ") was sent to the clipboard; {ctrl+v} also inserts it."
}
