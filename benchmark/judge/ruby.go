package judge

import (
	_ "embed"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed ruby/sample.rb
var rubySample string

// rubySpec describes a process that answers calls of a Ruby method. The checker for Python compares its values.
func rubySpec(t *toolchain, l benchmark.Limits) sandbox.Spec {
	limits := sampleLimits(l)
	limits.AddressSpaceMB = 0
	limits.Processes += t.Threads
	return sandbox.Spec{Argv: []string{t.paths[0], "-e", rubySample}, Env: t.environment(), Binds: t.binds, Limits: limits}
}
