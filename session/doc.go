// Package session owns the multi-attempt process: what a tester does with a
// model on a series of tasks, as an append-only log of typed events and a pure
// state machine that folds them.
//
// An [Event] says what happened and when; [State] is what a log amounts to;
// the methods of State that return payloads decide what may happen next.
// Durations are a fold of their own ([Times]). The package does no I/O and
// reads no clock: times, ids and randomness are handed in, so that a replayed
// log gives exactly the state before.
//
// The background work of a live session is session/engine; keeping the log is
// package store; showing it is package tui.
package session
