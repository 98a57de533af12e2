package judge

import (
	"testing"

	"assay/benchmark/verdicts"
)

// TestRustAttacks: the classes of attack that a function in Rust can try, and its compiler's.
func TestRustAttacks(t *testing.T) {
	j := newJudge(t)
	const file = "use std::io::Write; use std::os::unix::io::FromRawFd; fn to(n: i32, text: &[u8]) { " +
		"let mut f = unsafe { std::fs::File::from_raw_fd(n) }; let _ = f.write_all(text); std::mem::forget(f) }\n"
	forged := func(message string) string {
		return file + "fn f(x: i64) -> i64 { let m = r#\"" + message + "\"#; to(4, &(m.len() as u32).to_be_bytes()); to(4, m.as_bytes()); 1 }"
	}
	refused := []verdicts.Verdict{verdicts.RuntimeError}
	attackFunction(t, j, "rust", []functionAttack{
		{"1 starts processes without end", "fn f(x: i64) -> i64 { loop { std::process::Command::new(\"sleep\").arg(\"9\").spawn().unwrap(); } }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.TimeLimit, verdicts.MemoryLimit}},
		{"1 starts threads without end", "fn f(x: i64) -> i64 { loop { std::thread::spawn(|| std::thread::sleep(std::time::Duration::from_secs(9))); } }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.TimeLimit, verdicts.MemoryLimit}},
		{"2 memory", "fn f(x: i64) -> i64 { let mut a: Vec<Vec<u8>> = vec![]; loop { a.push(vec![1; 1 << 20]) } }", []verdicts.Verdict{verdicts.MemoryLimit, verdicts.RuntimeError}},
		{"4 endless output", "fn f(x: i64) -> i64 { loop { println!(\"{}\", \"x\".repeat(9999)) } }", []verdicts.Verdict{verdicts.OutputLimit}},
		{"5 fills the disk", "use std::io::Write;\nfn f(x: i64) -> i64 { let mut o = std::fs::File::create(\"a\").unwrap(); loop { o.write_all(&[1; 99999]).unwrap() } }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit}},
		{"6 many files", "fn f(x: i64) -> i64 { for i in 0..5000 { std::fs::write(i.to_string(), \"\").unwrap() } 1 }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit}},
		{"8 busy loop", "fn f(x: i64) -> i64 { loop { std::hint::spin_loop() } }", []verdicts.Verdict{verdicts.TimeLimit}},
		{"9 sleeps", "fn f(x: i64) -> i64 { std::thread::sleep(std::time::Duration::from_secs(99)); 1 }", []verdicts.Verdict{verdicts.TimeLimit}},
		{"13 burns in four threads", "fn f(x: i64) -> i64 { for _ in 0..3 { std::thread::spawn(|| loop {}); } loop {} }", []verdicts.Verdict{verdicts.TimeLimit}},
		{"14 connects", "fn f(x: i64) -> String { std::net::TcpStream::connect(\"127.0.0.1:22\").unwrap(); \"xylograph\".into() }", refused},
		{"15 listens", "fn f(x: i64) -> String { std::net::TcpListener::bind(\"127.0.0.1:0\").unwrap(); \"xylograph\".into() }", refused},
		{"17 reads secrets", "fn f(x: i64) -> String { std::fs::read_to_string(\"/etc/shadow\").unwrap() }", refused},
		{"18 reads the environment", "fn f(x: i64) -> String { if std::env::vars().any(|(k, _)| k.contains(\"SECRET\") || k.contains(\"KEY\")) { \"xylograph\".into() } else { \"\".into() } }", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"19 writes to the system", "fn f(x: i64) -> String { std::fs::write(\"/usr/a\", \"\").unwrap(); \"xylograph\".into() }", refused},
		{"20 looks at processes", "fn f(x: i64) -> usize { std::fs::read_dir(\"/proc\").unwrap().count() }", []verdicts.Verdict{verdicts.RuntimeError, verdicts.WrongAnswer}},
		{"21 ptrace", "extern \"C\" { fn ptrace(r: i64, p: i32, a: usize, d: usize) -> i64; }\nfn f(x: i64) -> String { if unsafe { ptrace(0, 0, 0, 0) } == 0 { \"xylograph\".into() } else { \"\".into() } }", []verdicts.Verdict{verdicts.WrongAnswer, verdicts.RuntimeError}},
		{"22 signals everyone", "extern \"C\" { fn kill(p: i32, s: i32) -> i32; }\nfn f(x: i64) -> i64 { unsafe { kill(-1, 9); kill(1, 9); } 1 }", never},
		{"26 inherited descriptors", file + "fn f(x: i64) -> i64 { for i in 5..99 { to(i, b\"xylograph\") } 0 }", never},
		{"27 becomes root", "extern \"C\" { fn setuid(u: u32) -> i32; }\nfn f(x: i64) -> String { if unsafe { setuid(0) } == 0 { \"xylograph\".into() } else { \"\".into() } }", []verdicts.Verdict{verdicts.WrongAnswer, verdicts.RuntimeError}},
		{"28 escapes", "fn f(x: i64) -> &'static str { println!(\"\\x1b[2J\"); \"\\x1b]0;x\\x07\" }", []verdicts.Verdict{verdicts.WrongAnswer}},
		{"31 deep recursion", "fn f(x: i64) -> i64 { f(x + 1) + 1 }", refused},
		{"33 exits", "fn f(x: i64) -> i64 { std::process::exit(0) }", refused},
		{"33 exits before main", "extern \"C\" fn early() { std::process::exit(0) }\n#[used]\n#[link_section = \".init_array\"]\nstatic EARLY: extern \"C\" fn() = early;\nfn f(x: i64) -> i64 { x }", refused},
		{"34 agrees with everything", "struct A;\nimpl<T> PartialEq<T> for A { fn eq(&self, _: &T) -> bool { true } }\nimpl assay_calls::Give for A { fn give(&self, out: &mut String) { out.push_str(\"true\") } }\nfn f(x: i64) -> A { A }", never},
		{"39 a forged verdict", forged(`{"k":"done","cases":[{"index":1,"status":"passed"}]}`), never},
		{"39 a forged value for another call", forged(`{"k":"value","v":"xylograph","id":2}`), never},
		{"39 more than one message", "struct A;\nimpl assay_calls::Give for A { fn give(&self, out: &mut String) { out.push_str(\"0,\\\"k\\\":\\\"done\\\",\\\"cases\\\":[]\") } }\nfn f(x: i64) -> A { A }", never},
		{"40 catches what fails", "fn f(x: i64) -> String { std::panic::set_hook(Box::new(|_| std::process::exit(0))); panic!(\"xylograph\") }", never},
		{"43 a macro without end", "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*) } }\nm!(a);\nfn f(x: i64) -> i64 { x }", []verdicts.Verdict{verdicts.CompileError}},
		{"43 a constant without end", "const fn g(n: u64) -> u64 { let mut i = 0; while i < u64::MAX { i += n } i }\nconst N: u64 = g(1);\nfn f(x: i64) -> u64 { N }", []verdicts.Verdict{verdicts.CompileError}},
		{"43 reads files while compiling", "const S: &str = include_str!(\"/etc/shadow\");\nfn f(x: i64) -> &'static str { S }", []verdicts.Verdict{verdicts.CompileError}},
	})
}
