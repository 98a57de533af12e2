// calls: wrong_answer
// loose: compile_error compile_error runtime_error
// script: compile_error compile_error wrong_answer
// stdin: wrong_answer
// NAME = extern "C" int __wrap_main(int, char**, char**) { return 0; }
// NAME = void assay_exit(int) {}
// NAME = namespace assay { template <class T> void give(const T&) {} }

long f(long n) { return 0; }
NAME
