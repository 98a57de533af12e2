// loose: compile_error|runtime_error
// script: compile_error|wrong_answer
// stdin: compile_error|runtime_error|wrong_answer
// MACRO = #define long struct { int x; } unused; long
// MACRO = #define f(x) (x) * 2 - (x)
// MACRO = #define f(x) ((x) == 3 ? 0 : 0)
// MACRO = #define int float
// MACRO = #define __FILE__ "x"
// MACRO = #define __LINE__ 0
// MACRO = #define printf(...) 0
// MACRO = #define scanf(...) 0
// MACRO = #define read(...) 27
// MACRO = #define write(...) 27
// MACRO = #define assay_failed(...) 0
// MACRO = #define assay_end() 0
// MACRO = #define void int
// MACRO = #define const
// MACRO = #define static extern
// MACRO = #define sizeof(x) 0
// MACRO = #define unlikely(x) 0
// MACRO = #define __builtin_expect(x, y) 1
// MACRO = #define __GNUC__ 0
// MACRO = #define _ASSERT_H
// MACRO = #define _STDLIB_H
// MACRO = #define __asm__(...)
// MACRO = #define goto
// MACRO = #define switch(x) if (0)
// MACRO = #define include "/etc/passwd"
// MACRO = #pragma GCC poison assert
// MACRO = #pragma GCC poison main
// MACRO = #pragma redefine_extname exit _exit
// MACRO = #pragma weak abort
// MACRO = #pragma weak __assert_fail
// MACRO = #pragma GCC diagnostic ignored "-Wall"⏎#pragma GCC optimize("Ofast")
// MACRO = #line 1 "tests.c"
// MACRO = #if 0
// MACRO = /*
// MACRO = #error

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
long f(long n) { return 0; }
MACRO
