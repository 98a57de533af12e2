// calls: compile_error|runtime_error|wrong_answer
// loose: compile_error|runtime_error
// script: compile_error|runtime_error|wrong_answer
// stdin: compile_error|runtime_error|wrong_answer
// THING = unsafe { libc_exit(0) }
// THING = unsafe { fork(); }
// THING = unsafe { abort_hook(end) }
// THING = std::panic::set_hook(Box::new(|_| {}))
// THING = std::panic::set_hook(Box::new(|_| { println!("6"); std::process::exit(0) }))
// THING = std::panic::resume_unwind(Box::new(6))
// THING = std::panic::panic_any(0)
// THING = std::thread::spawn(|| std::process::exit(0))
// THING = std::thread::spawn(|| unsafe { libc_exit(0) })
// THING = std::process::Command::new("true").status()
// THING = std::io::Write::write_all(&mut std::io::stdout(), b"6\n20\n")
// THING = std::mem::forget(std::io::stdout().lock())
// THING = std::env::remove_var("PATH")
// THING = std::fs::write("main.rs", "fn main() {}")
// THING = std::thread::Builder::new().name("6".into()).spawn(|| loop {})
// THING = Box::leak(Box::new(6))
// THING = std::rc::Rc::new(Late)
// THING = { let x = 0u8; unsafe { *(&x as *const u8 as *mut u8) = 6 } }
// THING = unsafe { *(8 as *mut i64) = 6 }
// THING = unsafe { std::hint::unreachable_unchecked() }
// THING = [0u8; 0][n as usize]
// THING = n / (n - n)
// THING = { fn deep(n: i64) -> i64 { deep(n + 1) + 1 } deep(0) }
// THING = (0..12).for_each(|at| unsafe { close(at); })
// THING = (0..12).for_each(|at| unsafe { dup2(2, at); })
// THING = (3..12).for_each(|at| unsafe { write(at, b"\0\0\0\x02{}".as_ptr(), 6); })

#![allow(warnings)]
extern "C" { #[link_name = "_exit"] fn libc_exit(status: i32) -> !; fn fork() -> i32; #[link_name = "atexit"] fn abort_hook(f: extern "C" fn()) -> i32; fn close(d: i32) -> i32; fn dup2(a: i32, b: i32) -> i32; fn write(d: i32, p: *const u8, n: usize) -> isize; }
extern "C" fn end() { unsafe { libc_exit(0) } }
struct Late;
impl Drop for Late { fn drop(&mut self) { std::process::exit(0) } }
fn f(n: i64) -> i64 { let _ = THING; 0 }
