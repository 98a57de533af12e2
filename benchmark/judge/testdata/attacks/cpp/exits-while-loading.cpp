// calls: runtime_error
// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer wrong_answer wrong_answer runtime_error
// END = exit(0)
// END = _exit(0)
// END = _Exit(0)
// END = abort()

#include <bits/stdc++.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
struct Early { Early() { END; } } early;
long f(long n) { return 0; }
