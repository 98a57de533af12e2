// Package overlap has the screens on which several people rate the same answers, and on which one
// of them settles disagreements.
//
// [Rating] shows a rater the task, the prompts and the answer in the tabs of the review, and the
// form beside or instead of them. Nothing is preset; every digit is written to the file at once.
// It hides the model and others' ratings. [Adjudication] shows all scores and notes side by side
// after the ratings are closed, and records the settled score with a reason. session/overlap has
// the rules and keeps the file.
package overlap
