// Package engine is the background of a live session: it asks the model,
// streams its answer, extracts and judges the code, keeps the heartbeat, and
// writes every event to the store before anybody sees it.
//
// One Engine serves one session. Its methods are the intents of a tester;
// each appends events and returns once they are committed. The screen watches
// Changes, reads State and Text, and never waits for anything else. The rules
// of what may happen when are session.State's, not this package's.
package engine
