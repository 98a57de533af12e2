// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: runtime_error|wrong_answer
// THING = new (require('worker_threads').Worker)("process.kill(process.pid, 'SIGKILL')", { eval: true })
// THING = new (require('worker_threads').Worker)("process.exit(0)", { eval: true })
// THING = require('async_hooks').createHook({ init() { process.exitCode = 0; } }).enable()
// THING = process.once('exit', () => { process.stdout.write('6\n'); })
// THING = console.log = (() => process.exit(0)) as any
// THING = process.exit = (() => { throw 6; }) as any
// THING = require('fs').writeFileSync('main.js', 'process.exit(0)')
// THING = require('fs').closeSync(1)
// THING = process.stdin.destroy()

try { THING; } catch {}
function f(n: number): any { return 0; }
