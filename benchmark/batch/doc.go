// Package batch evaluates recorded or generated samples without people: it judges every sample of
// a file against its task and summarizes the verdicts.
//
// Results are written to a file as they arrive, so that an interrupted evaluation continues where
// it stopped. Samples are read one by one and never all held in memory. It opens no store. The
// verdicts are benchmark/judge's, the metrics scoring's; the callers are cmd/cli/eval and
// session/pipeline.
package batch
