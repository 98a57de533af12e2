// Package pipeline runs a batch from its file: models are asked, their answers are judged and measured
// while others are still being generated, and the results are ready for a report.
//
// Every stage stores its results in the directory of the run and skips existing ones: generate its answers,
// batch the results of each model and prompt. Load reads the file (batch.example.toml in this folder is the
// example). Reports are in session/report/evaluations; the caller is cmd/cli.
package pipeline
