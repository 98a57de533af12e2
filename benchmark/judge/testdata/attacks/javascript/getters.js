// task: list
// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

let turn = 0;
const f = n => { const list = [0, 0]; Object.defineProperty(list, 0, { get: () => turn++, enumerable: true }); return list; };
