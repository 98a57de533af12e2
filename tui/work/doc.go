// Package work is a session on the screen: ready, compose, wait, review, rate,
// pause and summary. One Model serves one session/engine; which of its views is
// shown follows from the session's committed state, so that after a crash the
// tester is back where they were.
//
// Keys become intents of the engine, run in order by a queue off the update path.
package work
