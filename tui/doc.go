// Package tui is the terminal program: the root model that owns the stack of
// screens, routes messages to the one on top, and draws it in its frame.
//
// tui/frame has what every screen is drawn with; tui/home, tui/setup, tui/tasks, tui/work and
// tui/results are among the screens. A screen turns keys into intents, runs them in commands, and
// draws what the engine has committed. Nothing here reads the store, runs code or talks to a
// model: these are handed in, as home.Library and session/engine.
package tui
