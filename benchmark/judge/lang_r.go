package judge

import "assay/benchmark"

var rLanguage = language{
	title: "R", programs: []string{"Rscript"}, versionFlag: "--version",
	install: "Debian, Ubuntu: apt-get install r-base-core; Fedora: dnf install R-core",
	binds:   []string{"/etc/R", "/etc/fonts"}, // part of R on Debian, and fonts for pictures
	file:    named("main.R"),
	script:  rEnding.script,
	check: func(t *toolchain, file string) []string {
		return []string{t.paths[0], "--vanilla", "-e", "invisible(parse('" + file + "'))"}
	},
	run: func(t *toolchain, file, _ string, _ benchmark.Limits) []string {
		return []string{t.paths[0], "--vanilla", file}
	},
	threads:   8,
	functions: true,
}
