// Package prompts is the screen on which a person reviews prompts that a model wrote: the
// original, the candidate with its changes marked, the doubts about it, and a decision, which is
// written before the next prompt is shown. Reviewers see others' decisions only after their own.
//
// session/prompts has the rules, keeps the file and combines decisions.
package prompts
