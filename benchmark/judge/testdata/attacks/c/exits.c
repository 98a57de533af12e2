// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer wrong_answer wrong_answer runtime_error wrong_answer runtime_error wrong_answer wrong_answer runtime_error wrong_answer wrong_answer runtime_error
// END = exit(0)
// END = _exit(0)
// END = _Exit(0)
// END = abort()
// END = quick_exit(0)
// END = raise(SIGTERM)
// END = syscall(SYS_exit_group, 0)
// END = execl("/bin/true", "true", (char *)0)
// END = *(volatile int *)0 = 1
// END = pthread_exit(0)
// END = __builtin_unreachable()
// END = __builtin_trap()

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
long f(long n) { END; return 0; }
