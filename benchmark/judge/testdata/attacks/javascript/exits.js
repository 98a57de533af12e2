// calls: runtime_error runtime_error wrong_answer runtime_error runtime_error runtime_error
// loose: runtime_error
// script: runtime_error runtime_error wrong_answer runtime_error runtime_error runtime_error
// stdin: wrong_answer wrong_answer wrong_answer runtime_error runtime_error wrong_answer
// END = process.exit(0)
// END = process.reallyExit(0)
// END = process.exitCode = 0; process.emit('exit', 0)
// END = process.kill(process.pid, 'SIGTERM')
// END = process.abort()
// END = process.exit = () => {}; process.reallyExit(0)

const f = n => { END; return 0; };
