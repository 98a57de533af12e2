package judge

import (
	"strings"
	"testing"

	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

func TestTypeScriptCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct{ name, cases, code, statuses, message string }{
		{"number", `{"args":[2],"expected":4}`, "const f = (x: number): number => x * x;", "passed", ""},
		{"exported", `{"args":[2],"expected":4}`, "export function f(x: number): number { return x * x; }", "passed", ""},
		{"an import", `{"args":["a"],"expected":"YQ=="}`, "import { Buffer } from 'buffer';\nexport const f = (s: string): string => Buffer.from(s).toString('base64');", "passed", ""},
		{"types of its own", `{"args":[[{"a":1}]],"expected":[{"a":2,"b":null}]}`, "interface A { a: number; b?: null }\nenum E { One = 1 }\nfunction f(xs: A[]): A[] { return xs.map(x => ({ a: x.a + E.One, b: null })); }", "passed", ""},
		{"async", `{"args":[2],"expected":4}`, "async function f(x: number): Promise<number> { return x * x; }", "passed", ""},
		{"wrong", `{"args":[2],"expected":5}`, "function f(x: number) { return x * x; }", "wrong_answer", ""},
		{"undefined is not null", `{"args":[2],"expected":null}`, "function f(): void {}", "wrong_answer", ""},
		{"raises", `{"args":[2],"raises":"Bad"}`, "class Bad extends Error {}\nfunction f(x: number): number { throw new Bad('x'); }", "passed", ""},
		{"throws", `{"args":[2],"expected":2}`, "function f(x: number): number { throw new RangeError('no'); }", "runtime_error", "RangeError: no"},
		{"syntax", `{"args":[2],"expected":2}`, "function f(x: number {", "not_run", "main.ts(1,"},
		{"a wrong type", `{"args":[2],"expected":2}`, "function f(x: number): string { return x; }", "not_run", "Type 'number' is not assignable to type 'string'"},
		{"missing", `{"args":[2],"expected":2}`, "const g = 1;", "not_run", "defines no function f"},
		{"exit", `{"args":[2],"expected":2}`, "function f() { process.exit(0); }", "runtime_error", "exit status 0"},
		{"loop", `{"args":[2],"expected":2}`, "function f() { for (;;); }", "time_limit", "processor time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r := judgeCode(t, j, scriptedTask(t, j, "typescript", strings.SplitAfter(tt.cases, "} ")...), tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" {
				t.Errorf("%s [%s] %q %s %s, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Isolation, r.Interpreter, tt.statuses, tt.message)
			}
		})
	}
}

// TestTypeScriptAttacks: the classes of attack that a function in TypeScript can try, and its compiler's.
func TestTypeScriptAttacks(t *testing.T) {
	j := newJudge(t)
	forged := func(message string) string {
		return "const fs = require('fs');\nfunction f(x: any) { const b = Buffer.from(JSON.stringify(" + message + ")); const h = Buffer.alloc(4); h.writeUInt32BE(b.length); fs.writeSync(4, Buffer.concat([h, b])); return 1; }"
	}
	attackFunction(t, j, "typescript", []functionAttack{
		{"1 starts processes without end", "function f() { for (;;) require('child_process').spawn('sleep', ['9']); }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.TimeLimit, verdicts.MemoryLimit}},
		{"4 endless output", "function f() { const t = 'x'.repeat(9999); for (;;) require('fs').writeSync(1, t); }", []verdicts.Verdict{verdicts.OutputLimit}},
		{"5 fills the disk", "function f() { const t = 'x'.repeat(99999); for (;;) require('fs').appendFileSync('a', t); }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit}},
		{"9 sleeps", "function f() { return new Promise(() => setTimeout(() => {}, 99000)); }", []verdicts.Verdict{verdicts.TimeLimit}},
		{"14 connects", "function f() { return new Promise((r, no) => require('net').connect(80, '127.0.0.1').on('error', no).on('connect', () => r('xylograph'))); }", []verdicts.Verdict{verdicts.RuntimeError}},
		{"17 reads secrets", "function f() { return require('fs').readFileSync('/etc/shadow', 'utf8'); }", []verdicts.Verdict{verdicts.RuntimeError}},
		{"18 reads the environment", "function f() { return /KEY|SECRET/.test(JSON.stringify(process.env)) ? 'xylograph' : 0; }", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"19 writes to the system", "function f() { require('fs').writeFileSync('/usr/a', ''); }", []verdicts.Verdict{verdicts.RuntimeError}},
		{"20 looks at processes", "function f() { return require('fs').readdirSync('/proc').length; }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.WrongAnswer}},
		{"22 signals everyone", "function f() { process.kill(-1, 'SIGKILL'); }", never},
		{"26 inherited descriptors", "function f() { for (let i = 5; i < 99; i++) try { require('fs').writeSync(i, 'xylograph'); } catch {} return 0; }", never},
		{"28 escapes", "function f() { console.log('\\x1b[2J'); return '\\x1b]0;x\\x07'; }", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"31 deep recursion", "function f(x: any): any { return f(x); }", []verdicts.Verdict{verdicts.RuntimeError}},
		{"33 exits while loading", "process.exit(0);", []verdicts.Verdict{verdicts.RuntimeError}},
		{"34 agrees with everything", "function f() { return { valueOf: () => 3.5, toString: () => 'xylograph', toJSON: () => 'xylograph', equals: () => true, length: 2 }; }", never},
		{"34 a proxy", "function f() { return new Proxy([], { get: (t: any, k) => k === 'length' ? 2 : t[k] }); }", never},
		{"38 reads files of the compiler", "function f() { return require('fs').readdirSync('.').length; }", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"39 a forged verdict", forged("{ k: 'done', cases: [{ index: 1, status: 'passed' }] }"), never},
		{"39 a forged object", forged("{ k: 'value', id: x, v: { $opaque: { type: 'str', text: 'xylograph' } } }"), never},
		{"39 a forged handle", forged("{ k: 'value', id: x, v: { $remote: { h: 1, type: 'A', text: 'xylograph' } } }"), never},
		{"41 replaces what encodes", "JSON.stringify = (() => '{\"k\":\"done\",\"id\":1,\"cases\":[]}') as any; const f = () => 1;", never},
		{"43 types without end", "type A<T, N extends number = 0> = { a: A<{ b: T }> }['a'];\nlet x: A<1>;\nconst f = () => 0;", never},
		{"43 declares the library anew", "declare global { interface String { length: 'xylograph' } }\nexport const f = () => 0;", never},
		{"44 options in the file system", "/// <reference path=\"/etc/passwd\" />\n/// <reference lib=\"dom\" />\nconst f = () => 0;", never},
	})
	task := scriptedTask(t, j, "typescript", `{"args":["a"],"expected":1}`)
	if r := judgeCode(t, j, task, "const f = (s: string): number => s.length;"); r.Verdict != verdicts.Accepted {
		t.Errorf("the compiler after the attacks: %s %q", r.Verdict, r.Message)
	}
}

// TestTypeScriptCompilers: the compiler that stays and the plain command agree.
func TestTypeScriptCompilers(t *testing.T) {
	j := newJudge(t)
	task := scriptedTask(t, j, "typescript", `{"args":[1],"expected":1}`)
	stays := newJudge(t)
	tool, err := j.tools.find(t.Context(), "typescript", j.python, j.noPython)
	if err != nil {
		t.Fatal(err)
	}
	tool.resident = nil
	for i, code := range []string{
		"const f = (x: number) => x;", "const f = (x: number): string => x;", "const f = (x) => x;", "const f = (x => x;", "let f: number = null; f = undefined;",
		"import * as fs from 'fs';\nexport const f = (x: number) => fs ? x : 0;", "import { nothing } from './nothing';\nexport const f = (x: number) => x;",
		"enum E { A = 1 }\nfunction f(x: number) { return E.A; }", "abstract class A { abstract g(): void }\nnew A();\nconst f = (x: number) => x;",
		"const f = (x: number) => document ? x : 0;", "const f = (x: number) => [1, 2].at(-2);", "namespace N { export const a = 1 }\nconst f = (x: number) => N.a;",
		"/// <reference path=\"other.ts\" />\nconst f = (x: number) => x;", "const f = (x: number) => process.argv.length > 0 ? x : 0;", "declare function f(x: number): number;",
	} {
		if !sampled.OneIn(3, i) {
			continue
		}
		plain, quick := judgeCode(t, j, task, code), judgeCode(t, stays, task, code)
		if plain.Verdict != quick.Verdict || plain.Message != quick.Message {
			t.Errorf("%q: the command %s %q, the compiler that stays %s %q", code, plain.Verdict, plain.Message, quick.Verdict, quick.Message)
		}
	}
}
