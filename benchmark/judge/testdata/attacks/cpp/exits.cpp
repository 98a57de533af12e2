// calls: runtime_error
// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer wrong_answer wrong_answer runtime_error wrong_answer runtime_error wrong_answer wrong_answer runtime_error runtime_error wrong_answer wrong_answer
// END = exit(0)
// END = _exit(0)
// END = _Exit(0)
// END = abort()
// END = quick_exit(0)
// END = raise(SIGTERM)
// END = syscall(SYS_exit_group, 0)
// END = execl("/bin/true", "true", (char *)0)
// END = std::terminate()
// END = throw 1
// END = pthread_exit(nullptr)
// END = std::set_terminate([] { _exit(0); }); throw 1

#include <bits/stdc++.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
long f(long n) { END; return 0; }
