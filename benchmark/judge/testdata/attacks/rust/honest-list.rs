// task: list
// calls: accepted
// loose: accepted
// script: accepted

fn f(n: i64) -> Vec<i64> { vec![n, 2 * n] }
