// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer

fn f(n: i64) -> i64 { unsafe { let here = &n as *const i64 as *mut i64; for i in 0..64 { *here.offset(i) = 6; } } 0 }
