// The end of the tests in C.

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// A program may have functions of its own named read and write.
void assay_end(int *unused) {
  (void)unused;
  char word[99];
  long n = syscall(SYS_read, 7, word, sizeof word);
  if (n > 0)
    syscall(SYS_write, 8, word, n);
}

void assay_exit(int status) {
  if (status == 0)
    assay_end(0);
  exit(status);
}
