// Package modeljudge has models rate what people rate: the items or pairs of a file of ratings, in the raters' own
// words.
//
// [Run] asks each judge about every item, or about every pair in both orders, within a budget, and writes each answer
// into the file at once, so that a run that was stopped continues. What an answer says is read by [Read]; refusals
// and answers in another form are recorded as such. What the judgements are worth is computed by session/overlap.
// The caller is cmd/cli.
package modeljudge
