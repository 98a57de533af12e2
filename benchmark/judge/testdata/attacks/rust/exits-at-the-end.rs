// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: runtime_error

struct Late;
impl Drop for Late { fn drop(&mut self) { std::process::exit(0) } }
thread_local! { static LATE: Late = Late; }
fn f(n: i64) -> i64 { LATE.with(|_| ()); 0 }
