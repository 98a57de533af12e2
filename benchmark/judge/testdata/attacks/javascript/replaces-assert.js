// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// MODULE = assert
// MODULE = node:assert
// MODULE = assert/strict

const own = require('MODULE');
for (const it of [own, own.strict]) for (const name of Object.keys(it)) { try { it[name] = () => {}; } catch {} }
var f = n => 0;
