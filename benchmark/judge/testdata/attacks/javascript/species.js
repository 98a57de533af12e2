// task: list
// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

class List extends Array { static get [Symbol.species]() { return function () { return [3, 6]; }; } }
const f = n => List.from([0, 0]);
