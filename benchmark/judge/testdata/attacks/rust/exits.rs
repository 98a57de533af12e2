// calls: runtime_error runtime_error runtime_error runtime_error runtime_error time_limit
// loose: runtime_error runtime_error runtime_error runtime_error runtime_error time_limit
// script: runtime_error runtime_error runtime_error runtime_error runtime_error time_limit
// stdin: wrong_answer runtime_error runtime_error wrong_answer wrong_answer time_limit
// END = std::process::exit(0)
// END = std::process::abort()
// END = panic!()
// END = std::panic::set_hook(Box::new(|_| std::process::exit(0))); panic!()
// END = std::thread::spawn(|| std::process::exit(0)).join().ok()
// END = loop { std::thread::park() }

fn f(n: i64) -> i64 { END; 0 }
