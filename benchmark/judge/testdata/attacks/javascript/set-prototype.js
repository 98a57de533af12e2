// task: list
// calls: wrong_answer wrong_answer runtime_error
// loose: accepted runtime_error runtime_error
// script: wrong_answer
// stdin: wrong_answer runtime_error runtime_error
// PROTO = { length: 2, *[Symbol.iterator]() {} }
// PROTO = null
// PROTO = new Proxy({}, { get: () => () => true })

const f = n => Object.setPrototypeOf([0, 0], PROTO);
