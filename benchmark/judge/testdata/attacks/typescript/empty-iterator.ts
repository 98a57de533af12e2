// task: list
// calls: wrong_answer
// loose: accepted
// script: wrong_answer
// stdin: wrong_answer

class List extends Array<number> { [Symbol.iterator](): any { return [].values(); } }
function f(n: number): any { return new List(2); }
