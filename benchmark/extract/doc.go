// Package extract finds the code in a model's answer.
//
// An answer consists of thinking, prose and blocks, and of tokens of the model's own markup. The blocks, fenced,
// wrapped in tags or bare, are candidates. The one is taken that defines the function that the task requires, parses
// and is complete; among equals the last. Its text is never changed, except that the prompts of a transcript, the
// common indentation of an indented fence and Windows line ends are removed.
//
// The result has every candidate with the reason for the choice, for testers and studies. Callers are session/engine
// and benchmark/batch.
package extract
