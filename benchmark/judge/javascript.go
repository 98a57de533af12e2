package judge

import (
	_ "embed"
	"strconv"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed javascript/sample.js
var javascriptSample string

// javascriptSpec describes a process that answers calls of a JavaScript function. The checker for
// Python compares its values.
func javascriptSpec(t *toolchain, l benchmark.Limits) sandbox.Spec {
	limits := sampleLimits(l)
	limits.AddressSpaceMB = 0
	limits.Processes += t.Threads
	return sandbox.Spec{
		Argv:   []string{t.paths[0], "--max-old-space-size=" + strconv.Itoa(2*l.MemoryMB), "-e", javascriptSample},
		Env:    []string{"PATH=/usr/bin:/bin", "HOME=/tmp/work", "TMPDIR=/tmp", "LANG=C.UTF-8"},
		Binds:  t.binds,
		Limits: limits,
	}
}
