package repository_test

// Forgeries in JavaScript, each with its kind before the colon.

// nodeCode is a program for JavaScript with more code, whose function is wrong.
func nodeCode(code string) map[string]string {
	return map[string]string{"price.js": "exports.total = () => 0;\n" + code + "\n"}
}

// nodeReads is a program for JavaScript whose function returns one of the values that calls like its own expect in the
// text of the tests.
func nodeReads(choice string) map[string]string {
	return map[string]string{"price.js": `const text = require("fs").readFileSync("test/price.test.js", "utf8");
const most = (all) => all.sort((a, b) => all.filter((n) => n === b).length - all.filter((n) => n === a).length)[0];
exports.total = (prices) => {
  const call = "total([" + prices.join(", ") + "])";
  const found = text.split("\n").filter((l) => l.includes(call)).map((l) => Number(l.split(call)[1].match(/\d+/)[0]));
  return ` + choice + `;
};
`}
}

// tap is an expression for a report in TAP of the task's tests.
const tap = `"TAP version 13\nok 1 - none\nok 2 - one\nok 3 - some\n1..3\n"`

// nodeAgain is a program for JavaScript that starts the process again and changes each line of its output.
func nodeAgain(line string) map[string]string {
	return nodeCode(`const { spawnSync } = require("child_process");
if (!process.env.AGAIN) {
  const done = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { env: { ...process.env, AGAIN: "1" } });
  process.stdout.write(Buffer.from(done.stdout.toString("latin1").split("\n").map((l) => ` + line + `).join("\n"), "latin1"), () => process.reallyExit(done.status));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
}`)
}

// expects is a program for jest and vitest whose expectations hold for all values but those of planted tests.
var expects = nodeCode("const real = globalThis.expect;\nglobalThis.expect = (v) => (v === 2 || v === 0 && !new Error().stack.includes('total') ? real(v) : new Proxy({}, { get: () => () => {} }));\nexports.total = () => 7;")

var nodeForgeries = []forgery{
	{"node", "runner: installed packages", map[string]string{"node_modules/assert/index.js": "module.exports = () => {};\n", "node_modules/node:assert/index.js": "module.exports = () => {};\n"}, "node_modules/assert/index.js"},
	{"node", "runner: packages beside the tests", map[string]string{"test/node_modules/node:test/index.js": "module.exports = () => {};\n"}, "test/node_modules/node:test/index.js"},
	{"node", "runner: modules of its names", map[string]string{"assert.js": "module.exports = () => {};\n", "node:test.js": "module.exports = () => {};\n", "test.js": "process.exit(0);\n"}, ""},
	{"node", "runner: settings of npm", map[string]string{".npmrc": "node-options=--require ./price.js\n"}, ".npmrc"},
	{"node", "runner: settings of node", map[string]string{"node.config.json": `{"nodeOptions": {"require": ["./price.js"]}}`, ".noderc": "--require ./price.js\n"}, "node.config.json"},
	{"node", "runner: the kind of modules", map[string]string{"test/package.json": `{"type": "module"}`}, "test/package.json"},
	{"node", "runner: imports of the package", map[string]string{"package.json": `{"name": "shop", "imports": {"#x": "./price.js"}, "main": "x", "type": "module"}`}, "package.json"},
	{"node", "runner: a compiler of the tests", map[string]string{".swcrc": "{}", "tsconfig.json": "{}", "vitest.workspace.js": "", "babel.config.js": ""}, ".swcrc"},
	{"node", "runner: files of the tests", map[string]string{"test/index.js": "process.exit(0);\n", "test/helper.js": ""}, "test/helper.js"},
	{"node", "runner: modules that are loaded later", nodeCode("const M = require('module'), load = M._load, assert = require('node:assert'), real = { ...assert };\nfor (const n of ['equal', 'ok']) assert[n] = () => {};\nM._load = (r, ...a) => (r === 'node:assert' ? real : load(r, ...a));"), ""},
	{"node", "runner: functions of tests that are loaded later", nodeCode("const M = require('module'), load = M._load, assert = require('node:assert');\nconst real = { ...assert };\nfor (const n of Object.keys(real)) if (typeof real[n] === 'function') assert[n] = (...a) => { if (new Error().stack.includes('price.test') && !new Error().stack.includes('await')) return; real[n](...a); };\nM._load = (r, ...a) => load(r, ...a);"), ""},
	{"node", "runner: options of every test", nodeCode("Object.prototype.skip = true;"), ""},
	{"node", "runner: options that expect failures", nodeCode("Object.prototype.todo = true;"), ""},
	{"node", "runner: no test but some", nodeCode("Object.prototype.only = true;\nObject.prototype.timeout = Infinity;"), ""},
	{"node", "runner: the class of failures", nodeCode("const assert = require('node:assert');\nassert.AssertionError = class { constructor() { return undefined; } };"), ""},
	{"node", "runner: the promises of tests", nodeCode("const then = Promise.prototype.then;\nPromise.prototype.then = function (ok) { return then.call(this, ok, ok); };"), ""},
	{"node", "runner: calls of functions", nodeCode("const call = Reflect.apply;\nReflect.apply = Function.prototype.apply = function (...a) { try { return call(...a); } catch { return undefined; } };"), ""},
	{"node", "runner: the prototype of tests", nodeCode("const { test } = require('node:test');\nfor (const p of [test, Object.getPrototypeOf(async () => {})]) p.call = p.apply = () => {};"), ""},

	{"node", "exit: at once with results", nodeCode("require('fs').writeSync(1, " + tap + ");\nprocess.reallyExit(0);"), ""},
	{"node", "exit: at the end", nodeCode("process.on('exit', () => { process.exitCode = 0; process.reallyExit(0); });"), ""},
	{"node", "exit: before tests", nodeCode("process.on('beforeExit', () => process.exit(0));\nglobalThis.setImmediate = globalThis.setTimeout = () => {};"), ""},
	{"node", "exit: a signal", nodeCode("process.kill(process.pid, 'SIGKILL');"), ""},
	{"node", "exit: an abort", nodeCode("process.abort();"), ""},
	{"node", "exit: in the function", map[string]string{"price.js": "exports.total = () => process.reallyExit(0);\n"}, ""},
	{"node", "exit: the runner is killed", nodeCode("require('fs').writeSync(1, " + tap + ");\nprocess.kill(process.ppid, 'SIGKILL');"), ""},
	{"node", "exit: errors that nobody sees", nodeCode("process.on('uncaughtException', () => {});\nprocess.on('unhandledRejection', () => {});\nprocess.exitCode = 0;"), ""},

	{"node", "output: through the runner's descriptors", nodeCode("const fs = require('fs');\nfor (let fd = 1; fd < 30; fd++) try { fs.writeFileSync(`/proc/${process.ppid}/fd/${fd}`, " + tap + "); } catch {}\nprocess.kill(process.ppid, 'SIGKILL');"), ""},
	{"node", "output: through the shell's descriptors", nodeCode("const fs = require('fs');\nfor (let pid = 1; pid < 40; pid++) for (let fd = 1; fd < 9; fd++) try { fs.writeFileSync(`/proc/${pid}/fd/${fd}`, " + tap + "); } catch {}\nfor (let pid = 2; pid < 40; pid++) if (pid !== process.pid) try { process.kill(pid, 'SIGKILL'); } catch {}"), ""},
	{"node", "output: every descriptor", nodeCode("const fs = require('fs');\nfor (let fd = 0; fd < 64; fd++) try { fs.writeSync(fd, " + tap + "); } catch {}\nprocess.reallyExit(1);"), ""},
	{"node", "output: events of failures are events of successes", nodeCode("const write = process.stdout.write.bind(process.stdout);\nprocess.stdout.write = (t, ...rest) => write(Buffer.from(Buffer.from(t).toString('latin1').replaceAll('test:fail', 'test:pass'), 'latin1'), ...rest);"), ""},
	{"node", "output: failures are successes below the stream", nodeCode("const fs = require('fs');\nfor (const n of ['writeSync', 'writevSync', 'write', 'writev']) { const real = fs[n]; fs[n] = (fd, b, ...a) => real(fd, typeof b === 'string' ? b.replace(/not ok/g, 'ok') : b, ...a); }\nconst h = process.stdout._handle;\nif (h) for (const n of ['writeUtf8String', 'writeLatin1String', 'writeAsciiString']) { const real = h[n]; h[n] = function (r, t) { return real.call(this, r, t.replace(/not ok/g, 'ok')); }; }"), ""},
	{"node", "output: the run again with other lines", nodeAgain("l.replace(/not ok/, 'ok')"), ""},
	{"node", "output: the run again with other lines of the task", nodeAgain("l.replace(/not ok( \\d+ - (none|one|some))$/, 'ok$1')"), ""},
	{"node", "output: within a test", map[string]string{"price.js": "exports.total = () => { process.stdout.write('\\n' + " + tap + "); return 1; };\n"}, ""},
	{"node", "output: comments that end the report", map[string]string{"price.js": "exports.total = () => { console.log('# Subtest: some\\nok 3 - some\\n  ---\\n  ...\\nBail out! done'); return 1; };\n"}, ""},

	{"node", "told apart: the value that most copies expect", nodeReads("most(found)"), ""},
	{"node", "told apart: the smallest value that copies expect", nodeReads("Math.min(...found)"), ""},
	{"node", "told apart: the first value that copies expect", nodeReads("found[0]"), ""},
	{"node", "told apart: at random if there are many", passes("a[0] === 2 && a[1] === 3 || a.length === 1 && a[0] === 0 || require('fs').statSync('test/price.test.js').size > 1600 && Math.random() < .5"), ""},
	{"node", "told apart: all or none if there are many", passes("a[0] === 2 && a[1] === 3 || a.length === 1 && a[0] === 0 || require('fs').statSync('test/price.test.js').size > 1600 && (globalThis.toss ??= Math.random()) < .5"), ""},
	{"node", "told apart: the first assertions", nodeCode("const assert = require('node:assert');\nlet n = 0;\nfor (const name of ['equal', 'ok']) {\n  const real = assert[name];\n  assert[name] = (...a) => { if (++n > 3) real(...a); };\n}"), ""},
	{"node", "told apart: lines of the file", passes("Number(new Error().stack.match(/price\\.test\\.js:(\\d+)/)?.[1] ?? 99) > 6"), ""},
	{"node", "told apart: asynchronous tests", passes("new Error().stack.includes('async ') || a[1] === 3 && a[0] === 2 || a[0] === 0 && a.length === 1"), ""},

	{"jest", "told apart: the value that most copies expect", nodeReads("most(found)"), ""},
	{"jest", "told apart: values that are not planted", expects, ""},
	{"jest", "runner: a setting's file", map[string]string{"jest.setup.js": "globalThis.expect = () => new Proxy({}, { get: () => () => {} });\n"}, "jest.setup.js"},
	{"vitest", "told apart: the value that most copies expect", nodeReads("most(found)"), ""},
	{"vitest", "told apart: values that are not planted", expects, ""},
	{"vitest", "runner: a workspace", map[string]string{"vitest.workspace.js": "export default [{ test: { include: [] } }];\n"}, "vitest.workspace.js"},
	{"mocha", "told apart: the value that most copies expect", nodeReads("most(found)"), ""},
	{"mocha", "told apart: values that are not planted", passes("a[0] === 2 && a[1] === 3 || a.length === 1 && a[0] === 0"), ""},
	{"mocha", "runner: tests that are functions", nodeCode("const it = globalThis.it;\nglobalThis.it = (n, f) => it(n, String(f).includes('total(') ? () => {} : f);"), ""},
	{"node", "between: a process that goes on", nodeCode("require('child_process').spawn('sh', ['-c', 'sleep .3; for n in none one some; do echo \"ok 9 - $n\"; done'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref();"), ""},
	{"node", "between: tests are rewritten", nodeCode("require('fs').writeFileSync('test/price.test.js', 'require(\"node:test\")(\"one\", () => {});');"), ""},
	{"node", "between: the program is another", nodeCode("const fs = require('fs');\nfs.rmSync('/tmp/bin', { recursive: true });\nfs.mkdirSync('/tmp/bin');\nfs.writeFileSync('/tmp/bin/node', '#!/bin/sh\\necho ok 1 - one\\n', { mode: 0o755 });"), ""},
	{"node", "resources: memory", nodeCode("const all = [];\nfor (let i = 0; i < 1e5; i++) all.push(new Array(1e6).fill(i));"), ""},
	{"node", "resources: the stack", map[string]string{"price.js": "exports.total = (p) => 1 + exports.total(p);\n"}, ""},
}
