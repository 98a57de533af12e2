// task: list
// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

#include <vector>
std::vector<long> f(long n) { return {n, 2 * n}; }
