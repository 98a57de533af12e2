package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/language"
	"assay/data/sampled"
)

// programs are in each language one that doubles the numbers it reads, with "2 *" in it, and ones that go wrong.
var programs = map[string]struct {
	good   string
	broken string // a compiler finds an error
	fails  string // while it runs
	loops  string
	hogs   string // fills the memory
	floods string // writes without end
}{
	"python": {
		good:   "import sys\nfor w in sys.stdin.read().split(): print(2 * int(w))",
		broken: "print(", fails: "print(1); raise ValueError('x')", loops: "while True: pass",
		hogs: "x = []\nwhile True: x.append(bytearray(8 << 20))", floods: "while True: print('x' * 999)",
	},
	"javascript": {
		good:   "const t = require('fs').readFileSync(0, 'utf8');\nfor (const w of t.split(/\\s+/).filter(x => x)) console.log(2 * w);",
		broken: "let x = ;", fails: "throw new Error('x')", loops: "for (;;) {}",
		hogs: "const x = []; for (;;) x.push(Buffer.alloc(8 << 20, 1));", floods: "const t = 'x'.repeat(9999); for (;;) require('fs').writeSync(1, t);",
	},
	"typescript": {
		good:   "const t: string = require('fs').readFileSync(0, 'utf8');\nfor (const w of t.split(/\\s+/).filter(x => x)) console.log(2 * parseInt(w));",
		broken: "const x: number = 'a';", fails: "throw new Error('x')", loops: "for (;;) {}",
		hogs: "import * as fs from 'fs';\nconst x: any[] = []; for (;;) x.push(Buffer.alloc(8 << 20, 1));", floods: "const t = 'x'.repeat(9999); for (;;) require('fs').writeSync(1, t);",
	},
	"c": {
		good:   "#include <stdio.h>\nint main(void) { int n; while (scanf(\"%d\", &n) == 1) printf(\"%d\\n\", 2 * n); return 0; }",
		broken: "int main(void) { return x; }", fails: "#include <stdlib.h>\nint main(void) { abort(); }", loops: "int main(void) { volatile int i = 0; for (;;) i++; }",
		hogs:   "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) { char *volatile p = malloc(8 << 20); memset(p, 1, 8 << 20); } }",
		floods: "#include <stdio.h>\nint main(void) { for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); }",
	},
	"cpp": {
		good:   "#include <iostream>\nint main() { int n; while (std::cin >> n) std::cout << 2 * n << '\\n'; }",
		broken: "int main() { return x; }", fails: "#include <stdexcept>\nint main() { throw std::runtime_error(\"x\"); }", loops: "int main() { volatile int i = 0; for (;;) i = i + 1; }",
		hogs:   "#include <string>\n#include <vector>\nint main() { std::vector<std::string> x; for (;;) x.push_back(std::string(8 << 20, 'x')); }",
		floods: "#include <iostream>\nint main() { for (;;) std::cout << \"xxxxxxxxxxxxxxxxxxxxxxxxxxx\\n\"; }",
	},
	"go": {
		good:   "package main\nimport \"fmt\"\nfunc main() { var n int; for { if _, err := fmt.Scan(&n); err != nil { return }; fmt.Println(2 * n) } }",
		broken: "package main\nfunc main() { x := 1 }", fails: "package main\nfunc main() { panic(1) }", loops: "package main\nfunc main() { for {} }",
		hogs:   "package main\nvar x [][]byte\nfunc main() { for { b := make([]byte, 8 << 20); for i := range b { b[i] = 1 }; x = append(x, b) } }",
		floods: "package main\nimport \"fmt\"\nfunc main() { for { fmt.Println(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\") } }",
	},
	"java": {
		good:   "import java.util.*;\npublic class Solution { public static void main(String[] a) { Scanner s = new Scanner(System.in); while (s.hasNextInt()) System.out.println(2 * s.nextInt()); } }",
		broken: "class Main { int x = ; }", fails: "class Main { public static void main(String[] a) { throw new RuntimeException(\"x\"); } }", loops: "class Main { public static void main(String[] a) { for (;;); } }",
		hogs:   "import java.util.*;\nclass Main { public static void main(String[] a) { List<byte[]> x = new ArrayList<>(); for (;;) x.add(new byte[8 << 20]); } }",
		floods: "class Main { public static void main(String[] a) { for (;;) System.out.println(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); } }",
	},
	"bash": {
		good: "for w in $(cat); do echo $((2 * w)); done", broken: "if then", fails: "exit 3", loops: "while :; do :; done",
		hogs: "x=xxxxxxxx; while :; do x=$x$x; done", floods: "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
	},
	"r": {
		good:   "for (n in scan('stdin', quiet = TRUE)) cat(2 * n, '\\n')",
		broken: "x <- (", fails: "stop('x')", loops: "repeat {}",
		hogs: "x <- list()\nrepeat x[[length(x) + 1]] <- rep(1, 1e6)", floods: "t <- strrep('x', 9999)\nrepeat cat(t)",
	},
	"ruby": {
		good:   "$stdin.read.split.each { |w| puts 2 * w.to_i }",
		broken: "def f(", fails: "raise 'x'", loops: "loop {}",
		hogs: "x = []\nloop { x << 'x' * (8 << 20) }", floods: "loop { puts 'x' * 999 }",
	},
	"php": {
		good:   "<?php\nforeach (preg_split('/\\s+/', stream_get_contents(STDIN), -1, PREG_SPLIT_NO_EMPTY) as $w) echo 2 * $w, \"\\n\";",
		broken: "<?php\nfunction f( {", fails: "<?php\nthrow new Exception('x');", loops: "<?php\nwhile (true) {}",
		hogs: "<?php\n$x = [];\nwhile (true) $x[] = str_repeat('x', 8 << 20);", floods: "<?php\nwhile (true) echo str_repeat('x', 999);",
	},
	"lua": {
		good:   "for w in io.read('a'):gmatch('%S+') do print(2 * math.tointeger(w)) end",
		broken: "local x = ", fails: "error('x')", loops: "while true do end",
		hogs: "local x = {}\nwhile true do x[#x + 1] = ('x'):rep(8 << 20) .. #x end", floods: "while true do print(('x'):rep(999)) end",
	},
	"perl": {
		good:   "for (split ' ', join '', <STDIN>) { print 2 * $_, \"\\n\" }",
		broken: "my $x = ;", fails: "die 'x'", loops: "while (1) {}",
		hogs: "my @x; while (1) { push @x, 'x' x (8 << 20) }", floods: "while (1) { print 'x' x 999 }",
	},
	"rust": {
		good:   "use std::io::Read;\nfn main() { let mut t = String::new(); std::io::stdin().read_to_string(&mut t).unwrap(); for w in t.split_whitespace() { println!(\"{}\", 2 * w.parse::<i32>().unwrap()); } }",
		broken: "fn main() { let x: i32 = \"a\"; }", fails: "fn main() { panic!(\"x\") }", loops: "fn main() { loop {} }",
		hogs: "fn main() { let mut x = Vec::new(); loop { x.push(vec![1u8; 8 << 20]); } }", floods: "fn main() { loop { println!(\"{}\", \"x\".repeat(999)); } }",
	},
	"csharp": {
		good:   "using System;\nclass P { static void Main() { foreach (var w in Console.In.ReadToEnd().Split(new[] { ' ', '\\n' }, StringSplitOptions.RemoveEmptyEntries)) Console.WriteLine(2 * int.Parse(w)); } }",
		broken: "class P { static void Main() { int x = \"a\"; } }", fails: "class P { static void Main() { throw new System.Exception(\"x\"); } }", loops: "class P { static void Main() { for (;;); } }",
		hogs:   "using System.Collections.Generic;\nclass P { static void Main() { var x = new List<byte[]>(); for (;;) { var b = new byte[8 << 20]; for (int i = 0; i < b.Length; i += 4096) b[i] = 1; x.Add(b); } } }",
		floods: "class P { static void Main() { for (;;) System.Console.WriteLine(new string('x', 999)); } }",
	},
	"scala": {
		good:   "object Solution { def main(a: Array[String]): Unit = for (w <- scala.io.Source.stdin.mkString.split(\"\\\\s+\") if w.nonEmpty) println(2 * w.toInt) }",
		broken: "object Main { val x: Int = \"a\" }", fails: "object Main { def main(a: Array[String]): Unit = throw new Exception(\"x\") }", loops: "object Main extends App { while (true) {} }",
		hogs:   "object Main { def main(a: Array[String]): Unit = { var x = List[Array[Byte]](); while (true) x = new Array[Byte](8 << 20) :: x } }",
		floods: "object Main { def main(a: Array[String]): Unit = while (true) println(\"x\" * 999) }",
	},
	"kotlin": {
		good:   "fun main() { for (w in System.`in`.bufferedReader().readText().split(Regex(\"\\\\s+\"))) if (w != \"\") println(2 * w.toInt()) }",
		broken: "fun main() { val x: Int = \"a\" }", fails: "fun main() { throw Exception(\"x\") }", loops: "fun main() { while (true) {} }",
		hogs:   "fun main() { val x = ArrayList<ByteArray>(); while (true) x.add(ByteArray(8 shl 20)) }",
		floods: "fun main() { while (true) println(\"x\".repeat(999)) }",
	},
	"haskell": {
		good:   "main :: IO ()\nmain = interact (unlines . map (show . (2 *) . (read :: String -> Int)) . words)",
		broken: "main :: IO ()\nmain = putStrLn 1", fails: "main :: IO ()\nmain = error \"x\"", loops: "main :: IO ()\nmain = go 0 where go n = if n < (0 :: Integer) then return () else go (n + 1)",
		hogs: "main :: IO ()\nmain = let xs = [1 :: Integer ..] in print (sum xs + head xs + toInteger (length xs))", floods: "main :: IO ()\nmain = mapM_ putStrLn (repeat (replicate 999 'x'))",
	},
	"ocaml": {
		good:   "let () = try while true do Scanf.scanf \" %d\" (fun n -> Printf.printf \"%d\\n\" (2 * n)) done with _ -> ()",
		broken: "let x : int = \"a\"", fails: "let () = failwith \"x\"", loops: "let () = while true do () done",
		hogs: "let () = let x = ref [] in while true do x := Bytes.make (8 lsl 20) 'x' :: !x done", floods: "let () = while true do print_endline (String.make 999 'x') done",
	},
	"d": {
		good:   "import std.stdio, std.array, std.conv;\nvoid main() { foreach (line; stdin.byLine) foreach (w; line.split) writeln(2 * w.to!int); }",
		broken: "void main() { int x = \"a\"; }", fails: "void main() { throw new Exception(\"x\"); }", loops: "void main() { while (true) {} }",
		hogs: "void main() { ubyte[][] x; while (true) { auto b = new ubyte[8 << 20]; b[] = 1; x ~= b; } }", floods: "import std.stdio, std.range;\nvoid main() { while (true) writeln('x'.repeat(999)); }",
	},
	"racket": {
		good:   "#lang racket\n(for ([n (in-port)]) (displayln (* 2 n)))",
		broken: "#lang racket\n(define (f x)", fails: "#lang racket\n(error \"x\")", loops: "#lang racket\n(let loop () (loop))",
		hogs: "#lang racket\n(let loop ([x '()]) (loop (cons (make-bytes (* 8 1024 1024) 1) x)))", floods: "#lang racket\n(let loop () (displayln (make-string 999 #\\x)) (loop))",
	},
	"clojure": {
		good:   "(doseq [w (re-seq #\"\\d+\" (slurp *in*))] (println (* 2 (Integer/parseInt w))))",
		broken: "(defn f [", fails: "(throw (Exception. \"x\"))", loops: "(loop [] (recur))",
		hogs: "(loop [x nil] (recur (cons (byte-array (bit-shift-left 8 20)) x)))", floods: "(loop [] (println (apply str (repeat 999 \\x))) (recur))",
	},
	"elixir": {
		good:   "for w <- String.split(IO.read(:stdio, :all)), do: IO.puts(2 * String.to_integer(w))",
		broken: "defmodule A do\n  def f(x", fails: "raise \"x\"", loops: "defmodule A do\n  def f(n), do: f(n + 1)\nend\nA.f(0)",
		hogs: "defmodule A do\n  def f(x), do: f([:binary.copy(<<1>>, 8 * 1024 * 1024) | x])\nend\nA.f([])", floods: "defmodule A do\n  def f do\n    IO.puts(String.duplicate(\"x\", 999))\n    f()\n  end\nend\nA.f()",
	},
	"julia": {
		good:   "for w in split(read(stdin, String)) println(2 * parse(Int, w)) end",
		broken: "function f(", fails: "error(\"x\")", loops: "while true end",
		hogs: "x = []; while true push!(x, fill(0x1, 8 << 20)) end", floods: "while true println(\"x\"^999) end",
	},
	"swift": {
		good:   "while let line = readLine() { for w in line.split(separator: \" \") { print(2 * Int(w)!) } }",
		broken: "let x: Int = \"a\"", fails: "fatalError(\"x\")", loops: "while true {}",
		hogs: "var x: [[UInt8]] = []\nwhile true { x.append([UInt8](repeating: 1, count: 8 << 20)) }", floods: "while true { print(String(repeating: \"x\", count: 999)) }",
	},
}

// slowToStart are the languages whose runtimes need a good part of a second.
var slowToStart = []string{"java", "r", "scala", "kotlin", "clojure", "racket", "elixir", "julia"}

// limitsFor are short limits within which programs in a language can start.
func limitsFor(name string, short benchmark.Limits) benchmark.Limits {
	for _, slow := range slowToStart {
		if name == slow {
			short.CPUSeconds, short.CPUTotal = 3, 8
		}
	}
	return short
}

// TestPrograms: whole programs in every language that is installed. ASSAY_TESTS=all tries those that fill memory or output in
// each of them, else in every second one.
func TestPrograms(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for k, name := range language.Names() {
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			code, known := programs[name]
			if !known {
				t.Fatal("the language has no programs here")
			}
			stdin := &benchmark.Task{ID: "p", Language: name, Tests: benchmark.Tests{Style: benchmark.Stdin,
				Runs: []benchmark.Run{{Input: "1 2\n3", Output: "2\n4\n6\n"}, {Input: "", Output: ""}, {Input: "21", Output: "42"}}},
				Limits: limitsFor(name, benchmark.Limits{CPUSeconds: 1, CPUTotal: 4})}
			ready(t, j, stdin)
			wrong := strings.NewReplacer("2 *", "3 *", "* 2", "* 3").Replace(code.good)
			for _, tt := range []struct {
				name, code string
				verdict    verdicts.Verdict
				passed     int
			}{
				{"good", code.good, verdicts.Accepted, 3},
				{"wrong", wrong, verdicts.WrongAnswer, 1},
				{"compile error", code.broken, verdicts.CompileError, 0},
				{"fails", code.fails, verdicts.RuntimeError, 0},
				{"loops", code.loops, verdicts.TimeLimit, 0},
			} {
				if !sampled.OneIn(2, k) && tt.name != "good" && tt.name != "compile error" {
					continue
				}
				task := *stdin
				if tt.verdict == verdicts.TimeLimit { // each input would be waited for
					task.Tests.Runs = task.Tests.Runs[:1]
				}
				r := judgeCode(t, j, &task, tt.code)
				if r.Verdict != tt.verdict || r.Passed != tt.passed || r.Isolation != "isolated" || r.Total != len(r.Cases) || r.Interpreter == "" {
					t.Errorf("%s: %s %d/%d %q %s %+v\n%s", tt.name, r.Verdict, r.Passed, r.Total, r.Message, r.Isolation, r.Cases, r.Stderr)
				}
			}
			greedy := &benchmark.Task{ID: "p", Language: name, Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Output: "x"}}},
				Limits: benchmark.Limits{CPUSeconds: 8, CPUTotal: 8, MemoryMB: 256, OutputKB: 256}}
			for _, tt := range []struct {
				name, code string
				verdicts   []verdicts.Verdict
			}{
				// A runtime that has its own limit ends by an error of its own.
				{"fills the memory", code.hogs, []verdicts.Verdict{verdicts.MemoryLimit, verdicts.RuntimeError}},
				{"floods", code.floods, []verdicts.Verdict{verdicts.OutputLimit}},
				{"self-test", language.Find(name).Double, []verdicts.Verdict{verdicts.RuntimeError, verdicts.WrongAnswer}}, // without input
			} {
				if !sampled.OneIn(2, k) && tt.name != "self-test" {
					continue
				}
				if r := judgeCode(t, j, greedy, tt.code); !contains(tt.verdicts, r.Verdict) {
					t.Errorf("%s: %s %q, want %v\n%s", tt.name, r.Verdict, r.Message, tt.verdicts, r.Stderr)
				}
			}
		})
	}
}

func contains(verdicts []verdicts.Verdict, v verdicts.Verdict) bool {
	for _, want := range verdicts {
		if v == want {
			return true
		}
	}
	return false
}
