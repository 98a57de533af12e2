// Package frame is what every screen is drawn with: the theme, the header and
// footer lines, the keys a screen offers, and the messages by which a screen
// asks for another. It knows no session and no task.
package frame
