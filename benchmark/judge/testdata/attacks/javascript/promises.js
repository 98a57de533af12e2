// calls: runtime_error|time_limit|wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: runtime_error|time_limit|wrong_answer
// VALUE = Promise.reject(6)
// VALUE = new Promise(() => {})
// VALUE = { then() {} }
// VALUE = { then(done) { done({ then(done) { done(0); } }); } }
// VALUE = { get then() { process.exitCode = 0; throw 6; } }
// VALUE = { then(done, failed) { failed({ name: 'StopIteration' }); } }
// VALUE = Object.assign(Promise.resolve(0), { then(done) { done([6]); done(6 / 4); } })
// VALUE = (async () => { await null; return 0; })()
// VALUE = new Promise(done => setTimeout(done, 1e9))
// VALUE = (async function* () {})()

const f = n => (VALUE);
