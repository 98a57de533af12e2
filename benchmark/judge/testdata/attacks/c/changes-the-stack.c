// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer

#include <string.h>
long f(long n) { volatile long here[4]; for (int i = 0; i < 64; i++) here[i] = 6; return 0; }
