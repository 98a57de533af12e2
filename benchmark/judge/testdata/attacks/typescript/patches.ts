// task: list
// calls: runtime_error|time_limit|wrong_answer
// loose: runtime_error runtime_error accepted runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// CHANGE = own.prototype.toJSON = () => [3, 6]
// CHANGE = list.toJSON = () => [3, 6]
// CHANGE = list[Symbol.iterator] = function* () { yield 3; yield 6; }
// CHANGE = list.join = () => '3 6'
// CHANGE = list.map = () => [3, 6]; list.includes = () => true
// CHANGE = own.keys = own.entries = own.values = () => []
// CHANGE = Function.prototype.call = (() => true) as any
// CHANGE = Promise.prototype.then = function (this: any, done: any): any { done([3, 6]); } as any
// CHANGE = (Error as any).prepareStackTrace = () => process.exit(0)
// CHANGE = require('util').isDeepStrictEqual = () => true
// CHANGE = require('module')._load = () => new Proxy(() => {}, { get: () => () => {} })
// CHANGE = require('module').prototype.require = () => new Proxy(() => {}, { get: () => () => {} })
// CHANGE = require('fs').writeSync = () => 6
// CHANGE = (Map.prototype as any).get = () => ({ sent: [3, 6], size: 0 })

const own: any = Object, list: any = Array.prototype;
try { CHANGE; } catch {}
function f(n: number): any { return [0, 0]; }
