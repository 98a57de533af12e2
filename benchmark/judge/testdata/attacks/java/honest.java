// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

class S { static long f(long n) { return 2 * n; } }
