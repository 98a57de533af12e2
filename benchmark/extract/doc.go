// Package extract finds the code in a model's answer.
//
// It looks for fenced blocks, chooses among several by language and by the
// function that the task asks for, and falls back to answers that are bare code
// or the transcript of an interactive Python session. The text of the code is
// never altered, with one exception that the result names: the prompts of a
// transcript and the common indentation of an indented fence are removed.
//
// How the code was found is recorded, so that a tester can see it and a study
// can report it. Callers are session/engine and benchmark/batch.
package extract
