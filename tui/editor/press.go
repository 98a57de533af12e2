package editor

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Keys are the keys of the editor, for legends and settings: [Editor.Press] handles them. The
// usual keys for moving and deleting are not listed.
func Keys() []frame.Key {
	return []frame.Key{
		{Press: "ctrl+z ctrl+r", Does: "undo, redo", More: true},
		{Press: "ctrl+space", Does: "select, as shift+arrows do", More: true}, {Press: "f9", Does: "select all", More: true},
		{Press: "ctrl+x ctrl+g ctrl+v", Does: "cut, copy, paste", More: true},
	}
}

// Selecting is what may be said while text is selected, with assay's own keys in braces.
const Selecting = "Selecting: the arrow keys extend it, {ctrl+x} cuts, {ctrl+g} copies."

// Press hands a key to the editor. Clip is what was cut or copied, for the terminal's
// clipboard. Says is what there is to tell of the key, "" for nothing: mostly why it changed
// nothing; assay's own keys stand in braces.
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
				"ctrl+z": "There is no typing to take back.", "ctrl+r": "Nothing was taken back that could come again.",
				"ctrl+v": "Nothing was cut or copied here. The paste key of your terminal inserts what is on its clipboard.",
			}[press]
		}
		return "", says
	}
	if clip == "" {
		return "", "Nothing is selected: shift and the arrow keys select, or {ctrl+space} and then the arrow keys."
	}
	return clip, "The text (" + frame.Count(len(clip), "byte") + ") was sent to the clipboard; {ctrl+v} inserts it, too."
}
