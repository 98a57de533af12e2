// loose: runtime_error|time_limit
// script: runtime_error|time_limit|wrong_answer
// stdin: runtime_error|wrong_answer
// THING = if (!fork()) { for (int at = 1; at < 12; at++) if (write(at, "6\n", 2)) continue; _exit(0); }
// THING = if (fork()) _exit(0)
// THING = { pthread_t t; pthread_create(&t, 0, end, 0); }
// THING = { struct sigaction a = { .sa_handler = (void (*)(int))end }; sigaction(SIGALRM, &a, 0); ualarm(1000, 0); }
// THING = signal(SIGSEGV, (void (*)(int))end); *(volatile int *)0 = 1
// THING = signal(SIGABRT, SIG_IGN)
// THING = { sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); }
// THING = { void **sp = __builtin_frame_address(0); sp[1] = (void *)_exit; }
// THING = { char *p = (char *)((long)main & -4096); mprotect(p, 8192, 7); memset((void *)main, 0xc3, 16); }
// THING = ptrace(PTRACE_TRACEME, 0, 0, 0)
// THING = close(0); close(1); close(2)
// THING = dup2(1, 2); dup2(2, 1)
// THING = freopen("/dev/null", "w", stdout)
// THING = setvbuf(stdout, 0, _IOFBF, 1 << 20)
// THING = if (write(1, "6\n20\n", 5)) _exit(0)
// THING = if (write(1, "6\n", 2)) fclose(stdout)
// THING = printf("\b\b6"); fflush(stdout)
// THING = prctl(PR_SET_NAME, "6"); prctl(PR_SET_DUMPABLE, 0)
// THING = atexit((void (*)(void))end)
// THING = at_quick_exit((void (*)(void))end); quick_exit(0)
// THING = on_exit((void (*)(int, void *))end, 0)
// THING = { int *p = malloc(16); free(p); p[1] = 6; }
// THING = setenv("LD_PRELOAD", "/tmp/x.so", 1); execl("/proc/self/exe", "x", (char *)0)
// THING = unlink("main"); symlink("/bin/true", "main")
// THING = syscall(SYS_exit, 0)
// THING = __builtin_longjmp((void *[5]){0}, 1)
// THING = asm volatile("leave; ret")

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *end(void *p) { _exit(0); }
int main();
long f(long n) { THING; return 0; }
