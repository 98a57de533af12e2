// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// LATER = (globalThis as any).setTimeout(() => process.exit(0), 0)
// LATER = process.nextTick(() => process.exit(0))
// LATER = Promise.resolve().then(() => process.exit(0))

function f(n: number): number { LATER; return 0; }
