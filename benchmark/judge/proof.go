package judge

import (
	"crypto/rand"
	"embed"
	"regexp"
)

// A script must prove that it reached the end of its tests: exit status 0 alone is also that of a
// program that exits before them. A random word, new for each run, is in a file that was deleted
// when it was opened, as descriptor 7. Code appended to the tests copies it to descriptor 8.
//
// This defeats programs that exit early, and those that catch failures. A program written against
// assay can copy the word itself, since it shares the process with its tests, so such verdicts
// are still labelled "in_process".

// newWord returns 26 random characters and a line break, which shells need to read it.
func newWord() string { return rand.Text() + "\n" }

// notAtTheEnd is the failure of a script that did not prove its end.
var notAtTheEnd = callFailure{Status(RuntimeError), "the program ended before its tests did"}

//go:embed proof
var proofFiles embed.FS

func proofFile(name string) string {
	text, err := proofFiles.ReadFile("proof/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// rewriting replaces a pattern in trusted tests.
type rewriting struct {
	pattern *regexp.Regexp
	by      string
}

func rewrite(pattern, by string) rewriting { return rewriting{regexp.MustCompile(pattern), by} }

func (w rewriting) in(text string) string { return w.pattern.ReplaceAllString(text, w.by) }

// ending describes how the tests of a language prove their end.
type ending struct {
	exits  []rewriting // replace statements of the tests that exit the process
	main   rewriting   // replaces the header of the tests' main function, if any
	before string      // a text before the program, on its first line
	after  string      // a text after the tests
	file   string      // name of a source file to compile or import
	text   string      // text of that file
}

// script joins a program and its tests, and returns the files that they need.
func (e *ending) script(program, tests string) (source string, files map[string]string) {
	for _, w := range e.exits {
		tests = w.in(tests)
	}
	if e.main.pattern != nil {
		if e.main.pattern.MatchString(tests) {
			tests = e.main.in(tests)
		} else {
			program = e.main.in(program)
		}
	}
	if e.file != "" {
		files = map[string]string{e.file: e.text}
	}
	return e.before + program + tests + e.after, files
}

// The beginning of statements, in languages with and without braces.
const (
	statement     = `(?m)(^|[;{})]|\belse\b)(\s*)`
	lineStatement = `(?m)(^|[;:])([ \t]*)`
)

var javascriptEnding = &ending{
	exits: []rewriting{rewrite(`\bprocess\.exit\(`, "assayExit(")},
	after: proofFile("end.js.txt"),
}

var pythonEnding = &ending{
	exits: []rewriting{
		rewrite(lineStatement+`(?:sys\.exit|os\._exit|exit|quit|raise SystemExit)\(`, "${1}${2}__import__('assay_end').exit("),
		rewrite(lineStatement+`unittest\.main\(`, "${1}${2}__import__('assay_end').main("),
	},
	after: "\n\n__import__('os').write(8, __import__('os').read(7, 99))\n",
	file:  "assay_end.py", text: proofFile("assay_end.py"),
}

var bashEnding = &ending{
	exits: []rewriting{rewrite(`(?m)(^|[;&|{]|\bthen\b|\belse\b|\bdo\b)([ \t]*)exit\b`, "$1${2}assay_exit")},
	before: `assay_exit() { set -- "${1:-$?}"; [ "$1" = 0 ] && [ "$BASH_SUBSHELL" = 0 ] && ` +
		`builtin read -r -u 7 assay_word && builtin printf '%s\n' "$assay_word" >&8; builtin exit "$1"; }; `,
	after: "\nassay_exit\n",
}

var rEnding = &ending{
	exits: []rewriting{rewrite(statement+`(?:base::)?(?:quit|q)\(`,
		`$1$2(function(save = "no", status = 0, ...) { if (status == 0) base::system("cat <&7 >&8"); base::quit("no", status) })(`)},
	after: "\nbase::system(\"cat <&7 >&8\")\n", // R cannot open a descriptor by its number
}

// main may return without a return statement, which no other function may: the destructor of a
// variable in it writes the word.
var (
	nativeMain = rewrite(`\bmain\s*\([^(){}]*\)[^;(){}]*\{`, "$0 void assay_end(int *); int assay_ended __attribute__((cleanup(assay_end))) = 0;")
	nativeExit = []rewriting{rewrite(statement+`(?:std::|::)?_?[eE]xit\s*\(`, "$1$2({ void assay_exit(int); assay_exit; })(")}
)

var (
	cEnding   = &ending{exits: nativeExit, main: nativeMain, file: "assay_end.c", text: proofFile("assay_end.c")}
	cppEnding = &ending{exits: nativeExit, main: nativeMain, file: "assay_end.cpp", text: proofFile("assay_end.cpp")}
)

var javaEnding = &ending{
	exits: []rewriting{rewrite(`\bSystem\.exit\(`, "AssayEnd.exit(")},
	main: rewrite(`(?:(?:public|static|final)\s+)+void\s+main\s*\(([^()]*)\)([^;{}]*)\{`,
		"public static void main(String[] assayArguments) throws Throwable { assayTests(assayArguments); AssayEnd.prove(); } public static void assayTests($1)$2{"),
	file: "AssayEnd.java", text: proofFile("AssayEnd.java.txt"),
}

var goEnding = &ending{
	exits: []rewriting{rewrite(`\bos\.Exit\(`, "assayExit(os.Exit, ")},
	main:  rewrite(`(?m)^func main\(\)\s*\{`, "func main() { assayTests(); assayEnd() }; func assayTests() {"),
	file:  "assay_end.go", text: proofFile("assay_end.go.txt"),
}

// goScript adds the main function that `go test` would generate to tests without one. The
// program's own main is then not called.
func goScript(program, tests string) (string, map[string]string) {
	runner := ""
	if !goMain.MatchString(tests) && (goTest.MatchString(tests) || !goMain.MatchString(program)) {
		program = goMain.ReplaceAllString(program, "func _()")
		runner = goTestMain(program + tests)
	}
	source, files := goEnding.script(program, tests)
	if runner != "" {
		files["assay_main.go"] = runner
	}
	return goImported(source), files
}
