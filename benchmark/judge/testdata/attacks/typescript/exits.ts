// calls: runtime_error
// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer wrong_answer runtime_error runtime_error
// END = process.exit(0)
// END = process.reallyExit(0)
// END = process.kill(process.pid, 'SIGTERM')
// END = process.abort()

function f(n: number): number { END; return 0; }
