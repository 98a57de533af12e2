package judge

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark/verdicts"
	"assay/data/language"
)

// A script must prove that it reached the end of its tests: exit status 0 alone is also that of a
// program that exits before them. A random word, new for each run, is in a pipe, as descriptor 7, where it can be read once.
// Code appended to the tests copies it to descriptor 8; in R, it is read before the program runs.
//
// This defeats programs that exit early, and those that catch failures. A program written against
// assay can copy the word itself, since it shares the process with its tests, so such verdicts
// are still labelled "in_process".

// newWord returns 26 random characters and a line break, which shells need to read it.
func newWord() string { return rand.Text() + "\n" }

// notAtTheEnd is the failure of a script that did not prove its end.
var notAtTheEnd = callFailure{verdicts.Status(verdicts.RuntimeError), "the program ended before its tests did"}

// goScript adds the main function that `go test` would generate to tests without one. The
// program's own main is then not called.
func goScript(program, tests string) (string, map[string]string) {
	runner := ""
	if !goMain.MatchString(tests) && (goTest.MatchString(tests) || !goMain.MatchString(program)) {
		program = goMain.ReplaceAllString(program, "func _()")
		runner = goTestMain(tests)
	}
	source, files := language.Find("go").End.Script(program, tests)
	if runner != "" {
		files["assay_main.go"] = runner
	}
	return goImported(source), files
}

// A program could replace what its tests assert with. Where the language allows it, the tests use the language's own:
// patterns in the table of languages rename it in the tests, and these scripts keep it.

// nodeHead matches what must stay first in a program in JavaScript or TypeScript: directives, and comments for compilers.
var nodeHead = regexp.MustCompile(`\A(?:#!.*\n)?(?:\s|//.*\n|(?s:/\*.*?\*/)|(?:"[^"\n]*"|'[^'\n]*')[ \t]*(?:;|\n))*`)

// nodeScript joins a program in JavaScript or TypeScript with its tests, which get the modules of assertions unchanged.
func nodeScript(name string) func(program, tests string) (string, map[string]string) {
	const keep = "const assayRequire = (own => { const kept = { 'assert': Object.freeze(own('assert')), 'assert/strict': Object.freeze(own('assert').strict) }; return name => kept[name]; })(require); "
	return func(program, tests string) (string, map[string]string) {
		at := len(nodeHead.FindString(program))
		return language.Find(name).End.Script(program[:at]+keep+program[at:], tests)
	}
}

// nativeAsserts stands between a program in C or C++ and its tests: no macro of the program changes what their words do.
const nativeAsserts = `
#undef NDEBUG
#undef __assert_fail
#undef if
#undef else
#undef for
#undef while
#undef do
#undef return
#undef main
#undef abort
#ifdef assert
#undef assert
#define assert(...) ((__VA_ARGS__) ? (void)0 : ({ void assay_failed(const char *, int, const char *); assay_failed; })(__FILE__, __LINE__, #__VA_ARGS__))
#endif
`

// nativeScript joins a program in C or C++ with its tests.
func nativeScript(name string) func(program, tests string) (string, map[string]string) {
	return func(program, tests string) (string, map[string]string) {
		line := strings.Count(program, "\n") + 1 // what follows keeps the numbers of its lines
		return language.Find(name).End.Script(fmt.Sprintf("%s%s#line %d\n", program, nativeAsserts, line), tests)
	}
}

// rustScript joins a program in Rust with its tests. What the program forbids, such as unsafe code, is only denied to
// it: the end of the tests reads a descriptor.
func rustScript(program, tests string) (string, map[string]string) {
	return language.Find("rust").End.Script(unforbidden(program), tests)
}

func unforbidden(program string) string { return strings.ReplaceAll(program, "#![forbid(", "#![deny(") }
