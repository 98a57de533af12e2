package judge

import (
	_ "embed"
	"strings"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed php/sample.php
var phpSample string

// phpSpec describes a process that answers calls of a PHP function. The checker for Python compares its values.
func phpSpec(t *toolchain, l benchmark.Limits) sandbox.Spec {
	limits := sampleLimits(l)
	limits.AddressSpaceMB = 0
	options := append([]string{t.paths[0]}, strings.Fields(t.Options)...)
	return sandbox.Spec{
		Argv: append(options, "-r", strings.TrimPrefix(phpSample, "<?php\n")),
		Env:  t.environment(), Binds: t.binds, Limits: limits,
	}
}
