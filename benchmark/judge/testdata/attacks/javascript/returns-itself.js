// calls: wrong_answer runtime_error wrong_answer wrong_answer
// loose: runtime_error runtime_error accepted runtime_error
// script: wrong_answer runtime_error wrong_answer wrong_answer
// stdin: wrong_answer runtime_error wrong_answer wrong_answer
// VALUE = f
// VALUE = new f(n)
// VALUE = Object.assign(f, { valueOf: () => 6 })
// VALUE = globalThis

function f(n) { return VALUE; }
