// Package automatic works through a session in the place of a human: it drives the same
// engine, so that its logs have the same events and are folded to the same attempts and
// times. It owns what is sent (the first prompt and, by a named policy, the feedback
// after an attempt that failed) and what is done when the model fails. When an answer
// satisfies is decided by the rules of package session; nothing is rated.
package automatic
