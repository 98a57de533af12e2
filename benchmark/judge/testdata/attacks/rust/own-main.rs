// calls: wrong_answer
// loose: compile_error
// script: compile_error
// stdin: compile_error
// MAIN = std::process::exit(0)
// MAIN = println!("6")

fn main() { MAIN }
fn f(n: i64) -> i64 { 0 }
