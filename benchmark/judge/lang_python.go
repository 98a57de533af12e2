package judge

import "assay/benchmark"

// python runs whole programs; functions are in python.go.
var python = language{
	title: "Python", install: "Debian, Ubuntu: apt-get install python3; Fedora: dnf install python3",
	file:   named("main.py"),
	script: pythonEnding.script,
	check: func(t *toolchain, file string) []string {
		return []string{t.paths[0], "-I", "-S", "-c", "import sys; compile(open(sys.argv[1], encoding='utf-8').read(), 'main.py', 'exec')", file}
	},
	run: func(t *toolchain, file, _ string, _ benchmark.Limits) []string {
		return []string{t.paths[0], "-s", "-S", "-B", file}
	},
}
