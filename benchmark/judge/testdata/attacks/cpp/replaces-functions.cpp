// calls: wrong_answer wrong_answer runtime_error wrong_answer wrong_answer
// loose: runtime_error
// script: runtime_error wrong_answer wrong_answer wrong_answer wrong_answer
// stdin: wrong_answer
// FUNCTION = void __assert_fail(const char*, const char*, unsigned, const char*) noexcept {}
// FUNCTION = void abort() noexcept { __builtin_trap(); }
// FUNCTION = int memcmp(const void*, const void*, std::size_t) noexcept { return 0; }
// FUNCTION = int raise(int) noexcept { return 0; }
// FUNCTION = void* __cxa_allocate_exception(std::size_t) noexcept { __builtin_trap(); }

#include <cstddef>
extern "C" FUNCTION
long f(long n) { return 0; }
