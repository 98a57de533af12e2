package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Key handles a key and reports whether the editor uses it. The caller handles cut, copy and
// paste.
func (e *Editor) Key(msg tea.KeyPressMsg) (taken bool) {
	if msg.Text != "" && (msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0 || msg.Mod.Contains(tea.ModCtrl|tea.ModAlt)) {
		e.typeText(clean(msg.Text)) // some terminals report AltGr as ctrl and alt
		return true
	}
	press := msg.Keystroke()
	motion, extend := strings.CutPrefix(strings.Replace(press, "+shift", "", 1), "shift+")
	extend = extend || strings.Contains(press, "+shift")
	if to, ok := e.motion(motion); ok {
		e.move(to, motion, extend)
		return true
	}
	return e.editKey(press)
}

// editKey handles keys that change the text or the selection.
func (e *Editor) editKey(press string) bool {
	at := e.caret.at
	switch press {
	case "enter", "shift+enter", "ctrl+j", "ctrl+m":
		e.typeText("\n")
	case "tab":
		e.typeText("\t")
	case "backspace", "shift+backspace", "ctrl+h":
		e.erase(erasing, e.text.previous(at), at)
	case "delete", "shift+delete", "ctrl+d":
		e.erase(deleting, at, e.text.next(at))
	case "ctrl+w":
		e.kill(e.spaceLeft(at), at)
	case "alt+backspace", "ctrl+backspace":
		e.kill(e.wordLeft(at), at)
	case "alt+d", "ctrl+delete", "alt+delete":
		e.kill(at, e.wordRight(at))
	case "ctrl+u":
		from := pos{at.line, 0}
		if at == from {
			from = e.text.previous(at)
		}
		e.kill(from, at)
	case "ctrl+k":
		to := pos{at.line, len(e.text.lines[at.line].text)}
		if at == to {
			to = e.text.next(at)
		}
		e.kill(at, to)
	case "ctrl+y":
		if e.killed != "" {
			e.Insert(e.killed, "paste")
		}
	case "ctrl+v", "shift+insert":
		e.paste()
	case "ctrl+z", "ctrl+_", "ctrl+/", "super+z":
		e.undo()
	case "ctrl+r", "ctrl+shift+z", "shift+super+z":
		e.redo()
	case "ctrl+space", "ctrl+@":
		e.mark()
	case "f9", "super+a":
		e.selectAll()
	default:
		return false
	}
	return true
}

// typeText replaces the selection by typed text.
func (e *Editor) typeText(text string) {
	from, to := e.selection()
	k := typing
	if from != to || strings.Contains(text, "\n") {
		k = single
	}
	e.change(k, from, to, text, "")
	if k == single && from != to && text != "\n" {
		n := len(e.history.done) - 1 // further typing joins this step
		e.history.done[n].kind, e.history.open = typing, true
	}
}

// erase deletes the selection, or the text between from and to.
func (e *Editor) erase(k kind, from, to pos) {
	if a, b := e.selection(); a != b {
		k, from, to = single, a, b
	}
	if from == to {
		e.Deselect()
		return
	}
	e.change(k, from, to, "", "")
}

// kill deletes the selection, or the text between from and to, and keeps it for ctrl+y.
func (e *Editor) kill(from, to pos) {
	if a, b := e.selection(); a != b {
		from, to = a, b
	}
	if text := e.text.slice(from, to); text != "" {
		e.killed = strings.Clone(text)
	}
	e.erase(single, from, to)
}

// motion returns where a key moves the cursor.
func (e *Editor) motion(press string) (to pos, ok bool) {
	at := e.caret.at
	switch press {
	case "left", "ctrl+b":
		return e.text.previous(at), true
	case "right", "ctrl+f":
		return e.text.next(at), true
	case "up":
		return e.vertical(-1), true
	case "down", "ctrl+n":
		return e.vertical(1), true
	case "pgup":
		return e.vertical(-max(1, e.height-1)), true
	case "pgdown":
		return e.vertical(max(1, e.height-1)), true
	case "ctrl+left", "alt+left", "alt+b":
		return e.wordLeft(at), true
	case "ctrl+right", "alt+right", "alt+f":
		return e.wordRight(at), true
	case "home", "ctrl+a":
		return pos{at.line, 0}, true
	case "end", "ctrl+e":
		return pos{at.line, len(e.text.lines[at.line].text)}, true
	case "ctrl+home":
		return pos{}, true
	case "ctrl+end":
		return e.text.end(), true
	}
	return at, false
}

// move moves the cursor, and extends or ends the selection.
func (e *Editor) move(to pos, press string, extend bool) {
	e.history.open = false
	from, end := e.selection()
	switch {
	case extend && !e.caret.selecting:
		e.caret.anchor, e.caret.selecting = e.caret.at, true
	case !extend && !e.marked:
		if from != end && press == "left" {
			to = from
		} else if from != end && press == "right" {
			to = end
		}
		e.caret.selecting = false
	}
	goal, has := e.goal, e.hasGoal
	e.caret.at = to
	e.moved()
	if vertical(press) {
		e.goal, e.hasGoal = goal, has
	}
}

func vertical(press string) bool {
	switch press {
	case "up", "down", "ctrl+n", "pgup", "pgdown":
		return true
	}
	return false
}

// vertical returns the position that many rows below the cursor, in the column where vertical
// motion started. Up from the first row leads to the beginning, down from the last to the end.
func (e *Editor) vertical(rows int) pos {
	row, column := e.text.column(e.caret.at)
	if !e.hasGoal {
		e.goal, e.hasGoal = column, true
	}
	at, move, edge := place{e.caret.at.line, row}, e.down, e.text.end()
	if rows < 0 {
		move, rows, edge = e.up, -rows, pos{}
	}
	for i := range rows {
		next, ok := move(at)
		if !ok {
			if i == 0 {
				return edge
			}
			break
		}
		at = next
	}
	return e.text.at(at.line, at.row, e.goal)
}

// inWord reports whether a character is part of a word.
func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// notSpace reports whether a character is not white space.
func notSpace(r rune) bool { return !unicode.IsSpace(r) }

// wordLeft returns the beginning of the word before p.
func (e *Editor) wordLeft(p pos) pos { return e.leftOver(p, inWord) }

// spaceLeft returns the beginning of the run of non-space characters before p; at the beginning
// of a line, the end of the previous line.
func (e *Editor) spaceLeft(p pos) pos {
	if p.at == 0 {
		return e.text.previous(p)
	}
	line := e.text.lines[p.line].text[:p.at]
	if strings.TrimLeftFunc(line, unicode.IsSpace) == "" {
		return pos{p.line, 0}
	}
	return e.leftOver(p, notSpace)
}

// leftOver moves left over characters that do not satisfy is, then over those that do.
func (e *Editor) leftOver(p pos, is func(rune) bool) pos {
	for inside := false; ; {
		line := e.text.lines[p.line].text
		if p.at == 0 {
			if inside || p.line == 0 {
				return p
			}
			p = e.text.previous(p)
			continue
		}
		r, size := utf8.DecodeLastRuneInString(line[:p.at])
		if is(r) {
			inside = true
		} else if inside {
			break
		}
		p.at -= size
	}
	from, _ := e.text.around(p)
	return pos{p.line, from}
}

// wordRight returns the end of the word after p.
func (e *Editor) wordRight(p pos) pos {
	for inside := false; ; {
		line := e.text.lines[p.line].text
		if p.at == len(line) {
			if inside || p.line == len(e.text.lines)-1 {
				return p
			}
			p = pos{p.line + 1, 0}
			continue
		}
		r, size := utf8.DecodeRuneInString(line[p.at:])
		if inWord(r) {
			inside = true
		} else if inside {
			break
		}
		p.at += size
	}
	return e.text.snap(p)
}
