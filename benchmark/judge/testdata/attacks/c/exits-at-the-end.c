// loose: runtime_error
// script: wrong_answer runtime_error wrong_answer runtime_error
// stdin: wrong_answer
// HOOK = __attribute__((destructor))
// HOOK = extern int unused;
// CALL = atexit(late)
// CALL = signal(SIGABRT, (void (*)(int))late)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
HOOK static void late(void) { _exit(0); }
__attribute__((constructor)) static void early(void) { CALL; }
long f(long n) { return 0; }
