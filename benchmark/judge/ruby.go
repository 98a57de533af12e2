package judge

import (
	_ "embed"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed ruby/sample.rb
var rubySample string

// rubySpec describes a process that answers calls of a Ruby method.
func rubySpec(t *toolchain, l benchmark.Limits) sandbox.Spec {
	return t.serverSpec(l, t.paths[0], "-e", rubySample)
}
