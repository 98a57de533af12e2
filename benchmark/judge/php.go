package judge

import (
	_ "embed"
	"strings"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed php/sample.php
var phpSample string

// phpSpec describes a process that answers calls of a PHP function.
func phpSpec(t *toolchain, l benchmark.Limits) sandbox.Spec {
	argv := append([]string{t.paths[0]}, strings.Fields(t.Options)...)
	return t.serverSpec(l, append(argv, "-r", strings.TrimPrefix(phpSample, "<?php\n"))...)
}
