package judge

import (
	"strconv"

	"assay/benchmark"
)

var javascript = language{
	title: "JavaScript", programs: []string{"node"}, version: "--version",
	install: "Debian, Ubuntu: apt-get install nodejs; Fedora: dnf install nodejs",
	file:    named("main.js"),
	script:  javascriptEnding.script,
	check:   func(t *toolchain, file string) []string { return []string{t.paths[0], "--check", file} },
	run: func(t *toolchain, file, _ string, l benchmark.Limits) []string {
		// The heap may outgrow the limit, so that the limit is what it meets.
		return []string{t.paths[0], "--max-old-space-size=" + strconv.Itoa(2*l.MemoryMB), "--stack-size=4000", file}
	},
	threads:   12,
	functions: true,
}
