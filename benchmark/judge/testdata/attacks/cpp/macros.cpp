// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// MACRO = #define NDEBUG
// MACRO = #define NDEBUG⏎#include <cassert>
// MACRO = #undef assert⏎#define assert(x) ((void)0)
// MACRO = #define if(x) if (false)
// MACRO = #define abort() cout
// MACRO = #define __assert_fail(...) ((void)0)
// MACRO = # define \⏎NDEBUG
// MACRO = /* */ #define NDEBUG
// MACRO = %:define NDEBUG
// MACRO = #define return
// MACRO = #define throw
// MACRO = #define main(...) unused() { return 0; } int main()
// MACRO = #define false true
// MACRO = #define operator

#include <bits/stdc++.h>
long f(long n) { return 0; }
MACRO
