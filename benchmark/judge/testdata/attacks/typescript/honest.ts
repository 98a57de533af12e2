// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

function f(n: number): number { return 2 * n; }
