// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// LATER = setTimeout(() => process.exit(0), 0)
// LATER = setImmediate(() => process.exit(0))
// LATER = process.nextTick(() => process.exit(0))
// LATER = Promise.resolve().then(() => process.exit(0))
// LATER = queueMicrotask(() => process.reallyExit(0))

const f = n => { LATER; return 0; };
