// calls: compile_error
// loose: accepted
// script: accepted
// stdin: wrong_answer

#[derive(Debug)]
struct Any;
impl<T> PartialEq<T> for Any { fn eq(&self, _: &T) -> bool { true } }
impl<T> PartialOrd<T> for Any { fn partial_cmp(&self, _: &T) -> Option<std::cmp::Ordering> { Some(std::cmp::Ordering::Equal) } }
impl std::fmt::Display for Any { fn fmt(&self, o: &mut std::fmt::Formatter) -> std::fmt::Result { o.write_str("6") } }
fn f(n: i64) -> Any { Any }
