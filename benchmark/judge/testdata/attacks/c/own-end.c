// loose: compile_error compile_error runtime_error
// script: compile_error compile_error wrong_answer
// stdin: wrong_answer
// NAME = int __wrap_main(void) { return 0; }
// NAME = void assay_exit(int s) {}
// NAME = int __real_main(void) { return 0; }

long f(long n) { return 0; }
NAME
