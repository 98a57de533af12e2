// Package frame has what every screen is drawn with: themes, header and footer, tables of keys,
// lists of rows, texts that scroll, lines that are typed, and the messages by which a screen opens
// another. It knows no session and no task.
package frame
