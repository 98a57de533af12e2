// calls: wrong_answer compile_error compile_error compile_error compile_error compile_error
// loose: runtime_error compile_error compile_error compile_error compile_error compile_error
// script: wrong_answer compile_error compile_error compile_error compile_error compile_error
// stdin: wrong_answer compile_error compile_error compile_error compile_error compile_error
// ATTRIBUTE = #![allow(arithmetic_overflow)]
// ATTRIBUTE = #![cfg(any())]
// ATTRIBUTE = #![no_main]
// ATTRIBUTE = #![no_std]
// ATTRIBUTE = #![feature(custom_test_frameworks)]
// ATTRIBUTE = #![no_implicit_prelude]

ATTRIBUTE
fn f(n: i64) -> i64 { 0 }
