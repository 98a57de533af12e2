// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// MACRO = #define NDEBUG
// MACRO = #define NDEBUG⏎#include <assert.h>
// MACRO = #undef assert⏎#define assert(x) ((void)0)
// MACRO = #define if(x) if (0)
// MACRO = #define abort() ((void)0)
// MACRO = #define exit(x) exit(0)
// MACRO = #define __assert_fail(...) ((void)0)
// MACRO = #undef assert⏎#define assert(...)
// MACRO = #define return
// MACRO = # define \⏎NDEBUG
// MACRO = /* */ #define NDEBUG
// MACRO = #pragma push_macro("assert")⏎#define NDEBUG 1
// MACRO = %:define NDEBUG
// MACRO = #define static_assert(...)
// MACRO = #define main(...) unused(void) { return 0; } int main(void)

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
long f(long n) { return 0; }
MACRO
