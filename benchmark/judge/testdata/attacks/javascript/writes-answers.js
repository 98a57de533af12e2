// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// MESSAGE = { k: 'done', cases: [{ index: 1, status: 'passed' }, { index: 2, status: 'passed' }] }
// MESSAGE = { k: 'value', id: 1, v: { $remote: { on: 1, type: 'int', text: '6' } }, life: 1 }
// MESSAGE = { k: 'value', id: 1, v: { $opaque: { type: 'int', text: '6' } } }
// MESSAGE = { k: 'value', id: 1, v: { $float: 'nan' } }
// MESSAGE = { k: 'value', id: 1, v: { $repeat: [[6], 2] } }

const fs = require('fs');
const f = n => {
  const text = Buffer.from(JSON.stringify(MESSAGE)), head = Buffer.alloc(4);
  head.writeUInt32BE(text.length, 0);
  for (let at = 3; at < 20; at++) { try { fs.writeSync(at, Buffer.concat([head, text])); } catch {} }
  return 0;
};
