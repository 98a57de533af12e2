// calls: runtime_error|wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// FRAME = { k: 'done', cases: [{ index: 1, status: 'passed' }] }
// FRAME = { v: { $remote: [1, 'int', '6'] } }
// FRAME = { v: { $complex: [{ $float: 'nan' }, 0] } }
// FRAME = { v: true }
// FRAME = { changed: [[0, 6]] }
// FRAME = { k: 'raise', type: 'StopIteration', names: ['StopIteration'], text: '' }
// FRAME = { k: 'passed', status: 'passed' }

const stringify: any = JSON.stringify;
(JSON as any).stringify = (message: any) => stringify(message && message.k === 'value' ? Object.assign(message, FRAME) : message);
function f(n: number): any { return 0; }
