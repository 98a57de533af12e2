// calls: wrong_answer
// loose: compile_error
// script: compile_error
// stdin: wrong_answer
// TYPE = f64
// VALUE = f64::NAN
// VALUE = f64::INFINITY
// VALUE = -0.0

fn f(n: i64) -> TYPE { VALUE }
