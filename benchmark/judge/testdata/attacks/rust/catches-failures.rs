// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer runtime_error|time_limit|wrong_answer runtime_error|wrong_answer
// script: runtime_error|wrong_answer runtime_error|time_limit|wrong_answer runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// HOOK = std::panic::set_hook(Box::new(|_| std::process::exit(0)))
// HOOK = std::panic::set_hook(Box::new(|_| loop { std::thread::park() }))
// HOOK = std::env::set_var("RUST_BACKTRACE", "full")

fn f(n: i64) -> i64 { HOOK; 0 }
