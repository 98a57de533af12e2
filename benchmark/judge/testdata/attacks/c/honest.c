// loose: accepted
// script: accepted
// stdin: accepted

long f(long n) { return 2 * n; }
