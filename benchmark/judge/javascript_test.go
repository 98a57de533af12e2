package judge

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// javascriptTask has cases as data; each is written as JSON.
func javascriptTask(t *testing.T, j *Judge, cases ...string) *benchmark.Task {
	t.Helper()
	task := callsTask(t, "f", cases...)
	task.Language = "javascript"
	task.Limits = benchmark.Limits{CPUSeconds: 1, CPUTotal: 4, MemoryMB: 256}
	ready(t, j, task)
	return task
}

func TestJavaScriptCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct{ name, cases, code, statuses, message string }{
		{"number", `{"args":[2],"expected":4}`, "const f = (x) => x * x;", "passed", ""},
		{"a float is a number", `{"args":[2],"expected":4.0}`, "function f(x) { return x * x; }", "passed", ""},
		{"exported", `{"args":[2],"expected":4}`, "module.exports = { f: (x) => x * x };", "passed", ""},
		{"async", `{"args":[2],"expected":4}`, "async function f(x) { await new Promise(r => setTimeout(r, 5)); return x * x; }", "passed", ""},
		{"array of objects", `{"args":[[{"a":1}]],"expected":[{"a":2,"b":null}]}`, "const f = xs => xs.map(x => ({ a: x.a + 1, b: null }))", "passed", ""},
		{"wrong", `{"args":[2],"expected":5}`, "const f = (x) => x * x;", "wrong_answer", ""},
		{"true is not 1", `{"args":[2],"expected":1}`, "const f = () => true", "wrong_answer", ""},
		{"text is not a number", `{"args":[2],"expected":1}`, "const f = () => '1'", "wrong_answer", ""},
		{"undefined is not null", `{"args":[2],"expected":null}`, "const f = () => {}", "wrong_answer", ""},
		{"close", `{"args":[2],"expected":1.4142,"compare":"close","tolerance":1e-3}`, "const f = Math.sqrt", "passed", ""},
		{"nan and infinity", `{"args":[{"$float":"nan"}],"expected":[{"$float":"nan"},{"$float":"-inf"}]}`, "const f = (x) => [x, -Infinity]", "passed", ""},
		{"bigint", `{"args":[{"$int":"100000000000000000000"}],"expected":{"$int":"-200000000000000000000"}}`, "const f = (x) => -2n * x", "passed", ""},
		{"set and map", `{"args":[{"$set":[1,2]}],"expected":{"$dict":[[1,{"$set":[2]}]]}}`, "const f = (s) => new Map([[1, new Set([s.size])]])", "passed", ""},
		{"emoji", `{"args":["a😀"],"expected":"😀a"}`, "const f = (s) => [...s].reverse().join('')", "passed", ""},
		{"raises", `{"args":[2],"raises":"TypeError"}`, "const f = () => null.x", "passed", ""},
		{"raises its own error", `{"args":[2],"raises":"Bad"}`, "class Bad extends Error {}\nconst f = () => { throw new Bad('x') }", "passed", ""},
		{"throws", `{"args":[2],"expected":2}`, "const f = () => { throw new RangeError('no') }", "runtime_error", "RangeError: no (line 1"},
		{"throws text", `{"args":[2],"expected":2}`, "const f = () => { throw 'no' }", "runtime_error", "no"},
		{"recursion", `{"args":[2],"expected":2}`, "const f = (x) => f(x)", "runtime_error", "call stack"},
		{"syntax", `{"args":[2],"expected":2}`, "const f = (x => x", "not_run", "SyntaxError"},
		{"missing", `{"args":[2],"expected":2}`, "const g = 1", "not_run", "defines no function f"},
		{"exit", `{"args":[2],"expected":2}`, "const f = () => process.exit(0)", "runtime_error", "exit status 0"},
		{"loop", `{"args":[2],"expected":2}`, "const f = () => { for (;;); }", "time_limit", "processor time"},
		{"memory", `{"args":[2],"expected":2}`, "const f = () => { const a = []; for (;;) a.push(new Array(1e6).fill(7)); }", "memory_limit", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := javascriptTask(t, j, tt.cases)
			if tt.statuses == "memory_limit" {
				timeToFill(task)
			}
			r := judgeCode(t, j, task, tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" || !strings.Contains(r.Interpreter, "node") {
				t.Errorf("%s [%s] %q %s %s, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Isolation, r.Interpreter, tt.statuses, tt.message)
			}
		})
	}
}

func TestJavaScriptForgery(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := javascriptTask(t, j, `{"args":[1],"expected":"xylograph"}`, `{"args":[2],"expected":3.5}`, `{"args":[3],"expected":[1,2]}`)
	forged := func(message string) string {
		return "const fs = require('fs');\nfunction f(x) { const b = Buffer.from(JSON.stringify(" + message + ")); const h = Buffer.alloc(4); h.writeUInt32BE(b.length); fs.writeSync(4, Buffer.concat([h, b])); return 1; }"
	}
	for _, a := range []struct{ name, code string }{
		{"agrees with everything", "const f = () => ({ valueOf: () => 3.5, toString: () => 'xylograph', toJSON: () => 'xylograph', equals: () => true, length: 2 })"},
		{"a proxy", "const f = () => new Proxy([], { get: (t, k) => k === 'length' ? 2 : t[k] })"},
		{"JSON replaced", "JSON.stringify = () => '{\"k\":\"done\",\"id\":1,\"cases\":[]}'; const f = () => 1"},
		{"forged verdict", forged("{ k: 'done', cases: [{ index: 1, status: 'passed' }] }")},
		{"forged opaque", forged("{ k: 'value', id: x, v: { $opaque: { type: 'str', text: 'xylograph' } } }")},
		{"forged handle", forged("{ k: 'value', id: x, v: { $remote: { h: 1, type: 'A', text: 'xylograph' } } }")},
		{"forged method", forged("{ k: 'value', id: x, v: { $method: null } }")},
		{"exits well", "process.exit(0)"},
		{"prints the answer", "const f = () => { console.log('passed xylograph'); }"},
	} {
		t.Run(a.name, func(t *testing.T) {
			sampled.Row(t, 6)
			if r := judgeCode(t, j, task, a.code); !slices.Contains(never, r.Verdict) || r.Passed > 0 {
				t.Errorf("%s %d/%d %q", r.Verdict, r.Passed, r.Total, r.Message)
			}
		})
	}
}

// TestTestsThatWait: what tests wait for must happen. A promise that is never settled ends Node with status 0, unless
// it is one that nobody waits for.
func TestTestsThatWait(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct {
		name, code string
		want       verdicts.Verdict
	}{
		{"settled", "const f = async () => { await null; return 1; };", verdicts.Accepted},
		{"at once", "const f = () => 1;", verdicts.Accepted},
		{"a loser of a race", "const f = () => Promise.race([Promise.resolve(1), new Promise(() => {})]);", verdicts.Accepted},
		{"a timer", "const f = () => new Promise(done => setTimeout(() => done(1), 5));", verdicts.Accepted},
		{"wrong", "const f = async () => 2;", verdicts.WrongAnswer},
		{"never settled", "const f = () => new Promise(() => {});", verdicts.RuntimeError},
		{"waits for ever", "const f = async () => { await new Promise(() => {}); return 1; };", verdicts.RuntimeError},
	} {
		for i, tests := range []string{
			"(async () => { require('assert').strictEqual(await f(), 1); })();",
			"async function test() {\n  await null;\n  const got = await f();\n  require('assert').strictEqual(got, 1);\n}\ntest();",
			"Promise.resolve(f()).then(v => require('assert').strictEqual(v, 1));",
			"Promise.resolve().then(() => Promise.all([f(), 1])).then(([v]) => require('assert').strictEqual(v, 1)).finally(() => {});",
			"const t = async () => require('assert').strictEqual(await f(), 1);\nt().then(() => process.exit(), e => { console.error(e); process.exit(1); })",
		} {
			for _, language := range []string{"javascript", "typescript"} {
				task := &benchmark.Task{ID: "t", Language: language, Tests: benchmark.Tests{Style: benchmark.Script, Script: tests}}
				if language == "typescript" && (!sampled.OneIn(5, i+len(tt.name)) || j.Ready(task) != nil) {
					continue // tsc takes seconds, and may not be there
				}
				ready(t, j, task)
				if r := judgeCode(t, j, task, tt.code); r.Verdict != tt.want {
					t.Errorf("%s, %s: %s %q, want %s, of %q\n%s", language, tt.name, r.Verdict, r.Message, tt.want, tests, r.Stderr)
				}
			}
		}
	}
}
