package judge

import (
	_ "embed"
	"strconv"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed javascript/sample.js
var javascriptSample string

// javascriptSpec describes a process that answers calls of a JavaScript function.
func javascriptSpec(t *toolchain, l benchmark.Limits) sandbox.Spec {
	return t.serverSpec(l, t.paths[0], "--max-old-space-size="+strconv.Itoa(2*l.MemoryMB), "-e", javascriptSample)
}
