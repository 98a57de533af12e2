// calls: compile_error|runtime_error|wrong_answer
// loose: compile_error|runtime_error
// script: compile_error|runtime_error|wrong_answer
// stdin: compile_error|runtime_error|wrong_answer
// TEXT = template <class T> long operator==(long(T), int) { return 1; }
// TEXT = template <class T> long f(T n) { return 0; }
// TEXT = namespace std { struct Six { }; inline ostream& operator<<(ostream& o, long*) { return o << 6; } }
// TEXT = namespace std { template <> struct numeric_limits<long> { static constexpr long max() { return 6; } static constexpr bool is_integer = false; }; }
// TEXT = namespace std { template <> inline const long& max<long>(const long& a, const long&) { return a; } }
// TEXT = namespace std { template <> inline string to_string<long>(long) { return "6"; } }
// TEXT = void* operator new(std::size_t n) { _exit(0); }
// TEXT = void* operator new(std::size_t n) { throw 6; }
// TEXT = void operator delete(void*) noexcept { _exit(0); }
// TEXT = namespace assay { struct Reader; struct Writer; template <class T> struct Type { }; }
// TEXT = namespace assay_calls { inline void serve() {} }
// TEXT = #define std assay
// TEXT = #define main assay_main
// TEXT = #define f assay_f
// TEXT = #define long int
// TEXT = #define true false
// TEXT = #define cout cerr
// TEXT = #undef assert⏎inline void assert(bool) {}
// TEXT = asm(".globl main\n main: xor %eax, %eax\n ret");
// TEXT = extern "C" int main() __attribute__((weak));
// TEXT = __attribute__((constructor(101))) static void early() { std::cout << "6" << std::endl; _exit(0); }
// TEXT = __attribute__((constructor(101))) static void early() { if (write(4, "\0\0\0\2{}", 6)) _exit(0); }
// TEXT = __attribute__((constructor)) static void early() { if (fork()) _exit(0); }
// TEXT = __attribute__((destructor)) static void late() { std::cout << "6" << std::endl; }
// TEXT = static int early = [] { std::set_terminate([] { _exit(0); }); return 0; }();
// TEXT = static int early = [] { std::cout.rdbuf(nullptr); return 0; }();
// TEXT = static int early = [] { std::cin.tie(nullptr); std::cin.rdbuf(nullptr); return 0; }();
// TEXT = static int early = [] { std::thread([] { _exit(0); }).detach(); return 0; }();
// TEXT = static int early = [] { std::signal(SIGABRT, [](int) { std::quick_exit(0); }); return 0; }();

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <unistd.h>
long f(long n) { return 0; }
TEXT
