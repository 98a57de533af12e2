// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// HOOK = struct Late { ~Late() { _exit(0); } } late
// HOOK = auto late = std::atexit([] { _exit(0); })
// HOOK = struct Late { ~Late() { std::cout << "6\n" << std::flush; _exit(0); } } late

#include <bits/stdc++.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
HOOK;
long f(long n) { return 0; }
