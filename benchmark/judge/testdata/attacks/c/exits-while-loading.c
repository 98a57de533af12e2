// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer wrong_answer wrong_answer runtime_error
// END = exit(0)
// END = _exit(0)
// END = _Exit(0)
// END = abort()

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((constructor)) static void early(void) { END; }
long f(long n) { return 0; }
