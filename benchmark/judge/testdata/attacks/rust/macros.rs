// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// MACRO = assert
// MACRO = assert_eq
// MACRO = assert_ne
// MACRO = panic
// MACRO = debug_assert_eq
// MACRO = vec
// MACRO = matches
// MACRO = println

macro_rules! MACRO { ($($t:tt)*) => {}; }
fn f(n: i64) -> i64 { 0 }
