// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

fn f(n: i64) -> i64 { 2 * n }
