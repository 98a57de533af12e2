// Package work is a session on the screen: ready, compose, wait, review, rate,
// pause and summary. One Model serves one session/engine; which of its views is
// shown follows from the session's committed state, so that after a crash the
// tester is back where they were.
//
// Keys become intents of the engine, run in order by a queue off the update
// path. Answers are rendered in commands and kept by content and width.
//
// Views that change nothing are shared with tui/results: Past shows an attempt of any
// session in the tabs of the review, Result the outcome of a task, and Overview the
// numbers and figures of a session.
package work
