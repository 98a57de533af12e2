// Package extract finds the code in a model's answer.
//
// It looks for fenced blocks, chooses among several by language and by the required function, and falls
// back to bare code or the transcript of an interactive Python session. It never changes the text of the
// code, except for removing the prompts of a transcript and the common indentation of an indented fence,
// which the result reports.
//
// The result records how the code was found, for testers and studies. Callers are session/engine and
// benchmark/batch.
package extract
