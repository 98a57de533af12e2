// task: list
// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

const f = n => [n, 2 * n];
