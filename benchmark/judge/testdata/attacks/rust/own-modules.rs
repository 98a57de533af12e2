// calls: wrong_answer compile_error wrong_answer wrong_answer
// loose: compile_error runtime_error compile_error runtime_error
// script: compile_error wrong_answer compile_error wrong_answer
// stdin: wrong_answer wrong_answer compile_error wrong_answer
// NAME = assay_end
// NAME = assay_calls
// NAME = std
// NAME = process

mod NAME { pub fn run<T>(_: fn() -> T) -> std::process::ExitCode { std::process::ExitCode::SUCCESS } pub fn serve() {} pub fn exit(_: i32) -> ! { std::process::exit(0) } }
fn f(n: i64) -> i64 { 0 }
