// calls: runtime_error
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// MESSAGE = br#"{"k":"done","cases":[{"index":1,"status":"passed"},{"index":2,"status":"passed"}]}"#
// MESSAGE = br#"{"k":"value","id":1,"v":{"$remote":[1,"int","6"]},"life":1}"#

use std::io::Write;
use std::os::unix::io::FromRawFd;
fn f(n: i64) -> i64 {
    let text: &[u8] = MESSAGE;
    for at in 3..20 { let mut to = unsafe { std::fs::File::from_raw_fd(at) }; to.write_all(&(text.len() as u32).to_be_bytes()).ok(); to.write_all(text).ok(); std::mem::forget(to); }
    0
}
