// loose: compile_error|runtime_error
// script: compile_error|runtime_error|wrong_answer
// stdin: compile_error|runtime_error|wrong_answer
// FUNCTION = int printf(const char *a, ...) { return 0; }
// FUNCTION = int puts(const char *a) { return 0; }
// FUNCTION = int scanf(const char *a, ...) { return 0; }
// FUNCTION = void *malloc(size_t n) { return 0; }
// FUNCTION = void free(void *p) {}
// FUNCTION = long read(int d, void *p, size_t n) { return n; }
// FUNCTION = long write(int d, const void *p, size_t n) { return n; }
// FUNCTION = int close(int d) { return 0; }
// FUNCTION = int atexit(void (*g)(void)) { return 0; }
// FUNCTION = int kill(int p, int s) { return 0; }
// FUNCTION = int sigaction(int s, const void *a, void *b) { return 0; }
// FUNCTION = void _exit(int s) { for (;;); }
// FUNCTION = void *memcpy(void *a, const void *b, size_t n) { return a; }
// FUNCTION = size_t strlen(const char *s) { return 6; }
// FUNCTION = int __libc_start_main(void) { return 0; }
// FUNCTION = void __stack_chk_fail(void) {}
// FUNCTION = int __printf_chk(int f, const char *a, ...) { return 0; }
// FUNCTION = int __isoc99_scanf(const char *a, ...) { return 0; }
// FUNCTION = int fflush(void *f) { return 0; }
// FUNCTION = int fprintf(void *f, const char *a, ...) { return 0; }
// FUNCTION = void assay_failed(const char *a, int b, const char *c) {}
// FUNCTION = void assay_end(void) {}
// FUNCTION = void __cyg_profile_func_enter(void *a, void *b) {}
// FUNCTION = void _init(void) {}
// FUNCTION = void _fini(void) {}
// FUNCTION = void _start(void) { for (;;); }
// FUNCTION = char **environ; int optind;
// FUNCTION = __attribute__((weak)) int main(void) { return 0; }

typedef unsigned long size_t;
long f(long n) { return 0; }
FUNCTION
