// Package session owns the multi-attempt process, in which a tester works on a series of tasks with a
// model: an append-only log of typed events, and a pure state machine that folds them.
//
// An [Event] records what happened and when; [State] is the fold of a log, and [State.Apply] decides which
// events it allows. Durations are a separate fold ([TimesOf]). The package does no I/O and reads no clock:
// times, ids and randomness are passed in, so replaying a log gives exactly the same state.
//
// Package session/engine does the background work of a live session, package store keeps the log, and
// package tui shows it.
package session
