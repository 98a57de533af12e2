package judge

import "assay/benchmark"

var bash = language{
	title: "Bash", programs: []string{"bash"}, versionFlag: "--version",
	install: "Debian, Ubuntu: apt-get install bash; Fedora: dnf install bash",
	file:    named("main.sh"),
	script:  bashEnding.script,
	check:   func(t *toolchain, file string) []string { return []string{t.paths[0], "-n", file} },
	run: func(t *toolchain, file, _ string, _ benchmark.Limits) []string {
		return []string{t.paths[0], "--norc", "--noprofile", file}
	},
}
