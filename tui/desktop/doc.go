// Package desktop finds programs around the terminal: those that have the clipboard, and one
// that opens files. They are looked up once, in the environment, and started only when the
// tester asks.
package desktop
