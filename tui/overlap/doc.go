// Package overlap has the screens on which several people rate the same answers, and on which
// one of them settles disagreements.
//
// [Rating] shows a rater the task, the prompts and the answer in the tabs of the review, and
// the form beside them or in their place. Nothing is preset; every digit is in the file at
// once. It hides the model and the ratings of others. [Adjudication] shows all scores and notes
// side by side once the ratings are closed, and records the settled score with a reason. The
// rules are not here: session/overlap keeps the file.
package overlap
