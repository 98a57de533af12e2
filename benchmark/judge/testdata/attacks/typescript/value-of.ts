// calls: wrong_answer
// loose: accepted
// script: wrong_answer
// stdin: wrong_answer
// METHOD = valueOf
// METHOD = [Symbol.toPrimitive]

let turn = 0;
function f(n: number): any { return { METHOD() { return turn++ % 2 ? -Infinity : Infinity; } }; }
