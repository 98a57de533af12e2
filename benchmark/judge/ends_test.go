package judge

import "maps"

const forgedWord = "XXXXXXXXXXXXXXXXXXXXXXXXXX"

func init() {
	maps.Copy(ends, map[string]scriptEnds{
		"typescript": {
			tests: []string{"declare var require: any;\nconst assert = require('node:assert');\nfunction test() {\n  let candidate = f;\n  assert.deepEqual(candidate(), 1);\n}\n\ntest();",
				"require('assert').strictEqual(f(), 1);\nprocess.exit(0);", "(async () => { await null; require('assert').strictEqual(f(), 1); })()"},
			right: "const f = (): number => 1;", wrong: "const f = (): number => 2;",
			forgers: map[string]string{
				"exits while loading": "const f = () => 2; process.exit(0)",
				"exits":               "const f = () => process.exit(0)",
				"exits at the end":    "process.on('exit', () => { process.exitCode = 0; process.reallyExit(0); }); const f = () => 2;",
				"catches what fails":  "process.on('uncaughtException', () => {}); const f = () => 2;",
				"makes up a word":     "require('fs').writeSync(8, 'X'.repeat(26) + '\\n'); const f = () => process.exit(0)",
			},
			occupied: "require('fs').closeSync(8); const f = () => { for (;;); }",
		},
		"ruby": {
			raising: []string{"raise 'no' unless f == 1\n", "raise 'no' unless f == 1\nexit 0", "raise 'no' unless f == 1\nif true\n  exit\nend",
				"raise 'no' unless f == 1\nmodule T; end\nexit(true)\n"},
			right: "def f\n  1\nend", wrong: "def f\n  2\nend",
			forgers: map[string]string{
				"exits while loading":  "exit 0",
				"exits":                "def f\n  exit 0\nend",
				"exits at once":        "def f\n  exit! 0\nend",
				"exits at the end":     "at_exit { exit! 0 }\ndef f\n  2\nend",
				"exits in a thread":    "def f\n  Thread.new { exit! 0 }.join\nend",
				"makes up a word":      "def f\n  IO.for_fd(8).syswrite('" + forgedWord + "' + \"\\n\")\n  exit! 0\nend",
				"catches what is not":  "def f\n  throw :done\nend",
				"replaces the failure": "def raise(*)\n  Kernel.exit 0\nend\ndef f\n  2\nend",
			},
			occupied: "def f\n  IO.for_fd(8).close\n  loop {}\nend",
		},
		"php": {
			tests: []string{"function test(): void { if (f() !== 1) { throw new Exception('Test failed!'); } }\ntest();", "if (f() !== 1) exit(1);\nexit(0);", "assert(f() === 1);\nexit;"},
			right: "<?php\nfunction f() { return 1; }", wrong: "<?php\nfunction f() { return 2; }",
			forgers: map[string]string{
				"exits while loading": "<?php\nexit(0);",
				"exits":               "<?php\nfunction f() { exit(0); }",
				"exits at the end":    "<?php\nregister_shutdown_function(function () { exit(0); });\nfunction f() { return 2; }",
				"catches what fails":  "<?php\nset_exception_handler(function ($e) { exit(0); });\nfunction f() { return 2; }",
				"makes up a word":     "<?php\nfunction f() { fwrite(fopen('php://fd/8', 'w'), '" + forgedWord + "' . \"\\n\"); exit(0); }",
			},
			occupied: "<?php\nfunction f() { while (true) {} }",
		},
		"lua": {
			tests:   []string{"assert(f() == 1)", "assert(f() == 1)\nos.exit(0)"},
			raising: []string{"if f() ~= 1 then os.exit(1) end\nos.exit(true)", "os.exit(f() - 1)"},
			right:   "function f() return 1 end", wrong: "function f() return 2 end",
			forgers: map[string]string{
				"exits while loading": "os.exit(0)",
				"exits":               "function f() os.exit(0) end",
				"exits at the end":    "setmetatable({}, {__gc = function() os.exit(0) end})\nfunction f() return 2 end",
				"makes up a word":     "function f() os.execute('echo " + forgedWord + " >&8') os.exit(0) end",
			},
			occupied: "function f() while true do end end",
		},
		"perl": {
			raising: []string{"die 'no' unless f() == 1;\n"},
			tests:   []string{"sub t {\n    if (f() == 1) {\n    print \"ok!\" }else{\n    exit 1;\n    }\n}\n\nt();\n", "if (f() != 1) { exit 1; }\nexit;", "exit(f() == 1 ? 0 : 1);"},
			right:   "sub f { return 1 }", wrong: "sub f { return 2 }",
			forgers: map[string]string{
				"exits while loading": "exit 0;",
				"exits":               "sub f { exit 0 }",
				"exits at the end":    "END { $? = 0; POSIX::_exit(0) if 0; }\nsub f { exit 3 }",
				"makes up a word":     "sub f { open(my $o, '>&=', 8); syswrite($o, \"" + forgedWord + "\\n\"); exit 0 }",
			},
			occupied: "sub f { while (1) {} }",
		},
		"rust": {
			tests:   []string{"fn main() {\n    let candidate = f;\n    assert_eq!(candidate(), 1);\n}\n", "fn main() { assert_eq!(f(), 1); std::process::exit(0); }"},
			raising: []string{"fn main() -> Result<(), String> { if f() == 1 { Ok(()) } else { Err(\"no\".to_string()) } }"},
			right:   "fn f() -> isize { 1 }", wrong: "fn f() -> isize { 2 }",
			forgers: map[string]string{
				"exits":                "fn f() -> isize { std::process::exit(0) }",
				"exits when it panics": "fn f() -> isize { std::panic::set_hook(Box::new(|_| std::process::exit(0))); 2 }",
				"exits in a thread":    "fn f() -> isize { std::thread::spawn(|| std::process::exit(0)).join().unwrap(); 2 }",
				"makes up a word":      "fn f() -> isize { use std::io::Write; use std::os::unix::io::FromRawFd; let mut o = unsafe { std::fs::File::from_raw_fd(8) }; o.write_all(b\"" + forgedWord + "\\n\").unwrap(); std::process::exit(0) }",
			},
			occupied: "fn f() -> isize { loop {} }",
		},
		"csharp": {
			tests:   []string{"class Problem {\n    public static void Main(string[] args) {\n    Debug.Assert(S.f() == 1);\n    }\n\n}\n"},
			raising: []string{"class T { static int Main() { return S.f() - 1; } }", "class T { static void Main() { if (S.f() != 1) throw new Exception(); Environment.Exit(0); } }"},
			setup:   "using System;\nusing System.Diagnostics;\n",
			right:   "class S { public static int f() { return 1; } }", wrong: "class S { public static int f() { return 2; } }",
			forgers: map[string]string{
				"exits while loading": "class S { static S() { Environment.Exit(0); } public static int f() { return 2; } }",
				"exits":               "class S { public static int f() { Environment.Exit(0); return 2; } }",
				"exits at the end":    "class S { public static int f() { AppDomain.CurrentDomain.ProcessExit += (a, b) => Environment.Exit(0); return 2; } }",
				"exits in a thread":   "class S { public static int f() { new System.Threading.Thread(() => Environment.Exit(0)).Start(); for (;;); } }",
				"ends its thread":     "class S { public static int f() { System.Threading.Thread.CurrentThread.Abort(); return 2; } }",
			},
			occupied: "class S { public static int f() { for (;;); } }",
		},
		"scala": {
			tests: []string{"object Problem {\n    def main(args: Array[String]) = {\n    assert(S.f == 1);\n    }\n\n}\n", "object T { def main(a: Array[String]): Unit = { assert(S.f == 1); sys.exit(0) } }"},
			right: "object S { def f = 1 }", wrong: "object S { def f = 2 }",
			forgers: map[string]string{
				"exits while loading": "object S { sys.exit(0); def f = 2 }",
				"exits":               "object S { def f: Int = sys.exit(0) }",
				"exits at the end":    "object S { def f = { sys.addShutdownHook(Runtime.getRuntime.halt(0)); 2 } }",
				"exits in a thread":   "object S { def f: Int = { new Thread(new Runnable { def run() = sys.exit(0) }).start(); while (true) {}; 2 } }",
			},
			occupied: "object S { def f: Int = { while (true) {}; 2 } }",
		},
		"kotlin": {
			tests:   []string{"fun main() {\n    check(f() == 1)\n}\n", "fun main() { check(f() == 1); kotlin.system.exitProcess(0) }"},
			raising: []string{"fun main(args: Array<String>) { if (f() != 1) throw Exception(\"no\") }"},
			right:   "fun f() = 1", wrong: "fun f() = 2",
			forgers: map[string]string{
				"exits":             "fun f(): Int { System.exit(0); return 2 }",
				"exits at the end":  "fun f(): Int { Runtime.getRuntime().addShutdownHook(Thread { Runtime.getRuntime().halt(0) }); return 2 }",
				"exits in a thread": "fun f(): Int { Thread { System.exit(0) }.start(); while (true) {} }",
			},
			occupied: "fun f(): Int { while (true) {} }",
		},
		"haskell": {
			tests:   []string{"main :: IO ()\nmain = do\n  let candidate = f\n  if candidate == 1 then pure () else error \"assertion failed\"\n  pure ()\n"},
			raising: []string{"main = if f == 1 then exitSuccess else exitFailure"},
			setup:   "import System.Exit\nimport System.IO.Unsafe\nimport System.Posix.Process\n",
			right:   "f :: Int\nf = 1", wrong: "f :: Int\nf = 2",
			forgers: map[string]string{
				"exits at once": "f :: Int\nf = unsafePerformIO (exitImmediately ExitSuccess >> return 2)",
				"ends in error": "f :: Int\nf = unsafePerformIO (exitWith (ExitFailure 3))",
			},
			occupied: "f :: Int\nf = length [1 :: Integer ..]",
		},
		"ocaml": {
			tests:   []string{"let assertions =\n let candidate = f in\n  (assert ((candidate ()) = 1));\n  ()\n"},
			raising: []string{"let () = if f () = 1 then exit 0 else exit 1"},
			right:   "let rec f () : int = 1", wrong: "let rec f () : int = 2",
			forgers: map[string]string{
				"exits while loading": "let () = exit 0\nlet f () = 2",
				"exits":               "let f () : int = exit 0",
				"exits at once":       "let f () : int = Unix._exit 0",
				"exits at the end":    "let () = at_exit (fun () -> Unix._exit 0)\nlet f () = 2",
				"makes up a word":     "let f () : int = ignore (Sys.command \"echo " + forgedWord + " >&8\"); exit 0",
			},
			occupied: "let f () : int = while true do () done; 2",
		},
		"d": {
			tests: []string{"unittest\n{\n    alias candidate = f;\n\n    assert(candidate() == 1L);\n}\nvoid main(){}", "void main() { assert(f() == 1); }", "int main(string[] args) { import core.stdc.stdlib; assert(f() == 1); exit(0); return 1; }"},
			right: "long f() { return 1; }", wrong: "long f() { return 2; }",
			forgers: map[string]string{
				"exits while loading": "import core.stdc.stdlib;\nshared static this() { exit(0); }\nlong f() { return 2; }",
				"exits":               "import core.stdc.stdlib;\nlong f() { exit(0); return 2; }",
				"exits at the end":    "import core.stdc.stdlib;\nextern (C) void end() { _Exit(0); }\nlong f() { atexit(&end); return 2; }",
				"exits in a thread":   "import core.thread, core.stdc.stdlib;\nlong f() { new Thread(() { exit(0); }).start(); while (true) {} }",
			},
			occupied: "long f() { while (true) {} }",
		},
		"racket": {
			tests:   []string{"(require rackunit)\n\n(define (test-humaneval)\n  (let (( candidate f))\n    (check-within (candidate) 1 0.001)\n))\n\n(test-humaneval)\n"},
			raising: []string{"(unless (= (f) 1) (error \"no\"))"},
			right:   "#lang racket\n(define (f) 1)", wrong: "#lang racket\n(define (f) 2)",
			forgers: map[string]string{
				"exits while loading":  "#lang racket\n(exit 0)\n(define (f) 2)",
				"exits":                "#lang racket\n(define (f) (exit 0))",
				"exits with its error": "#lang racket\n(uncaught-exception-handler (lambda (e) (exit 0)))\n(define (f) (error \"x\"))",
				"exits in a thread":    "#lang racket\n(define (f) (thread-wait (thread (lambda () (exit 0)))))",
			},
			occupied: "#lang racket\n(define (f) (let loop () (loop)))",
		},
		"clojure": {
			tests:   []string{"(require '[clojure.test :refer [deftest is run-test]])\n\n(def candidate f)\n\n(deftest test-humaneval\n\n  (is (= (candidate) 1))\n)\n\n(run-test test-humaneval)\n"},
			raising: []string{"(when (not= (f) 1) (throw (Exception. \"no\")))\n(System/exit 0)"},
			right:   "(defn f [] 1)", wrong: "(defn f [] 2)",
			forgers: map[string]string{
				"exits while loading": "(System/exit 0)",
				"exits":               "(defn f [] (System/exit 0))",
				"exits at the end":    "(defn f [] (.addShutdownHook (Runtime/getRuntime) (Thread. #(.halt (Runtime/getRuntime) 0))) 2)",
				"raises":              "(defn f [] (throw (Error. \"x\")))",
			},
			occupied: "(defn f [] (loop [] (recur)))",
		},
		"julia": {
			tests:   []string{"using Test\n\n@testset begin\n\ncandidate = f;\n\t@test(candidate() == 1)\nend\n"},
			raising: []string{"f() == 1 || error(\"no\")\nexit(0)"},
			right:   "f() = 1", wrong: "f() = 2",
			forgers:  map[string]string{"exits while loading": "exit(0)", "exits": "f() = exit(0)", "exits at the end": "atexit(() -> ccall(:_exit, Cvoid, (Cint,), 0))\nf() = 2"},
			occupied: "function f() while true end end",
		},
		"swift": {
			tests:   []string{"assert(f() == 1)"},
			raising: []string{"if f() != 1 { exit(1) }\nexit(0)"},
			setup:   "import Glibc\n",
			right:   "func f() -> Int { return 1 }", wrong: "func f() -> Int { return 2 }",
			forgers:  map[string]string{"exits": "func f() -> Int { exit(0) }", "exits at the end": "func f() -> Int { atexit { _exit(0) }; return 2 }"},
			occupied: "func f() -> Int { while true {} }",
		},
	})
}
