// Package pipeline runs a batch from its file: models are asked, their answers are judged
// and measured while others are still being written, and the results are ready for a
// report.
//
// Every stage keeps its outcomes in the directory of the run and skips what is there:
// generate its answers, batch the results of each model and prompt. Load reads the file
// (batch.example.toml beside this file is the committed example). What a report says is
// session/report/evaluations's; the caller is cmd/cli.
package pipeline
