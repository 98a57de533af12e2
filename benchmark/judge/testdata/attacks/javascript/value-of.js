// calls: wrong_answer
// loose: accepted
// script: wrong_answer
// stdin: wrong_answer
// METHOD = valueOf
// METHOD = [Symbol.toPrimitive]
// METHOD = toString

let turn = 0;
const f = n => ({ METHOD() { return turn++ % 2 ? -Infinity : Infinity; } });
