package study

import (
	"assay/benchmark"
	"assay/session/study"
)

// Fixed is a frozen study with what its sessions need.
type Fixed struct {
	*study.Study
	Hash  string // of its lock
	All   *benchmark.Benchmark
	Code  string      // the join code of a packed study; else empty
	Model study.Model // finds the models of its arms
}
