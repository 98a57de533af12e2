// calls: wrong_answer
// loose: runtime_error
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// CHANGE = require('module')._load = () => new Proxy(() => {}, { get: () => () => {} })
// CHANGE = require('module').prototype.require = () => new Proxy(() => {}, { get: () => () => {} })
// CHANGE = for (const key of Object.keys(require.cache)) require.cache[key].exports = {}
// CHANGE = require('module')._cache = new Proxy({}, { get: () => ({ exports: {}, loaded: true }) })
// CHANGE = require('module')._resolveFilename = () => '/dev/null'
// CHANGE = require('module').wrap = () => 'process.exit(0)'
// CHANGE = require('assert').AssertionError.prototype.constructor = Object
// CHANGE = Object.defineProperty(require('assert'), 'deepEqual', { get: () => () => {} })
// CHANGE = process.binding = () => ({})
// CHANGE = require('vm').runInThisContext = () => () => 6
// CHANGE = require('v8').setFlagsFromString('--stack-size=64')
// CHANGE = require('domain').create().enter()
// CHANGE = require('inspector').open(0)
// CHANGE = { const s = new (require('inspector').Session)(); s.connect(); s.post('Runtime.enable'); s.post('Runtime.evaluate', { expression: 'process.exitCode = 0' }); }

try { CHANGE; } catch {}
var f = n => 0;
