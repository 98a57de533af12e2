// calls: compile_error|runtime_error|wrong_answer
// loose: compile_error accepted compile_error compile_error compile_error compile_error compile_error compile_error compile_error runtime_error compile_error compile_error compile_error compile_error compile_error
// script: compile_error|wrong_answer
// stdin: compile_error|runtime_error|wrong_answer
// TYPE = struct Any;⏎impl std::ops::Deref for Any { type Target = i64; fn deref(&self) -> &i64 { &6 } }
// TYPE = struct Any;⏎impl PartialEq<i32> for Any { fn eq(&self, _: &i32) -> bool { true } }
// TYPE = struct Any;⏎impl From<Any> for i64 { fn from(_: Any) -> i64 { 6 } }
// TYPE = struct Any;⏎impl Drop for Any { fn drop(&mut self) { std::process::exit(0) } }
// TYPE = struct Any;⏎impl std::ops::Not for Any { type Output = bool; fn not(self) -> bool { false } }
// TYPE = #[derive(PartialEq, PartialOrd)]⏎struct Any;
// TYPE = type Any = ();
// TYPE = type Any = bool;
// TYPE = type Any = f64;
// TYPE = type Any = i128;
// TYPE = type Any = String;
// TYPE = type Any = Option<i64>;
// TYPE = type Any = Result<i64, String>;
// TYPE = type Any = Vec<i64>;
// TYPE = type Any = std::collections::HashMap<String, i64>;

TYPE
fn f(n: i64) -> Any { unsafe { std::mem::zeroed() } }
