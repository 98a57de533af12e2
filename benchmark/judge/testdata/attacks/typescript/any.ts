// calls: wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer runtime_error
// loose: accepted runtime_error runtime_error runtime_error runtime_error accepted
// script: wrong_answer
// stdin: wrong_answer
// VALUE = '6' as any
// VALUE = true as any
// VALUE = NaN
// VALUE = undefined
// VALUE = { $float: 'nan' }
// VALUE = new Proxy({}, { get: () => () => 6 })

function f(n: number): any { return VALUE; }
