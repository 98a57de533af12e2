package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// scriptedTask has cases as data for a function in an interpreted language.
func scriptedTask(t *testing.T, j *Judge, language string, cases ...string) *benchmark.Task {
	t.Helper()
	task := callsTask(t, "f", cases...)
	task.Language = language
	task.Limits = benchmark.Limits{CPUSeconds: 2, CPUTotal: 6, MemoryMB: 256}
	ready(t, j, task)
	return task
}

// timeToFill gives a task the processor time in which memory or a channel can be filled, also on a busy machine.
func timeToFill(task *benchmark.Task) {
	task.Limits.CPUSeconds, task.Limits.CPUTotal, task.Limits.WallSeconds = 20, 20, 60
}

func TestRubyCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct{ name, cases, code, statuses, message string }{
		{"number", `{"args":[2],"expected":4}`, "def f(x) = x * x", "passed", ""},
		{"a lambda", `{"args":[2],"expected":4}`, "f = ->(x) { x * x }", "passed", ""},
		{"wrong", `{"args":[2],"expected":5}`, "def f(x) = x * x", "wrong_answer", ""},
		{"true is not 1", `{"args":[2],"expected":1}`, "def f(x) = true", "wrong_answer", ""},
		{"text is not a number", `{"args":[2],"expected":1}`, "def f(x) = '1'", "wrong_answer", ""},
		{"array of hashes", `{"args":[[{"a":1}]],"expected":[{"a":2,"b":null}]}`, "def f(xs) = xs.map { |x| { a: x['a'] + 1, 'b' => nil } }", "passed", ""},
		{"close", `{"args":[2],"expected":1.4142,"compare":"close","tolerance":1e-3}`, "def f(x) = Math.sqrt(x)", "passed", ""},
		{"nan and infinity", `{"args":[{"$float":"nan"}],"expected":[{"$float":"nan"},{"$float":"-inf"}]}`, "def f(x) = [x, -Float::INFINITY]", "passed", ""},
		{"large integers", `{"args":[{"$int":"100000000000000000000"}],"expected":{"$int":"-200000000000000000000"}}`, "def f(x) = -2 * x", "passed", ""},
		{"set and hash", `{"args":[{"$set":[1,2]}],"expected":{"$dict":[[1,{"$set":[2]}]]}}`, "def f(s) = { 1 => Set[s.size] }", "passed", ""},
		{"emoji", `{"args":["a😀"],"expected":"😀a"}`, "def f(s) = s.reverse", "passed", ""},
		{"a symbol", `{"args":[1],"expected":"yes"}`, "def f(s) = :yes", "passed", ""},
		{"an object", `{"args":[1],"expected":"yes"}`, "class A; def to_s = 'yes'; end\ndef f(s) = A.new", "wrong_answer", ""},
		{"raises", `{"args":[2],"raises":"ZeroDivisionError"}`, "def f(x) = x / 0", "passed", ""},
		{"raises its own error", `{"args":[2],"raises":"Bad"}`, "class Bad < StandardError; end\ndef f(x) = raise(Bad, 'x')", "passed", ""},
		{"raises a derived one", `{"args":[2],"raises":"StandardError"}`, "class Bad < StandardError; end\ndef f(x) = raise(Bad, 'x')", "passed", ""},
		{"fails", `{"args":[2],"expected":2}`, "def f(x)\n  raise RangeError, 'no'\nend", "runtime_error", "RangeError: no (line 2: raise RangeError, 'no')"},
		{"recursion", `{"args":[2],"expected":2}`, "def f(x) = f(x) + 1", "runtime_error", "SystemStackError"},
		{"syntax", `{"args":[2],"expected":2}`, "def f(x", "not_run", "SyntaxError"},
		{"missing", `{"args":[2],"expected":2}`, "def g(x) = 1", "not_run", "defines no function f"},
		{"does not load", `{"args":[2],"expected":2}`, "def f(x) = 2\nraise 'no'", "not_run", "RuntimeError: no"},
		{"exit", `{"args":[2],"expected":2}`, "def f(x) = exit", "runtime_error", "exit status 0"},
		{"loop", `{"args":[2],"expected":2}`, "def f(x) = loop {}", "time_limit", "processor time"},
		{"memory", `{"args":[2],"expected":2}`, "def f(x)\n  a = []\n  loop { a << 'x' * (8 << 20) }\nend", "memory_limit", ""},
		{"prints", `{"args":[2],"expected":2}`, "def f(x)\n  puts x\n  warn x\n  x\nend", "passed", ""},
		{"many cases", `{"args":[1],"expected":1} {"args":[2],"expected":2} {"args":[3],"expected":9}`, "def f(x) = x", "passed passed wrong_answer", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := scriptedTask(t, j, "ruby", strings.SplitAfter(tt.cases, "} ")...)
			if tt.statuses == "memory_limit" {
				timeToFill(task)
			}
			r := judgeCode(t, j, task, tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" || !strings.Contains(r.Interpreter, "ruby") {
				t.Errorf("%s [%s] %q %s %s, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Isolation, r.Interpreter, tt.statuses, tt.message)
			}
		})
	}
}

// TestRubyAttacks: the classes of attack that a function in Ruby can try.
func TestRubyAttacks(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	forged := func(message string) string {
		return "require 'json'\ndef f(x)\n  b = JSON.generate(" + message + ")\n  IO.for_fd(4).syswrite([b.bytesize].pack('N') + b)\n  1\nend"
	}
	attackFunction(t, j, "ruby", []functionAttack{
		{"1 fork bomb", "def f(x) = loop { fork { loop {} } }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.TimeLimit, verdicts.MemoryLimit}},
		{"3 children that fill the memory", "def f(x)\n  4.times { fork { a = 'x' * (100 << 20); sleep 9 } }\n  Process.waitall\n  1\nend", []verdicts.Verdict{verdicts.MemoryLimit}},
		{"4 endless output", "def f(x) = loop { puts 'x' * 9999 }", []verdicts.Verdict{verdicts.OutputLimit}},
		{"5 fills the disk", "def f(x) = File.open('a', 'w') { |o| loop { o.write('x' * 99999) } }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit}},
		{"8 a loop that ignores signals", "def f(x)\n  trap('TERM') {}\n  loop {}\nend", []verdicts.Verdict{verdicts.TimeLimit}},
		{"9 sleeps", "def f(x) = sleep", []verdicts.Verdict{verdicts.TimeLimit}},
		{"10 stops itself", "def f(x) = Process.kill('STOP', $$)", []verdicts.Verdict{verdicts.TimeLimit, verdicts.RuntimeError}},
		{"14 connects", "require 'socket'\ndef f(x) = TCPSocket.new('127.0.0.1', 80)", []verdicts.Verdict{verdicts.RuntimeError}},
		{"15 listens", "require 'socket'\ndef f(x) = UNIXServer.new(\"\\0x\")", []verdicts.Verdict{verdicts.RuntimeError}},
		{"17 reads secrets", "def f(x) = File.read('/etc/shadow')", []verdicts.Verdict{verdicts.RuntimeError}},
		{"18 reads the environment", "def f(x) = ENV.to_h.find { |k, v| k =~ /KEY|SECRET/ } ? 'xylograph' : 0", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"19 writes to the system", "def f(x) = File.write('/usr/a', '')", []verdicts.Verdict{verdicts.RuntimeError}},
		{"20 looks at processes", "def f(x) = Dir.children('/proc').size", []verdicts.Verdict{verdicts.RuntimeError, verdicts.WrongAnswer}},
		{"22 signals everyone", "def f(x)\n  Process.kill('KILL', -1)\n  0\nend", []verdicts.Verdict{verdicts.RuntimeError, verdicts.WrongAnswer}},
		{"23 new namespaces", "def f(x) = syscall(272, 0x10000000)", []verdicts.Verdict{verdicts.RuntimeError, verdicts.WrongAnswer}},
		{"26 inherited descriptors", "def f(x)\n  (5..99).each { |n| IO.for_fd(n, autoclose: false).syswrite('xylograph') rescue 0 }\n  0\nend", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"28 escapes", "def f(x)\n  puts \"\\e[2J\"\n  \"\\e]0;x\\a\"\nend", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"30 a number of a million digits", "def f(x) = '1'.ljust(3_000_000, '0').to_i", never},
		{"31 deep recursion", "def f(x) = f(x)", []verdicts.Verdict{verdicts.RuntimeError}},
		{"33 exits while loading", "exit 0", []verdicts.Verdict{verdicts.RuntimeError}},
		{"33 exits at once", "def f(x) = exit!(0)", []verdicts.Verdict{verdicts.RuntimeError}},
		{"34 agrees with everything", "class Yes < String\n  def ==(o) = true\n  def to_s = 'xylograph'\n  def eql?(o) = true\nend\ndef f(x) = Yes.new('no')", never},
		{"35 redefines equality", "class String; def ==(o) = true; end\ndef f(x) = 'no'", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"36 searches the heap", "def f(x) = ObjectSpace.each_object(String).find { |s| s.start_with?('xylo') && s.size == 9 && !s.frozen? } || 0", never},
		{"38 looks for the answer", "def f(x) = Dir['/tmp/**/*'].map { |p| File.read(p) rescue '' }.find { |s| s =~ /xylograph/ } || 0", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"39 a forged verdict", forged("{ k: 'done', cases: [{ index: 1, status: 'passed' }] }"), never},
		{"39 a forged object", forged("{ k: 'value', id: x, v: { '$opaque' => { type: 'str', text: 'xylograph' } } }"), never},
		{"39 a forged handle", forged("{ k: 'value', id: x, v: { '$remote' => { h: 1, type: 'A', text: 'xylograph' } } }"), never},
		{"40 swallows errors", "class Exception; def message = 'xylograph'; end\ndef f(x) = raise('x')", []verdicts.Verdict{verdicts.RuntimeError}},
		{"41 replaces what encodes", "module JSON; def self.generate(*) = '{\"k\":\"done\",\"cases\":[]}'; end\ndef f(x) = 1", never},
		{"41 replaces the sample's side", "module AssaySample; def self.encode(*) = { '$opaque' => { 'type' => 'str', 'text' => 'xylograph' } }; end\ndef f(x) = 1", never},
		{"44 leaves files for the next sample", "File.write('.rubyrc', 'x') rescue 0\nFile.write('json.rb', 'x') rescue 0\ndef f(x) = 0", []verdicts.Verdict{verdicts.WrongAnswer}},
	})
}
