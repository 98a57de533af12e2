// Package prompts is the screen on which a person reviews prompts that a model wrote: the
// original, the candidate with its changes marked, the doubts about it, and a decision,
// which is in the file before the next prompt is shown. Reviewers see the decisions of
// others only after their own.
//
// The rules are not here: session/prompts keeps the file and combines decisions.
package prompts
