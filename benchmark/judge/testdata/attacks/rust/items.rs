// calls: compile_error|runtime_error|time_limit|wrong_answer
// loose: compile_error|runtime_error
// script: compile_error|runtime_error|wrong_answer
// stdin: compile_error|memory_limit|runtime_error|time_limit|wrong_answer
// ITEM = #[no_mangle] pub extern "C" fn exit(_: i32) {}
// ITEM = #[no_mangle] pub extern "C" fn _exit(_: i32) {}
// ITEM = #[no_mangle] pub extern "C" fn abort() {}
// ITEM = #[no_mangle] pub extern "C" fn write(_: i32, _: *const u8, n: usize) -> usize { n }
// ITEM = #[no_mangle] pub extern "C" fn read(_: i32, _: *mut u8, n: usize) -> usize { n }
// ITEM = #[no_mangle] pub extern "C" fn memcmp(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }
// ITEM = #[no_mangle] pub extern "C" fn bcmp(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }
// ITEM = #[no_mangle] pub extern "C" fn malloc(_: usize) -> *mut u8 { std::ptr::null_mut() }
// ITEM = #[no_mangle] pub extern "C" fn rust_begin_unwind() { }
// ITEM = #[no_mangle] pub extern "C" fn __rust_start_panic() -> u32 { 0 }
// ITEM = #[export_name = "main"] pub extern "C" fn own() -> i32 { 0 }
// ITEM = trait PartialEq { fn eq(&self, _: &Self) -> bool { true } }
// ITEM = trait Own { fn eq(&self, _: &i64) -> bool { true } fn ne(&self, _: &i64) -> bool { false } } impl Own for i64 {}
// ITEM = trait Display { fn fmt(&self) -> &str { "6" } } impl Display for i64 {}
// ITEM = fn drop<T>(_: T) { std::process::exit(0) }
// ITEM = type i64 = i32;
// ITEM = type String = i32;
// ITEM = use std::process::exit as main2;
// ITEM = mod core {}
// ITEM = mod alloc {}
// ITEM = extern crate std as core;
// ITEM = extern crate self as std;
// ITEM = enum Option<T> { Some(T), None }
// ITEM = struct Result<T, E>(T, E);
// ITEM = const candidate: i64 = 0;
// ITEM = static mut N: i64 = 6;
// ITEM = macro_rules! assay { ($($t:tt)*) => { true } }
// ITEM = macro_rules! stringify { ($($t:tt)*) => { "6" } } macro_rules! format_args { ($($t:tt)*) => { "6" } }
// ITEM = macro_rules! unreachable { ($($t:tt)*) => {} } macro_rules! todo { ($($t:tt)*) => {} } macro_rules! print { ($($t:tt)*) => {} }
// ITEM = struct Alloc; unsafe impl std::alloc::GlobalAlloc for Alloc { unsafe fn alloc(&self, l: std::alloc::Layout) -> *mut u8 { std::process::exit(0) } unsafe fn dealloc(&self, _: *mut u8, _: std::alloc::Layout) {} } #[global_allocator] static A: Alloc = Alloc;
// ITEM = #[link_section = ".fini_array"] #[used] static LATE: extern "C" fn() = late; extern "C" fn late() { println!("6") }
// ITEM = #[link_section = ".preinit_array"] #[used] static EARLY: extern "C" fn() = early; extern "C" fn early() { std::process::exit(0) }
// ITEM = std::arch::global_asm!(".globl main", "main: xor %eax, %eax", "ret", options(att_syntax));

fn f(n: i64) -> i64 { 0 }
ITEM
