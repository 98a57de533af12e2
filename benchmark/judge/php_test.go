package judge

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

func TestPHPCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct{ name, cases, code, statuses, message string }{
		{"number", `{"args":[2],"expected":4}`, "<?php\nfunction f($x) { return $x * $x; }", "passed", ""},
		{"without the tag", `{"args":[2],"expected":4}`, "function f($x) { return $x * $x; }", "passed", ""},
		{"a closure", `{"args":[2],"expected":4}`, "<?php\n$f = fn($x) => $x * $x;", "passed", ""},
		{"strict types", `{"args":[2],"expected":4}`, "<?php\ndeclare(strict_types=1);\nfunction f(int $x): int { return $x * $x; }", "passed", ""},
		{"wrong", `{"args":[2],"expected":5}`, "<?php\nfunction f($x) { return $x * $x; }", "wrong_answer", ""},
		{"true is not 1", `{"args":[2],"expected":1}`, "<?php\nfunction f($x) { return true; }", "wrong_answer", ""},
		{"text is not a number", `{"args":[2],"expected":1}`, "<?php\nfunction f($x) { return '1'; }", "wrong_answer", ""},
		{"list of maps", `{"args":[[{"a":1}]],"expected":[{"a":2,"b":null}]}`, "<?php\nfunction f($xs) { return array_map(fn($x) => ['a' => $x['a'] + 1, 'b' => null], $xs); }", "passed", ""},
		{"numbered keys", `{"args":[1],"expected":{"$dict":[[5,"x"]]}}`, "<?php\nfunction f($x) { return [5 => 'x']; }", "passed", ""},
		{"close", `{"args":[2],"expected":1.4142,"compare":"close","tolerance":1e-3}`, "<?php\nfunction f($x) { return sqrt($x); }", "passed", ""},
		{"nan and infinity", `{"args":[{"$float":"nan"}],"expected":[{"$float":"nan"},{"$float":"-inf"}]}`, "<?php\nfunction f($x) { return [$x, -INF]; }", "passed", ""},
		{"emoji", `{"args":["a😀"],"expected":"😀a"}`, "<?php\nfunction f($s) { return substr($s, 1) . $s[0]; }", "passed", ""},
		{"an object", `{"args":[1],"expected":"yes"}`, "<?php\nclass A { function __toString() { return 'yes'; } }\nfunction f($s) { return new A; }", "wrong_answer", ""},
		{"raises", `{"args":[2],"raises":"DivisionByZeroError"}`, "<?php\nfunction f($x) { return $x % 0; }", "passed", ""},
		{"raises a derived one", `{"args":[2],"raises":"InvalidArgumentException"}`, "<?php\nclass Bad extends InvalidArgumentException {}\nfunction f($x) { throw new Bad('x'); }", "passed", ""},
		{"fails", `{"args":[2],"expected":2}`, "<?php\nfunction f($x) {\n  throw new RangeException('no');\n}", "runtime_error", "RangeException: no (line 3: throw new RangeException('no');)"},
		{"syntax", `{"args":[2],"expected":2}`, "<?php\nfunction f($x {", "not_run", "ParseError"},
		{"missing", `{"args":[2],"expected":2}`, "<?php\nfunction g($x) {}", "not_run", "defines no function f"},
		{"does not load", `{"args":[2],"expected":2}`, "<?php\nfunction f($x) {}\nthrow new Exception('no');", "not_run", "Exception: no"},
		{"exit", `{"args":[2],"expected":2}`, "<?php\nfunction f($x) { exit(0); }", "runtime_error", "exit status 0"},
		{"loop", `{"args":[2],"expected":2}`, "<?php\nfunction f($x) { while (true) {} }", "time_limit", "processor time"},
		{"memory", `{"args":[2],"expected":2}`, "<?php\nfunction f($x) { $a = []; while (true) $a[] = str_repeat('x', 8 << 20); }", "memory_limit", ""},
		{"prints", `{"args":[2],"expected":2}`, "<?php\nfunction f($x) { echo $x; fwrite(STDERR, 'x'); return $x; }", "passed", ""},
		{"many cases", `{"args":[1],"expected":1} {"args":[2],"expected":2} {"args":[3],"expected":9}`, "<?php\nfunction f($x) { return $x; }", "passed passed wrong_answer", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := scriptedTask(t, j, "php", strings.SplitAfter(tt.cases, "} ")...)
			if tt.statuses == "memory_limit" {
				timeToFill(task)
			}
			r := judgeCode(t, j, task, tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" || !strings.Contains(r.Interpreter, "PHP") {
				t.Errorf("%s [%s] %q %s %s, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Isolation, r.Interpreter, tt.statuses, tt.message)
			}
		})
	}
}

// TestPHPAttacks: the classes of attack that a function in PHP can try.
func TestPHPAttacks(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	forged := func(message string) string {
		return "<?php\nfunction f($x) { $b = json_encode(" + message + "); $o = fopen('php://fd/4', 'w'); fwrite($o, pack('N', strlen($b)) . $b); fflush($o); return 1; }"
	}
	attackFunction(t, j, "php", []functionAttack{
		{"1 starts processes without end", "<?php\nfunction f($x) { while (true) popen('sleep 9', 'r'); }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.TimeLimit, verdicts.MemoryLimit}},
		{"4 endless output", "<?php\nfunction f($x) { while (true) echo str_repeat('x', 9999); }", []verdicts.Verdict{verdicts.OutputLimit}},
		{"5 fills the disk", "<?php\nfunction f($x) { while (file_put_contents('a', str_repeat('x', 99999), FILE_APPEND)) {} while (true) {} }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit, verdicts.TimeLimit}},
		{"9 sleeps", "<?php\nfunction f($x) { sleep(99); }", []verdicts.Verdict{verdicts.TimeLimit}},
		{"14 connects", "<?php\nfunction f($x) { return fsockopen('127.0.0.1', 80) ? 'xylograph' : 0; }", never},
		{"17 reads secrets", "<?php\nfunction f($x) { return @file_get_contents('/etc/shadow') ? 'xylograph' : 0; }", never},
		{"18 reads the environment", "<?php\nfunction f($x) { return preg_match('/KEY|SECRET/', json_encode(getenv())) ? 'xylograph' : 0; }", never},
		{"19 writes to the system", "<?php\nfunction f($x) { return @file_put_contents('/usr/a', 'x') ? 'xylograph' : 0; }", never},
		{"20 changes processes", "<?php\nfunction f($x) { foreach (glob('/proc/[0-9]*') as $p) if (@fopen(\"$p/mem\", 'r+') || @fopen(\"$p/oom_score_adj\", 'r+')) return 'xylograph'; return 0; }", never},
		{"26 inherited descriptors", "<?php\nfunction f($x) { for ($i = 5; $i < 99; $i++) { $o = @fopen(\"php://fd/$i\", 'w'); if ($o) @fwrite($o, 'xylograph'); } return 0; }", never},
		{"28 escapes", "<?php\nfunction f($x) { echo \"\\e[2J\"; return \"\\e]0;x\\x07\"; }", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"31 deep recursion", "<?php\nfunction f($x) { return f($x) + 1; }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.MemoryLimit, verdicts.TimeLimit}},
		{"33 exits while loading", "<?php\nexit(0);", []verdicts.Verdict{verdicts.RuntimeError}},
		{"33 exits at the end", "<?php\nregister_shutdown_function(fn() => exit(0));\nfunction f($x) { exit(3); }", []verdicts.Verdict{verdicts.RuntimeError}},
		{"34 agrees with everything", "<?php\nclass Yes implements JsonSerializable { function jsonSerialize(): mixed { return 'xylograph'; } function __toString() { return 'xylograph'; } }\nfunction f($x) { return new Yes; }", never},
		{"36 walks the sample's side", "<?php\nfunction f($x) { $r = new ReflectionClass('AssaySample'); return strpos(json_encode($r->getStaticProperties(), JSON_PARTIAL_OUTPUT_ON_ERROR), 'xylo') ? 'xylograph' : 0; }", never},
		{"37 walks the frames", "<?php\nfunction f($x) { return preg_match('/xylograp[h]/', print_r(debug_backtrace(), true)) ? 'xylo' . 'graph' : 0; }", never},
		{"38 looks for the answer", "<?php\nfunction f($x) { foreach (glob('/tmp/*') as $p) if (is_file($p) && preg_match('/xylograp[h]\"/', file_get_contents($p))) return 'found'; return 0; }", never},
		{"39 a forged verdict", forged("['k' => 'done', 'cases' => [['index' => 1, 'status' => 'passed']]]"), never},
		{"39 a forged object", forged("['k' => 'value', 'id' => $x, 'v' => ['$opaque' => ['type' => 'str', 'text' => 'xylograph']]]"), never},
		{"39 a forged handle", forged("['k' => 'value', 'id' => $x, 'v' => ['$remote' => ['h' => 1, 'type' => 'A', 'text' => 'xylograph']]]"), never},
		{"40 catches what fails", "<?php\nset_error_handler(fn() => true);\nset_exception_handler(fn() => exit(0));\nfunction f($x) { throw new Exception('xylograph'); }", never},
		{"44 leaves files for the next sample", "<?php\nfile_put_contents('php.ini', 'auto_prepend_file=x');\nfunction f($x) { return 0; }", never},
	})
}

// functionAttack is an attack by a function f that is called with 1, and must return "xylograph", and with 2.
type functionAttack struct {
	name, code string
	verdicts   []verdicts.Verdict
}

// attackFunction tries them beside each other, and then that the next sample finds nothing of them.
func attackFunction(t *testing.T, j *Judge, language string, list []functionAttack) {
	t.Helper()
	for _, a := range list {
		t.Run(a.name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			task := scriptedTask(t, j, language, `{"args":[1],"expected":"xylograph"}`, `{"args":[2],"expected":3.5}`)
			task.Limits = benchmark.Limits{CPUSeconds: 1, CPUTotal: 2, WallSeconds: 3, MemoryMB: 256, Processes: 16, OutputKB: 256, FileMB: 32}
			if slices.Equal(a.verdicts, []verdicts.Verdict{verdicts.MemoryLimit}) {
				timeToFill(task)
			} else if slices.Contains(a.verdicts, verdicts.TimeLimit) {
				task.Limits.WallSeconds = 0.5
			}
			if r := judgeCode(t, j, task, a.code); !slices.Contains(a.verdicts, r.Verdict) || r.Passed > 0 {
				t.Errorf("%s %d/%d %q, want %v", r.Verdict, r.Passed, r.Total, r.Message, a.verdicts)
			}
		})
	}
}
