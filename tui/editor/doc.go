// Package editor is a text area: the prompt editor of a session, and the one into which an answer
// is pasted. It owns the text, its wrapping, the cursor, the selection, undo and redo, and
// reports which parts of the text were typed and which were inserted. It knows nothing of
// sessions, saves nothing, and does not read the clipboard.
//
// The text is a list of lines of clean UTF-8 (see Clean). A position is a line and a byte
// in it, always between two characters as a reader sees them (grapheme clusters). Lines
// are wrapped when they are drawn, and an edit rewraps only the rows around it, so that
// drawing and typing cost the same in a prompt of a line and of a megabyte.
package editor
