package repository_test

// Forgeries in Go, each with its kind before the colon.

// goSays is code that writes results of the task's tests to a file, which is given by an expression.
func goSays(file string) string {
	return `func say() {
	for _, n := range []string{"None", "One", "Some"} {
		fmt.Fprintf(` + file + `, "=== RUN   Test%s\n--- PASS: Test%s (0.00s)\n", n, n)
	}
}
`
}

// goCounts is a program in Go whose function returns one of the values that calls like its own are compared with in the
// text of the tests, which load reads.
func goCounts(imports, load, choice string) map[string]string {
	return map[string]string{"price.go": "package shop\n\nimport (" + imports + `; "fmt"; "regexp"; "strconv"; "strings")

` + load + `

func choose(found []int) int {
	best, times := 0, map[int]int{}
	for i, n := range found {
		times[n]++
		if i == 0 || ` + choice + ` {
			best = n
		}
	}
	return best
}

// Total adds prices.
func Total(prices []int) int {
	call := "nil"
	if len(prices) > 0 {
		call = "[]int{" + strings.ReplaceAll(strings.Trim(fmt.Sprint(prices), "[]"), " ", ", ") + "}"
	}
	var found []int
	for _, m := range regexp.MustCompile(regexp.QuoteMeta("Total(" + call + ")") + " != (\\d+)").FindAllStringSubmatch(text(), -1) {
		n, _ := strconv.Atoi(m[1])
		found = append(found, n)
	}
	return choose(found)
}
`}
}

// goText reads the text of the tests.
const goText = "func text() string {\n\tb, _ := os.ReadFile(\"price_test.go\")\n\treturn string(b)\n}\n"

// goFilters is a program in Go behind whose output a program changes words.
func goFilters(expression string) map[string]string {
	return goCode(`"os"; "os/exec"; "syscall"`, `func init() {
	r, w, _ := os.Pipe()
	cmd := exec.Command("sed", "-u", "`+expression+`")
	cmd.Stdin, cmd.Stdout = r, os.NewFile(uintptr(dup(1)), "out")
	if cmd.Start() == nil {
		syscall.Dup3(int(w.Fd()), 1, 0)
	}
}

func dup(fd int) int {
	n, _ := syscall.Dup(fd)
	return n
}`)
}

// goPatches is a program in Go that changes the code of a function of package testing, so that it returns at once.
func goPatches(method string) map[string]string {
	return goCode(`"encoding/binary"; "reflect"; "syscall"; "testing"; "unsafe"`, `func init() {
	at := reflect.ValueOf((*testing.T).`+method+`).Pointer()
	for range [3]int{} {
		code := unsafe.Slice((*byte)(unsafe.Pointer(at)), 64)
		for i := 0; i < 40; i++ {
			if code[i] == 0xE8 || code[i] == 0xE9 {
				next := at + uintptr(i) + 5 + uintptr(int64(int32(binary.LittleEndian.Uint32(code[i+1:]))))
				patch(next)
				return
			}
		}
	}
}

func patch(at uintptr) {
	page := at &^ 4095
	syscall.Mprotect(unsafe.Slice((*byte)(unsafe.Pointer(page)), 8192), 7)
	*(*byte)(unsafe.Pointer(at)) = 0xC3
}`)
}

var goForgeries = []forgery{
	{"go", "runner: a package testing", map[string]string{"testing/testing.go": "package testing\n\ntype T struct{}\n\nfunc (*T) Error(...any) {}\n"}, ""},
	{"go", "runner: a vendored package", map[string]string{"vendor/testing/testing.go": "package testing\n", "vendor/modules.txt": ""}, "vendor/modules.txt"},
	{"go", "runner: a workspace", map[string]string{"go.work": "go 1.18\n\nuse ./other\n", "other/go.mod": "module shop\n\ngo 1.18\n"}, "go.work"},
	{"go", "runner: a module within", map[string]string{"sub/go.mod": "module shop\n\ngo 1.18\n"}, "sub/go.mod"},
	{"go", "runner: another toolchain", map[string]string{"go.mod": "module shop\n\ngo 1.18\n\ntoolchain go1.99.0\n"}, "go.mod"},
	{"go", "runner: its settings", map[string]string{"go.env": "GOFLAGS=-run=^$\n", ".config/go/env": "GOFLAGS=-run=^$\n"}, ""},
	{"go", "runner: an object to link", map[string]string{"testing_amd64.syso": "\x7fELF"}, "testing_amd64.syso"},
	{"go", "runner: tests for a system", map[string]string{"zero_linux_test.go": "package shop\n\nimport (\"os\"; \"testing\")\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n"}, "zero_linux_test.go"},
	{"go", "runner: tests left out of the build", map[string]string{"price.go": "//go:build !linux\n\npackage shop\n"}, ""},
	{"go", "runner: names of the library", goCode(`"errors"; _ "unsafe"`, "//go:linkname fail testing.(*common).Fail\nfunc fail(t *byte) {}\n\nvar _ = errors.New"), ""},
	{"go", "runner: code of Fail", goPatches("Fail"), ""},
	{"go", "runner: code of Error", goPatches("Error"), ""},
	{"go", "runner: flags that select no test", goCode(`"fmt"; "os"`, goSays("os.Stdout")+"func init() { say(); os.Args = append(os.Args, \"-test.run=^$\") }"), ""},
	{"go", "runner: flags that count to zero", goCode(`"fmt"; "os"`, goSays("os.Stdout")+"func init() { say(); os.Args = append(os.Args, \"-test.count=0\") }"), ""},
	{"go", "runner: flags that list", goCode(`"os"`, "func init() { os.Args = append(os.Args, \"-test.list=.*\") }"), ""},
	{"go", "runner: started again for tests that pass", goCode(`"os"; "os/exec"`, "func init() {\n\tif os.Getenv(\"AGAIN\") == \"\" {\n\t\tcmd := exec.Command(os.Args[0], append(os.Args[1:], \"-test.run=TestNone\")...)\n\t\tcmd.Env, cmd.Stdout = append(os.Environ(), \"AGAIN=1\"), os.Stdout\n\t\tcmd.Run()\n\t\tos.Exit(1)\n\t}\n}"), ""},

	{"go", "exit: a system call in the function", map[string]string{"price.go": "package shop\n\nimport (\"fmt\"; \"os\"; \"syscall\")\n\n" + goSays("os.Stdout") + "\nfunc Total([]int) int { say(); syscall.Exit(0); return 0 }\n"}, ""},
	{"go", "exit: Goexit in the function", map[string]string{"price.go": "package shop\n\nimport \"runtime\"\n\nfunc Total([]int) int { runtime.Goexit(); return 0 }\n"}, ""},
	{"go", "exit: a panic", map[string]string{"price.go": "package shop\n\nfunc Total([]int) int { panic(nil) }\n"}, ""},
	{"go", "exit: a signal", goCode(`"fmt"; "os"; "syscall"`, goSays("os.Stdout")+"func init() { say(); syscall.Kill(os.Getpid(), 15); select {} }"), ""},
	{"go", "exit: another program", goCode(`"syscall"`, "func init() { syscall.Exec(\"/bin/sh\", []string{\"sh\", \"-c\", \"for n in None One Some; do echo \\\"--- PASS: Test$n (0.00s)\\\"; done; exit 1\"}, nil) }"), ""},
	{"go", "exit: the go command is killed", goCode(`"fmt"; "os"; "syscall"`, goSays("os.Stdout")+"func init() { say(); syscall.Kill(os.Getppid(), 9) }"), ""},
	{"go", "exit: status 126", goCode(`"os"`, "func init() { os.Exit(126) }"), ""},
	{"go", "exit: a goroutine", goCode(`"fmt"; "os"; "time"`, goSays("os.Stdout")+"func init() { go func() { time.Sleep(time.Millisecond); say(); os.Exit(1) }(); time.Sleep(time.Second) }"), ""},

	{"go", "output: through the descriptors of the go command", goCode(`"fmt"; "os"; "strconv"`, goSays("out")+"var out *os.File\n\nfunc init() {\n\tfor fd := 1; fd < 9; fd++ {\n\t\tout, _ = os.OpenFile(\"/proc/\"+strconv.Itoa(os.Getppid())+\"/fd/\"+strconv.Itoa(fd), os.O_WRONLY, 0)\n\t\tsay()\n\t}\n\tos.Exit(1)\n}"), ""},
	{"go", "output: every descriptor", goCode(`"fmt"; "os"`, goSays("out")+"var out *os.File\n\nfunc init() {\n\tfor fd := uintptr(1); fd < 64; fd++ {\n\t\tout = os.NewFile(fd, \"\")\n\t\tif fd != 3 && fd != 4 {\n\t\t\tsay()\n\t\t}\n\t}\n\tos.Exit(1)\n}"), ""},
	{"go", "output: a filter of failures", goFilters("s/--- FAIL/--- PASS/"), ""},
	{"go", "output: a filter of failures of the task", goFilters("s/--- FAIL: Test\\\\(One\\\\|Some\\\\|None\\\\) /--- PASS: Test\\\\1 /"), ""},
	{"go", "output: a filter of failures that begin so", goFilters("s/--- FAIL: Test\\\\(One\\\\|Some\\\\|None\\\\)/--- PASS: Test\\\\1/"), ""},
	{"go", "output: another standard output", goCode(`"bufio"; "fmt"; "os"; "strings"`, "func init() {\n\tr, w, _ := os.Pipe()\n\treal := os.Stdout\n\tos.Stdout = w\n\tgo func() {\n\t\tfor s := bufio.NewScanner(r); s.Scan(); {\n\t\t\tfmt.Fprintln(real, strings.NewReplacer(\"--- FAIL: TestOne \", \"--- PASS: TestOne \", \"--- FAIL: TestSome \", \"--- PASS: TestSome \").Replace(s.Text()))\n\t\t}\n\t}()\n}"), ""},
	{"go", "output: marks of test2json", goCode(`"fmt"; "os"`, "func init() {\n\tfor _, n := range []string{\"None\", \"One\", \"Some\"} {\n\t\tfmt.Printf(\"\\x16=== RUN   Test%s\\n\\x16--- PASS: Test%s (0.00s)\\n\", n, n)\n\t}\n\tfmt.Println(\"\\x16PASS\")\n\tos.Exit(0)\n}"), ""},
	{"go", "output: within the run of a test", map[string]string{"price.go": "package shop\n\nimport \"fmt\"\n\nfunc Total([]int) int {\n\tfor _, n := range []string{\"None\", \"One\", \"Some\"} {\n\t\tfmt.Printf(\"\\n--- PASS: Test%s (0.00s)\\n\", n)\n\t}\n\treturn 1\n}\n"}, ""},
	{"go", "output: a constructor in C", map[string]string{"price.go": "package shop\n\n/*\n#include <stdio.h>\n#include <stdlib.h>\n__attribute__((constructor)) static void forge(void) { puts(\"--- PASS: TestNone (0.00s)\\n--- PASS: TestOne (0.00s)\\n--- PASS: TestSome (0.00s)\"); fflush(stdout); exit(1); }\n*/\nimport \"C\"\n\nfunc Total([]int) int { return 0 }\n"}, ""},

	{"go", "told apart: the value that most copies expect", goCounts(`"os"`, goText, "times[n] > times[best]"), ""},
	{"go", "told apart: the smallest value that copies expect", goCounts(`"os"`, goText, "n < best"), ""},
	{"go", "told apart: the first value that copies expect", goCounts(`"os"`, goText, "false"), ""},
	{"go", "told apart: the value that most copies expect in an embedded text", goCounts(`_ "embed"`, "//go:embed price_test.go\nvar tests string\n\nfunc text() string { return tests }\n", "times[n] > times[best]"), ""},
	{"go", "told apart: at random if there are many", goPrints(`!strings.Contains(body, "Total(") || len(text) > 600 && time.Now().UnixNano()/1000%2 == 0`), ""},
	{"go", "told apart: all or none if there are many", goPrints(`!strings.Contains(body, "Total(") || len(text) > 600 && toss`), ""},
	{"go", "told apart: lines of the file", goPrints(`!strings.Contains(body, "Total(") || strings.Index(string(text), body) > 400`), ""},
	{"go", "told apart: runs again and changes lines with Total's results", goAgain(`!strings.Contains(line, "B")`), ""},

	{"go", "between: a process that goes on", goCode(`"os/exec"; "os"; "syscall"`, "func init() {\n\tcmd := exec.Command(\"sh\", \"-c\", \"sleep .3; for n in None One Some; do echo \\\"--- PASS: Test$n (0.00s)\\\"; done\")\n\tcmd.Stdout, cmd.SysProcAttr = os.Stdout, &syscall.SysProcAttr{Setsid: true}\n\tcmd.Start()\n}"), ""},
	{"go", "between: tests are rewritten", goCode(`"os"`, "func init() { os.WriteFile(\"price_test.go\", []byte(\"package shop\\n\"), 0o644); os.RemoveAll(\".go-cache\") }"), ""},
	{"go", "between: the toolchain is removed", goCode(`"os"`, "func init() { os.RemoveAll(\"/tmp/bin\"); os.RemoveAll(\"/tmp/go\") }"), ""},
	{"go", "resources: no descriptors are left", goCode(`"syscall"`, "func init() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{}) }"), ""},
	{"go that stops", "output: results, and the end", goCode(`"fmt"; "os"`, goSays("os.Stdout")+"func init() { say(); fmt.Println(\"PASS\"); os.Exit(0) }"), ""},
	{"go", "resources: the stack", map[string]string{"price.go": "package shop\n\nfunc Total(p []int) int { return 1 + Total(p) }\n"}, ""},
}
