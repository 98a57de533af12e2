// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

#include <setjmp.h>
static jmp_buf home;
long f(long n) { static int turn; if (turn++ == 0) { if (!setjmp(home)) return 0; return 6; } longjmp(home, 1); }
