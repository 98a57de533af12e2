// Package automatic works through a session without a human. It drives the same engine, so its logs have
// the same events and fold to the same attempts and times. It owns what is sent (the first prompt and, by a
// named policy, the feedback after a failed attempt) and the reaction to model failures. Package session's
// rules decide when an answer is satisfactory; nothing is rated.
package automatic
