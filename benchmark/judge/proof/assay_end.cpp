// The end of the tests in C++.

#include <cstdlib>
#include <exception>
#include <sys/syscall.h>
#include <unistd.h>

void assay_end(int *) {
  char word[99];
  if (std::uncaught_exceptions())
    return; // main is left by an exception
  long n = syscall(SYS_read, 7, word, sizeof word);
  if (n > 0)
    syscall(SYS_write, 8, word, n);
}

void assay_exit(int status) {
  if (status == 0)
    assay_end(nullptr);
  std::exit(status);
}
