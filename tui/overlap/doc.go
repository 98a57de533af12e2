// Package overlap has the screens on which people rate what others were answered, and on
// which somebody settles where they disagree.
//
// [Rating] shows a rater the task, the prompts and the answer in the tabs of the review, and
// the form beside them or in their place. Nothing is preset; every digit is in the file at
// once. Neither the model is shown nor what anybody else thinks. [Adjudication] puts all
// scores and notes side by side once the ratings are closed, and takes the settled score
// with a reason. They decide nothing themselves: session/overlap keeps the file.
package overlap
