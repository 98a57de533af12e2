// calls: runtime_error|wrong_answer
// loose: accepted accepted accepted accepted runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// VALUE = new Proxy(new Number(0), { get: (o: any, k: any) => k === Symbol.toPrimitive ? () => turn++ % 2 ? -9e9 : 9e9 : o[k] })
// VALUE = Object.assign(new Number(0), { valueOf: () => turn++ % 2 ? -9e9 : 9e9 })
// VALUE = new (class extends Number { valueOf(): any { return turn++ % 2 ? -9e9 : 9e9; } })(0)
// VALUE = Object.create(null, { valueOf: { value: () => turn++ % 2 ? -9e9 : 9e9 } })
// VALUE = { then(done: any) { done(0); } }
// VALUE = { then() {} }
// VALUE = Promise.reject(6)
// VALUE = (async () => 0)()
// VALUE = <any>[0]
// VALUE = (() => { throw { name: 'StopIteration' }; })()

let turn = 0;
function f(n: number): any { return VALUE; }
