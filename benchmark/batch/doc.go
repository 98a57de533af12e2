// Package batch evaluates recorded or generated samples without a human: it
// judges every sample of a file against its task and sums the verdicts up.
//
// Results are written to a file as they come, so that an interrupted
// evaluation goes on where it stopped. Samples are read one by one and never
// all held in memory. It opens no store. The verdicts are benchmark/judge's,
// the metrics scoring's; the caller is cmd/cli.
package batch
