// calls: runtime_error|wrong_answer
// loose: accepted accepted runtime_error accepted accepted runtime_error accepted accepted accepted runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// VALUE = new Proxy(new Number(0), { get: (o, k) => k === Symbol.toPrimitive ? () => turn++ % 2 ? -9e9 : 9e9 : Reflect.get(o, k) })
// VALUE = Object.assign(new Number(0), { valueOf: () => turn++ % 2 ? -9e9 : 9e9 })
// VALUE = new (class extends Number { valueOf() { return this; } })(0)
// VALUE = new (class extends String { valueOf() { return turn++ % 2 ? -9e9 : 9e9; } toString() { return '0'; } })('6')
// VALUE = Object.assign(Object(0n), { [Symbol.toPrimitive]: () => turn++ % 2 ? -9e9 : 9e9 })
// VALUE = Object.assign(Object(Symbol()), { [Symbol.toPrimitive]: () => turn++ % 2 ? -9e9 : 9e9 })
// VALUE = new (class extends Date { [Symbol.toPrimitive]() { return turn++ % 2 ? -9e9 : 9e9; } })()
// VALUE = Object.create(null, { valueOf: { value: () => turn++ % 2 ? -9e9 : 9e9 } })
// VALUE = new Proxy(function () {}, { apply: () => 6, get: () => () => turn++ % 2 ? -9e9 : 9e9 })
// VALUE = new Proxy({}, { ownKeys: () => { throw 6; }, get: () => undefined, getPrototypeOf: () => Number.prototype })
// VALUE = Proxy.revocable({}, {}).proxy
// VALUE = (() => { const p = Proxy.revocable([], {}); p.revoke(); return p.proxy; })()
// VALUE = (function* () { yield 6; })()
// VALUE = new WeakRef({})
// VALUE = new Intl.NumberFormat()
// VALUE = [0]
// VALUE = -0

let turn = 0;
const f = n => VALUE;
