// task: list
// calls: runtime_error|time_limit|wrong_answer
// loose: runtime_error runtime_error accepted runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// CHANGE = Object.prototype.toJSON = () => [3, 6]
// CHANGE = Array.prototype.toJSON = () => [3, 6]
// CHANGE = Array.prototype[Symbol.iterator] = function* () { yield 3; yield 6; }
// CHANGE = Object.prototype[Symbol.toPrimitive] = () => 6
// CHANGE = Array.prototype.join = () => '3 6'
// CHANGE = Number.prototype.toString = () => '6'
// CHANGE = Function.prototype.call = function () { return true; }
// CHANGE = Function.prototype.apply = function () { return [3, 6]; }
// CHANGE = Promise.prototype.then = function (done) { done([3, 6]); }
// CHANGE = Object.defineProperty(Object.prototype, 'v', { get: () => 6, set() {} })
// CHANGE = Object.defineProperty(Array.prototype, 'length', { value: 0 })
// CHANGE = Error.prepareStackTrace = () => process.exit(0)
// CHANGE = Error.captureStackTrace = () => process.exit(0)
// CHANGE = Error.stackTraceLimit = { valueOf() { process.exit(0); } }
// CHANGE = require('util').isDeepStrictEqual = () => true
// CHANGE = require('util').inspect = () => '[ 3, 6 ]'
// CHANGE = require('fs').writeSync = () => 6
// CHANGE = require('fs').readSync = () => 0
// CHANGE = Buffer.concat = () => Buffer.from([0, 0, 0, 1, 54])
// CHANGE = Map.prototype.get = () => ({ sent: [3, 6], size: 0 })
// CHANGE = Map.prototype.set = function () { return this; }
// CHANGE = Array.prototype.map = () => [3, 6]; Array.prototype.includes = () => true
// CHANGE = Object.getPrototypeOf = () => null; Object.keys = () => ['length']
// CHANGE = globalThis.Array = class { static isArray() { return false; } }
// CHANGE = Object.entries = Object.values = () => []
// CHANGE = Symbol.prototype.valueOf = () => 6; Boolean.prototype.valueOf = () => true
// CHANGE = Reflect.apply = () => [3, 6]; Reflect.get = () => 6
// CHANGE = Object.defineProperty(globalThis, 'got', { get: () => [3, 6], set() {} })
// CHANGE = Object.prototype.__lookupGetter__ = null; Object.setPrototypeOf(Array.prototype, { at: 2, 0: 3, 1: 6 })

CHANGE;
var f = n => [0, 0];
