// Package terminal runs a screen on this process's terminal: signals, suspending, robust input, the user's
// settings.
package terminal
