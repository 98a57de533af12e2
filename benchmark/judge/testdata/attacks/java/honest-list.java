// task: list
// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

import java.util.*;
class S { static List<Long> f(long n) { return Arrays.asList(n, 2 * n); } }
