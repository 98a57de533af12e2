package judge

import (
	"strings"

	"assay/benchmark"
)

const gccPackages = "Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++"

var cLanguage = language{
	title: "C", programs: []string{"gcc"}, version: "--version", install: gccPackages,
	file:    named("main.c"),
	script:  cEnding.script,
	compile: func(t *toolchain, _, source string) string { return native(t, "-std=gnu17", "*.c", source) },
	run:     runNative,
}

var cpp = language{
	title: "C++", programs: []string{"g++"}, version: "--version", install: gccPackages,
	file:    named("main.cpp"),
	script:  cppEnding.script,
	compile: func(t *toolchain, _, source string) string { return native(t, "-std=gnu++17", "*.cpp", source) },
	run:     runNative,

	functions: true,
	calls:     cppCaller,
}

// native compiles without warnings: a sample is judged by what it does.
func native(t *toolchain, standard, files, source string) string {
	libraries := " -lm"
	if strings.Contains(source, "<openssl/") {
		libraries += " -lcrypto"
	}
	return t.paths[0] + " " + standard + " -O1 -w -fmax-errors=5 -o out/main " + files + libraries
}

func runNative(*toolchain, string, string, benchmark.Limits) []string { return []string{"./main"} }
