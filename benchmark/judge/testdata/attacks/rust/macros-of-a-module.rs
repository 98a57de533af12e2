// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// MACRO = assert
// MACRO = assert_eq

#[macro_use]
mod own {
    #[macro_export]
    macro_rules! MACRO { ($($t:tt)*) => {}; }
}
fn f(n: i64) -> i64 { 0 }
