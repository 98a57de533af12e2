package judge

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/shelf"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

// printing is a task whose programs shall print "yes".
func printing(language string) *benchmark.Task {
	return &benchmark.Task{ID: language, Language: language, Tests: benchmark.Tests{Style: benchmark.Stdin,
		Runs: []benchmark.Run{{Output: "yes\n"}}}}
}

// toolFor is what the judge found for a language, or the test is skipped.
func toolFor(t *testing.T, j *Judge, language string) *toolchain {
	t.Helper()
	tool, err := j.ready(printing(language))
	if err != nil {
		t.Skip(err)
	}
	return tool
}

func expect(t *testing.T, j *Judge, task *benchmark.Task, code string, want verdicts.Verdict) verdicts.Result {
	t.Helper()
	r := judgeCode(t, j, task, code)
	if r.Verdict != want {
		t.Errorf("%s: %s %s %s, want %s", code, r.Verdict, r.Message, r.Stderr, want)
	}
	return r
}

// TestResidentCompiler has one process compile for several samples: what one declares is
// not there for the next, and a process that is gone is no sample's fault.
func TestResidentCompiler(t *testing.T) {
	t.Parallel()
	j, task := ownJudge(t), printing("java")
	tool := toolFor(t, j, "java")
	const uses = "public class Main { public static void main(String[] a) { System.out.println(Helper.TEXT); } }"
	const declares = "class Helper { static final String TEXT = \"yes\"; }\n"
	expect(t, j, task, uses+declares, verdicts.Accepted)
	r := expect(t, j, task, uses, verdicts.CompileError)
	if !strings.HasPrefix(r.Message, "Main.java:1: error: cannot find symbol") || !strings.HasSuffix(r.Message, "1 error") {
		t.Errorf("the compiler that stays says %q", r.Message)
	}
	expect(t, j, task, "package java.lang; "+declares, verdicts.RuntimeError) // a program is in no package
	expect(t, j, task, declares+uses+"// again", verdicts.Accepted)
	if len(tool.residents.idle) != 1 || tool.residents.idle[0].uses != 4 {
		t.Fatalf("the samples had no compiler in common: %+v", tool.residents.idle)
	}
	tool.residents.idle[0].box.Close()
	expect(t, j, task, uses+declares+"// after its end", verdicts.Accepted)
	expect(t, j, task, uses+declares+"// by another", verdicts.Accepted)
	if len(tool.residents.idle) != 1 {
		t.Fatalf("%d compilers have nothing to do, want one", len(tool.residents.idle))
	}
	left := tool.residents.idle[0]
	tool.residents.drop(left)
	<-left.box.Done()
	if len(tool.residents.idle) != 0 {
		t.Error("a compiler that has ended is kept")
	}
}

func TestLeadingHeaders(t *testing.T) {
	for source, want := range map[string]string{
		"#include <vector>\nint main() {}":                                            "vector",
		"/* a\n * b */\n#include<stdio.h>\n// c\n#  include <map> // d\nusing":        "stdio.h map",
		"#include <map>\n#define int long\n#include <set>\n":                          "map",
		"#define NDEBUG\n#include <map>\n":                                            "",
		"#include <map>\n#include <assert.h>\n#include <set>\n":                       "map",
		"#include <map>\n#include \"own.h\"\n#include <set>\n":                        "map",
		"#include <map>\n#include <boost/any.hpp>\n#include <set>\n":                  "map",
		"#include <map>\n// continued \\\n#include <set>\n#include <list>\n":          "map",
		"#include <map> x\n#include <set>\n":                                          "",
		"#include <map>\n/* */ #include <set>\n":                                      "map set",
		"#include <map> /*\n#include <list>\n*/\n#include <set>\n":                    "map set",
		"int x; #include <map>\n":                                                     "",
		"#ifdef X\n#include <map>\n#endif\n":                                          "",
		"#include <map>\n#include_next <set>\n":                                       "map",
		"#include <map>\n#include <../map>\n" + strings.Repeat("#include <set>\n", 3): "map",
	} {
		var names []string
		for line := range strings.Lines(leadingHeaders(source)) {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(line, "#include <"), ">\n"))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
	if n := strings.Count(leadingHeaders(strings.Repeat("#include <map>\n", 1000)), "\n"); n > maxHeaders {
		t.Errorf("%d headers", n)
	}
}

// compiledSets are the sets of headers on a shelf.
func compiledSets(t *testing.T, s *shelf.Shelf) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Dir, "*", headerFile+".gch"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestCompiledHeaders judges programs by headers that were compiled ahead: they mean what
// they mean without, and headers that are no good decide nothing.
func TestCompiledHeaders(t *testing.T) {
	cache, err := os.MkdirTemp("/var/tmp", "assay-cache-") // boxes have a /tmp of their own
	if err == nil {
		err = os.Chmod(cache, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	j, task := ownJudge(t), printing("cpp")
	tool := toolFor(t, j, "cpp")
	if tool.object == "" {
		t.Skip("nothing is compiled ahead here")
	}
	sets := len(compiledSets(t, tool.shelf))
	const top = "#include <deque>\n#include <stdio.h>\n" // no other test begins like this
	for i := range 3 {
		expect(t, j, task, top+fmt.Sprintf("int main() { std::deque<int> d(%d); puts(d.size() == %d ? \"yes\" : \"no\"); }", i, i), verdicts.Accepted)
	}
	now := compiledSets(t, tool.shelf)
	if len(now) != sets+1 {
		t.Fatalf("%d sets of headers were compiled, want one", len(now)-sets)
	}
	expect(t, j, task, top+"int main() { std::set<int> s; puts(\"yes\"); }", verdicts.CompileError)
	r := expect(t, j, task, top+"int deque, puts_;\nint main() { return x; }", verdicts.CompileError)
	if !strings.HasPrefix(r.Message, "main.cpp: In function 'int main()':\nmain.cpp:4:") && !strings.Contains(r.Message, "main.cpp:4:") {
		t.Errorf("the compiler says %q", r.Message)
	}
	for _, path := range now {
		if err := os.WriteFile(path, []byte("gpch.014 and nothing else"), 0o644); err != nil {
			t.Fatal(err)
		}
		os.Remove(filepath.Join(filepath.Dir(path), headerFile))
	}
	expect(t, j, task, top+"int main() { std::deque<int> d; puts(\"yes\"); }", verdicts.Accepted)
}

// TestShelfOutOfReach has programs of every language try to write where others are compiled
// from.
func TestShelfOutOfReach(t *testing.T) {
	j := newJudge(t)
	programs := map[string]string{
		"c": `#include <stdio.h>
int main(void) { FILE *f = fopen("%s", "w"); if (f) { fputs("x", f); fclose(f); } remove("%s"); puts("yes"); }`,
		"cpp": `#include <stdio.h>
int main() { FILE *f = fopen("%s", "w"); if (f) { fputs("x", f); fclose(f); } remove("%s"); puts("yes"); }`,
		"go": "package main\nimport \"os\"\nfunc main() { os.WriteFile(\"%s\", []byte(\"x\"), 0o644); os.Remove(\"%s\"); os.Stdout.WriteString(\"yes\\n\") }",
		"javascript": `const fs = require('fs');
try { fs.writeFileSync('%s', 'x') } catch {} try { fs.unlinkSync('%s') } catch {} console.log('yes')`,
	}
	for _, language := range slices.Sorted(maps.Keys(programs)) {
		program := programs[language]
		t.Run(language, func(t *testing.T) {
			sampled.Row(t, 6)
			tool := toolFor(t, j, language)
			if len(tool.binds) == 0 {
				t.Skip("nothing is kept for it here")
			}
			dir := tool.binds[len(tool.binds)-1]
			files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
			if err != nil || len(files) == 0 {
				t.Fatalf("nothing lies in %s: %v", dir, err)
			}
			was := stamp(files[0])
			expect(t, j, printing(language), fmt.Sprintf(program, files[0], files[0]), verdicts.Accepted)
			if now := stamp(files[0]); now != was {
				t.Errorf("%s was %s and is %s", files[0], was, now)
			}
		})
	}
}

// TestForkedNode runs programs in forks of one process, of which none leaves anything to the
// next or knows the others' random numbers.
func TestForkedNode(t *testing.T) {
	t.Parallel()
	j, task := ownJudge(t), printing("javascript")
	tool := toolFor(t, j, "javascript")
	expect(t, j, task, "Array.prototype.map = null; globalThis.left = 1; require('fs').writeFileSync('left', ''); "+
		"require('module')._cache.left = process.env.LEFT = '1'; console.log('yes'); process.on('exit', () => { process.exitCode = 0 })", verdicts.Accepted)
	if !tool.forks.Load() {
		t.Skip("Node is not forked here")
	}
	expect(t, j, task, "if (typeof left === 'undefined' && !require('fs').existsSync('left') && [1].map(String).length && !process.env.LEFT && "+
		"!require('module')._cache.left && require.main === module && !process.env.LD_PRELOAD && process.execArgv.length === 2) console.log('yes')", verdicts.Accepted)
	said := map[string]bool{}
	for range 3 {
		said[judgeCode(t, j, task, "console.log(require('crypto').randomUUID())").Stdout] = true
	}
	if len(said) != 3 {
		t.Errorf("forks have the same random numbers: %v", said)
	}
	for code, want := range map[string]string{
		"process.exitCode = 3":                                         "the program ended with exit status 3",
		"process.on('exit', () => { throw new Error('no') })":          "the program ended with exit status 1: Error: no",
		"setTimeout(() => { throw new Error('no') }, 1)":               "the program ended with exit status 1: Error: no",
		"process.abort()":                                              "the process was ended by signal 6 (aborted)",
		"delete process.emit; process.emit = () => 1; process.exit(5)": "the program ended with exit status 5",
	} {
		if r := judgeCode(t, j, task, code); r.Verdict != verdicts.RuntimeError || !strings.HasPrefix(r.Message, want) {
			t.Errorf("%s: %s %q, want %q", code, r.Verdict, r.Message, want)
		}
	}
	task.Limits = benchmark.Limits{CPUSeconds: 1, MemoryMB: 128}
	expect(t, j, task, "for (;;);", verdicts.TimeLimit)
	task.Limits.CPUSeconds = 15
	expect(t, j, task, "const a = []; for (;;) a.push(new Array(1e5).fill(1.5))", verdicts.MemoryLimit)
}

// TestForkedPython runs programs in forks of one interpreter, in a box with an interpreter of their own, and by
// the plain command: nothing that they print, and no verdict, differs.
func TestForkedPython(t *testing.T) {
	t.Parallel()
	j, plain, task := ownJudge(t), ownJudge(t), printing("python")
	if err := plain.WithoutShortcuts(task); err != nil {
		t.Skip(err)
	}
	task.Tests.Runs[0].Input = "one\ntwo\n"
	for i, code := range []string{
		"print('yes')",
		"import os, random, re, sys\nos.left = sys.left = re.left = 1\nopen('left', 'w')\nsys.path.append('left')\nsys.setrecursionlimit(50)\nos.environ['LEFT'] = '1'\nprint('yes')",
		"import os, re, sys\nprint(hasattr(os, 'left'), hasattr(re, 'left'), hasattr(sys, 'left'), os.listdir(), sys.getrecursionlimit(), 'LEFT' in os.environ)",
		"import os, sys\nprint(sys.argv, sys.path, sys.flags, os.getpid(), os.getcwd(), sorted(globals()), __file__, __name__, __package__, __spec__, __loader__.path, __annotations__)",
		"import sys\nprint(sys.stdin.encoding, sys.stdin.errors, sys.stdout.encoding, sys.stdout.errors, sys.stdout.line_buffering, sys.stdin.seekable(), sys.stdin.fileno(), sys.stdin.name)",
		"import inspect\ndef f(): pass\nprint(inspect.getsource(f), input(), input())\ninput()",
		"import pickle\nclass C: pass\nprint(type(pickle.loads(pickle.dumps(C()))), C.__module__)",
		"import multiprocessing as m\ndef f(x): return x * x\nif __name__ == '__main__':\n    with m.get_context('fork').Pool(2) as p: print(p.map(f, [1, 2]))",
		"import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print('last'))).start()\nprint(threading.current_thread().name, threading.active_count())\nraise ValueError('main')",
		"import atexit\natexit.register(print, 'at exit')\nclass C:\n    def __del__(self): print('deleted')\nc = C()\ndef f(): return c\nprint('yes')",
		"class C:\n    def __str__(self): return 'c'\n    def __del__(self): print('deleted', list)\nc = C()\nraise SystemExit(c)",
		"import sys\nsys.exit(3)", "import sys\nsys.exit('no')", "import sys\nsys.exit()", "import sys\nsys.stderr = None\nsys.exit('no')", "exit()", "quit(2)", "import os\nprint('lost')\nos._exit(4)", "raise SystemExit(True)",
		"def f(n):\n    if n: f(n - 1)\n    else: raise KeyError('k')\nf(3)",
		"try: 1 / 0\nexcept ZeroDivisionError as e: raise ValueError('v') from e",
		"try:\n    1 / 0\nfinally:\n    {}['k']",
		"import sys\nsys.excepthook = lambda *a: print(a[0], a[2].tb_lineno)\nx = 1\nraise OSError",
		"raise ExceptionGroup('g', [ValueError(1), TypeError(2)])", "raise KeyboardInterrupt", "raise BaseException('b')",
		"print('yes'", "def f():\nreturn 1", "x = '\\ud800'\nprint(x)", "# coding: latin-1\nprint('\xe9')", "x = 1\x00",
		"def f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(990))", "def f(n): return 1 + f(n + 1)\nf(0)",
		"import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(20000))",
		"import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "import os\nos.abort()", "import sys\nprint(sys.stdin.read().split(), file=sys.stderr)\nprint('yes')",
		"import os\nif os.fork() == 0: print('child')\nelse: os.wait(); print('parent')",
		"import sys\nfor line in open(0): print(line, end='')\nsys.stdout.close()", "print(*(i for i in {'a', 'b', 'c', 'd'}), hash('x'))", "import gc\nprint(gc.isenabled(), gc.get_threshold(), gc.get_freeze_count() >= 0)",
		"import assay_nothing", "from math import *\nprint(gcd(4, 6), 'sys' in globals())", "import signal\nprint(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGPIPE))",
	} {
		if !sampled.OneIn(3, i) {
			continue
		}
		got, want := judgeCode(t, j, task, code), judgeCode(t, plain, task, code)
		if got.Verdict != want.Verdict || got.Message != want.Message || got.Stdout != want.Stdout || got.Stderr != want.Stderr {
			t.Errorf("%s\nforked: %s %q\n%s%s\nplain: %s %q\n%s%s", code, got.Verdict, got.Message, got.Stdout, got.Stderr, want.Verdict, want.Message, want.Stdout, want.Stderr)
		}
		// Some tell where they run; two levels of calls are program.py's, and it takes no zero byte for an end.
		if regexp.MustCompile(`listdir|getpid|seekable|KeyboardInterrupt|\x00|f\(n \+ 1\)`).MatchString(code) {
			continue
		}
		file := filepath.Join(t.TempDir(), "main.py")
		fatal.If(t, os.WriteFile(file, []byte(code), 0o644))
		var stdout, stderr strings.Builder
		cmd := exec.Command(j.python.Executable, "-s", "-B", file)
		cmd.Env, cmd.Dir = []string{j.python.hashing(), "LANG=C.UTF-8", "PYTHONIOENCODING=utf-8"}, filepath.Dir(file)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(task.Tests.Runs[0].Input), &stdout, &stderr
		_ = cmd.Run() // the exit status is in the message
		if said := strings.ReplaceAll(stderr.String(), cmd.Dir, "/tmp/work"); stdout.String() != got.Stdout || said != got.Stderr ||
			cmd.ProcessState.ExitCode() > 0 && !strings.Contains(got.Message, fmt.Sprintf("exit status %d", cmd.ProcessState.ExitCode())) && got.Verdict != verdicts.CompileError {
			t.Errorf("%s\nforked: %s %q\n%s%s\non its own: %v\n%s%s", code, got.Verdict, got.Message, got.Stdout, got.Stderr, cmd.ProcessState, &stdout, said)
		}
	}
	switch tool := toolFor(t, j, "python"); {
	case tool.trialText == "":
		t.Skip("boxes do not fork here")
	case !tool.forks.Load():
		t.Fatal("no program was forked")
	}
	said := map[string]bool{}
	for range 3 {
		said[judgeCode(t, j, task, "import random, uuid\nprint(random.random(), uuid.uuid4())").Stdout] = true
	}
	if len(said) != 3 {
		t.Errorf("forks have the same random numbers: %v", said)
	}
}
