// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// END = process.exit(0)
// END = process.exitCode = 0; setImmediate(() => process.exit(0))
// END = process.on('exit', () => process.reallyExit(0)); process.exit(1)

END;
const f = n => 0;
