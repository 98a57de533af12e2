// calls: wrong_answer
// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer
// HOOK = process.on('uncaughtException', () => {})
// HOOK = process.on('uncaughtException', () => process.exit(0))
// HOOK = process.on('exit', () => { process.exitCode = 0; })

HOOK;
function f(n: number): number { return 0; }
