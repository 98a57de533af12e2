// task: list
// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

function f(n: number): number[] { return [n, 2 * n]; }
