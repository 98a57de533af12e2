// Package engine is the background of a live session: it asks the model, streams its answer, extracts and
// judges the code, records heartbeats, and writes every event to the store before it becomes visible.
//
// An Engine serves one session. Its methods are the intents of a tester; each appends events and returns
// once they are committed. A screen watches Changes, reads State and Text, and never waits for anything
// else. Which events are allowed is decided by session.State, not here.
package engine
