// Package prompts is the screen on which a person reviews prompts that a model wrote:
// the original and the candidate with their difference marked, what is doubtful about
// it, and a decision, which is in the file before the next prompt is shown. A second
// reviewer sees another's decision only after his own.
//
// It decides nothing itself: session/prompts keeps the file and says what decisions come
// to.
package prompts
