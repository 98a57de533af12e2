// task: list
// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

const f = n => { const list = [0, 0]; list.toJSON = () => [n, n]; return list; };
