// Package terminal runs a screen on the terminal of this process: signals, suspending, input that no
// paste can take over, the user's settings.
package terminal
