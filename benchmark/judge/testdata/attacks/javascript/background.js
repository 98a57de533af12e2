// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: runtime_error|time_limit|wrong_answer
// THING = new (require('worker_threads').Worker)("process.kill(process.pid, 'SIGKILL')", { eval: true })
// THING = new (require('worker_threads').Worker)("process.exit(0)", { eval: true })
// THING = new (require('worker_threads').Worker)("for (let at = 3; at < 12; at++) try { require('fs').writeSync(at, '6') } catch {}", { eval: true })
// THING = require('async_hooks').createHook({ init() { process.exitCode = 0; } }).enable()
// THING = new FinalizationRegistry(() => process.exit(0)).register({}, 1)
// THING = setInterval(() => {}, 1)
// THING = process.on('newListener', () => process.exit(0))
// THING = process.once('exit', () => { process.stdout.write('6\n'); })
// THING = process.stdout.write = () => true
// THING = console.log = () => process.exit(0)
// THING = process.exit = () => { throw 6; }
// THING = require('child_process').spawn('true')
// THING = process.title = '6'
// THING = process.stdin.destroy()
// THING = process.chdir('/')
// THING = require('fs').writeFileSync('main.js', 'process.exit(0)')

try { THING; } catch {}
const f = n => 0;
