// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

const f = n => 2 * n;
