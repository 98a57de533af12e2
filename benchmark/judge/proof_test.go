package judge

import (
	"maps"
	"slices"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/language"
	"assay/data/sampled"
)

// ends are for each language tests that want f() to be 1, in several ways to end them, and
// programs that want to be accepted without it.
var ends = map[string]scriptEnds{
	"python": {
		tests: []string{"assert f() == 1\n", "import sys\nassert f() == 1\nsys.exit(0)", "assert f() == 1\nif True: exit()",
			"import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(), 1)\nif __name__ == '__main__':\n    unittest.main()\n"},
		right: "def f(): return 1", wrong: "def f(): return 2",
		forgers: map[string]string{
			"exits while loading":      "import sys\nsys.exit(0)",
			"exits":                    "def f(): raise SystemExit",
			"exits at once":            "import os\ndef f(): os._exit(0)",
			"exits at the end":         "import atexit, os\natexit.register(os._exit, 0)\ndef f(): return 2",
			"exits in a thread":        "import os, threading, time\ndef f():\n    threading.Thread(target=lambda: os._exit(0)).start()\n    time.sleep(9)",
			"makes up a word":          "import os\nos.write(8, b'X' * 26 + b'\\n')\ndef f(): os._exit(0)",
			"closes the word":          "import os\nos.close(7)\ndef f(): os._exit(0)",
			"exits by a signal":        "import os, signal\ndef f():\n    signal.signal(signal.SIGTERM, lambda *a: os._exit(0))\n    os.kill(os.getpid(), signal.SIGTERM)",
			"becomes another program":  "import os\ndef f(): os.execv('/bin/true', ['true'])",
			"ends all threads but one": "import _thread, threading\ndef f():\n    threading.Thread(target=lambda: None).start()\n    _thread.exit()",
			"exits when it fails":      "import os, sys\nsys.excepthook = lambda *a: os._exit(0)\ndef f(): return 2",
			"exits in a child":         "import os\ndef f():\n    if os.fork():\n        os._exit(0)\n    return 2",
			"exits in a generator":     "def f():\n    raise GeneratorExit",
		},
		occupied: "import os\nos.close(8)\ndef f():\n    while True: pass",
	},
	"javascript": {
		tests: []string{"require('assert').strictEqual(f(), 1)", "console.assert(f() === 1);\nprocess.exit(0)",
			"(async () => { await null; require('assert').strictEqual(f(), 1); })()",
			"const t = async () => { await null; require('assert').strictEqual(f(), 1); };\nt().then(() => process.exit(), e => { console.error(e); process.exit(1); })"},
		setup: "console.assert = ok => { if (!ok) throw new Error('assertion failed'); };\n",
		right: "const f = () => 1;", wrong: "const f = () => 2;",
		forgers: map[string]string{
			"exits while loading":  "const f = () => 2; process.exit(0)",
			"exits":                "const f = () => process.exit(0)",
			"exits at the end":     "process.on('exit', () => { process.exitCode = 0; process.reallyExit(0); }); const f = () => 2;",
			"catches what fails":   "process.on('uncaughtException', () => {}); const f = () => 2;",
			"exits after an error": "process.on('uncaughtException', () => process.exit(0)); const f = () => 2;",
			"makes up a word":      "require('fs').writeSync(8, 'X'.repeat(26) + '\\n'); const f = () => process.exit(0)",
			"exits by a signal":    "process.on('SIGTERM', () => process.reallyExit(0)); const f = () => { process.kill(process.pid, 'SIGTERM'); return new Promise(() => {}); }",
			"exits really":         "const f = () => process.reallyExit(0)",
			"rejects with nothing": "process.on('unhandledRejection', () => {}); const f = () => 2",
		},
		occupied: "require('fs').closeSync(8); const f = () => { for (;;); }",
	},
	"c": {
		tests: []string{"#include <assert.h>\nint main(void)\n{ assert(f() == 1); }\n", "#include <assert.h>\nint main() { assert(f() == 1); return 0; }\n",
			"#include <assert.h>\n#include <stdlib.h>\nint main(int n, char **a) { assert(f() == 1); if (n) exit(0); exit(1); }\n"},
		right: "int read(void) { return 1; }\nint f(void) { return read(); }\n", wrong: "int f(void) { return 2; }\n",
		forgers: map[string]string{
			"exits while loading":      "#include <stdlib.h>\n__attribute__((constructor)) void before(void) { exit(0); }\nint f(void) { return 2; }\n",
			"exits":                    "#include <stdlib.h>\nint f(void) { exit(0); }\n",
			"exits at the end":         "#include <stdlib.h>\nvoid end(void) { _Exit(0); }\nint f(void) { atexit(end); exit(3); }\n",
			"exits when it is aborted": "#include <signal.h>\n#include <stdlib.h>\nvoid end(int s) { _Exit(0); }\nint f(void) { signal(SIGABRT, end); return 2; }\n",
			"exits in a thread":        "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\nvoid *go(void *x) { exit(0); }\nint f(void) { pthread_t t; pthread_create(&t, 0, go, 0); pause(); return 2; }\n",
			"makes up a word":          "#include <stdlib.h>\n#include <unistd.h>\nint f(void) { write(8, \"XXXXXXXXXXXXXXXXXXXXXXXXXX\\n\", 27); exit(0); }\n",
			"exits quickly":            "#include <stdlib.h>\nint f(void) { quick_exit(0); }\n",
			"exits by a signal":        "#include <signal.h>\n#include <stdlib.h>\nvoid end(int s) { _Exit(0); }\nint f(void) { signal(SIGTERM, end); raise(SIGTERM); return 2; }\n",
			"ends its thread":          "#include <pthread.h>\nint f(void) { pthread_exit(0); }\n",
			"becomes another program":  "#include <unistd.h>\nint f(void) { execl(\"/bin/true\", \"true\", (char *)0); return 2; }\n",
			"exits by a system call":   "#include <unistd.h>\n#include <sys/syscall.h>\nint f(void) { syscall(SYS_exit_group, 0); return 2; }\n",
		},
		occupied: "#include <unistd.h>\nint f(void) { close(8); for (volatile int i = 0;; i++); }\n",
	},
	"cpp": {
		tests: []string{"#include <cassert>\nint main() { assert(f() == 1); }\n", "#include <cassert>\n#include <cstdlib>\nint main(int n, char **a) {\n  assert(f() == 1);\n  std::exit(0);\n}\n",
			"#include <cassert>\nauto main() -> int { assert(f() == 1); return 0; }\n"},
		right: "#include <bits/stdc++.h>\nint f() { return 1; }\n", wrong: "int f() { return 2; }\n",
		forgers: map[string]string{
			"exits while loading":      "#include <cstdlib>\nstruct A { A() { std::exit(0); } } a;\nint f() { return 2; }\n",
			"exits":                    "#include <cstdlib>\nint f() { std::exit(0); }\n",
			"exits in a destructor":    "#include <cstdlib>\nstruct A { ~A() { _Exit(0); } } a;\nint f() { std::exit(3); }\n",
			"exits when it is aborted": "#include <csignal>\n#include <cstdlib>\nint f() { std::signal(SIGABRT, [](int) { _Exit(0); }); return 2; }\n",
			"exits when it terminates": "#include <cstdlib>\n#include <exception>\nint f() { std::set_terminate([] { _Exit(0); }); throw 1; }\n",
			"exits in a thread":        "#include <cstdlib>\n#include <thread>\nint f() { std::thread([] { _Exit(0); }).join(); return 2; }\n",
			"makes up a word":          "#include <cstdlib>\n#include <unistd.h>\nint f() { write(8, \"XXXXXXXXXXXXXXXXXXXXXXXXXX\\n\", 27); std::exit(0); }\n",
			"exits quickly":            "#include <cstdlib>\nint f() { std::quick_exit(0); }\n",
			"exits by a signal":        "#include <csignal>\n#include <cstdlib>\nint f() { std::signal(SIGTERM, [](int) { _Exit(0); }); std::raise(SIGTERM); return 2; }\n",
			"ends its thread":          "#include <pthread.h>\nint f() { pthread_exit(nullptr); }\n",
			"becomes another program":  "#include <unistd.h>\nint f() { execl(\"/bin/true\", \"true\", (char *)0); return 2; }\n",
			"exits by a system call":   "#include <unistd.h>\n#include <sys/syscall.h>\nint f() { syscall(SYS_exit_group, 0); return 2; }\n",
		},
		occupied: "#include <unistd.h>\nint f() { close(8); for (volatile int i = 0;; i = i + 1); }\n",
	},
	"go": {
		tests: []string{"func TestF(t *testing.T) { assert.New(t).Equal(1, f()) }\n",
			"func TestF(t *testing.T) { t.Parallel(); if f() != 1 { t.Fatal(\"not 1\") } }\nfunc TestG(t *testing.T) {}\n"},
		setup: "package main\nimport (\n\t\"testing\"\n\t\"github.com/stretchr/testify/assert\"\n)\nvar _ = assert.New\n",
		right: "func f() int { return 1 }", wrong: "func f() int { return 2 }",
		forgers: map[string]string{
			"exits while loading":  "func init() { os.Exit(0) }\nfunc f() int { return 2 }",
			"exits":                "func f() int { os.Exit(0); return 2 }",
			"exits deferred":       "func f() int { defer os.Exit(0); panic(1) }",
			"exits in a thread":    "func f() int { go os.Exit(0); select {} }",
			"ends its goroutine":   "func f() int { runtime.Goexit(); return 2 }",
			"makes up a word":      "func f() int { os.NewFile(8, \"\").WriteString(strings.Repeat(\"X\", 26) + \"\\n\"); os.Exit(0); return 2 }",
			"exits when it panics": "func f() int { defer func() { recover(); os.Exit(0) }(); panic(1) }",
		},
		occupied: "func f() int { os.NewFile(8, \"\").Close(); for {} }",
	},
	"java": {
		tests: []string{"public class Main {\n  public static void main(String[] args) {\n    if (new S().f() != 1) throw new AssertionError();\n  }\n}\n",
			"public class Main { public static void main(final String... a) throws Exception { assert new S().f() == 1; System.exit(0); } }"},
		right: "class S { int f() { return 1; } }", wrong: "class S { int f() { return 2; } }",
		forgers: map[string]string{
			"exits while loading":  "class S { static { System.exit(0); } int f() { return 2; } }",
			"exits":                "class S { int f() { System.exit(0); return 2; } }",
			"exits at the end":     "class S { int f() { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); return 2; } }",
			"exits in a thread":    "class S { int f() { new Thread(() -> System.exit(0)).start(); while (true); } }",
			"makes up a word":      "class S { int f() { System.out.println(\"XXXXXXXXXXXXXXXXXXXXXXXXXX\"); System.exit(0); return 2; } }",
			"halts":                "class S { int f() { Runtime.getRuntime().halt(0); return 2; } }",
			"exits by its runtime": "class S { int f() { Runtime.getRuntime().exit(0); return 2; } }",
			"catches what fails":   "class S { int f() { Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.exit(0)); return 2; } }",
			"ends its thread":      "class S { int f() { Thread.currentThread().stop(); return 2; } }",
			"exits in a daemon":    "class S { int f() { Thread t = new Thread(() -> Runtime.getRuntime().halt(0)); t.setDaemon(true); t.start(); while (true); } }",
			"has its own main":     "class S { int f() { return 2; } public static void main(String[] a) { System.out.println(1); } }",
		},
		occupied: "class S { int f() { while (true); } }",
	},
	"bash": {
		tests: []string{"set -e\nf\n[ \"$REPLY\" = 1 ]", "f\nif [ \"$REPLY\" = 1 ]; then exit 0; fi; exit 1", "f; [ $REPLY = 1 ]\nexit", "f\n(exit 0)\n[ $REPLY = 1 ]"},
		right: "f() { REPLY=1; }", wrong: "f() { REPLY=2; }",
		forgers: map[string]string{
			"exits while loading":     "exit 0",
			"exits":                   "f() { exit 0; }",
			"exits at the end":        "trap 'exit 0' EXIT\nf() { REPLY=2; }",
			"makes up a word":         "f() { echo XXXXXXXXXXXXXXXXXXXXXXXXXX >&8; exit 0; }",
			"exits by a signal":       "trap 'exit 0' TERM\nf() { kill $$; }",
			"becomes another program": "f() { exec true; }",
			"exits after an error":    "trap 'exit 0' ERR\nf() { REPLY=2; }",
			"goes on after an error":  "f() { set +e; REPLY=2; }",
			"leaves by an unset name": "f() { : ${x?no}; }",
			"returns at once":         "return 0 2>/dev/null; f() { return; }",
			"reads the rest":          "f() { REPLY=2; exec <<< 'exit 0'; }",
		},
		occupied: "f() { exec 8>&-; while :; do :; done; }",
	},
	"r": {
		tests: []string{"stopifnot(f() == 1)", "stopifnot(f() == 1)\nquit(status = 0)", "stopifnot(f() == 1)\nif (TRUE) q('no')"},
		right: "f <- function() 1", wrong: "f <- function() 2",
		forgers: map[string]string{
			"exits while loading":    "quit()",
			"exits":                  "f <- function() quit(status = 0)",
			"exits at the end":       "reg.finalizer(globalenv(), function(e) quit(status = 0), onexit = TRUE)\nf <- function() quit(status = 3)",
			"makes up a word":        "f <- function() { system('echo XXXXXXXXXXXXXXXXXXXXXXXXXX >&8'); quit(status = 0) }",
			"goes to the top level":  "f <- function() invokeRestart('abort')",
			"goes on after an error": "options(error = expression(NULL))\nf <- function() 2",
			"exits after an error":   "options(error = quote(quit(status = 0)))\nf <- function() 2",
			"interrupts itself":      "f <- function() { tools::pskill(Sys.getpid(), 2); Sys.sleep(0.1); 2 }",
			"exits without R":        "f <- function() { tools::pskill(Sys.getpid(), 15); Sys.sleep(9) }",
			"leaves by a condition":  "f <- function() { signalCondition(simpleCondition('x')); stop(structure(class = c('interrupt', 'condition'), list(message = '', call = NULL))) }",
			"ends the file":          "f <- function() 2\nreadLines(stdin())",
			"quits by another name":  "f <- function() get('quit')('no', 0)",
		},
		occupied: "f <- function() repeat {}",
	},
}

// scriptEnds are those of one language.
type scriptEnds struct {
	setup    string
	tests    []string // the first, or of raising, is also what the forgers are given
	raising  []string // like tests, but a wrong answer is a runtime error
	right    string
	wrong    string            // f() is 2
	forgers  map[string]string // each a runtime_error
	occupied string            // closes the channel of the proof and never returns
}

// TestTheEndOfTests: a script is accepted only if it came to the end of its tests. Without ASSAY_TESTS=all every sixth forger
// is tried, in every second language.
func TestTheEndOfTests(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, name := range language.Names() {
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			e, known := ends[name]
			if !known {
				t.Fatal("the language has no scripts here")
			}
			task := &benchmark.Task{ID: "t", Language: name, Tests: benchmark.Tests{Style: benchmark.Script, Setup: e.setup},
				Limits: benchmark.Limits{CPUSeconds: 0.4, CPUTotal: 0.8, WallSeconds: 4}}
			task.Limits = limitsFor(name, task.Limits)
			ready(t, j, task)
			verdict := func(tests, name, code string, want ...verdicts.Verdict) {
				t.Helper()
				task.Tests.Script = tests
				r := judgeCode(t, j, task, code)
				if passed := r.Passed == 1; !slices.Contains(want, r.Verdict) || r.Isolation != "in_process" || passed != (r.Verdict == verdicts.Accepted) || r.Total != 1 || len(r.Cases) != 1 || r.Interpreter == "" {
					t.Errorf("%s: %s %q (%s), want %v, of %q\n%s", name, r.Verdict, r.Message, r.Isolation, want, tests, r.Stderr)
				}
			}
			for _, tests := range e.tests {
				verdict(tests, "right", e.right, verdicts.Accepted)
				verdict(tests, "wrong", e.wrong, verdicts.WrongAnswer)
			}
			for _, tests := range e.raising {
				verdict(tests, "right", e.right, verdicts.Accepted)
				verdict(tests, "wrong", e.wrong, verdicts.RuntimeError)
			}
			first := slices.Concat(e.tests, e.raising)[0]
			for i, name := range slices.Sorted(maps.Keys(e.forgers)) {
				if sampled.OneIn(6, i) {
					verdict(first, name, e.forgers[name], verdicts.RuntimeError, verdicts.WrongAnswer)
				}
			}
			verdict(first, "never returns", e.occupied, verdicts.TimeLimit)
		})
	}
}
