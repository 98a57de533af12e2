# script: runtime_error|wrong_answer
# loose: runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# COPY = cat <&7 >&8
# COPY = cat /proc/self/fd/7 >&8
# COPY = cat /dev/fd/7 >&8
# COPY = tee /dev/fd/8 <&7 >/dev/null
# COPY = head -c 99 <&7 >/proc/self/fd/8
# COPY = cat .word ../.word >&8

f <- function(n) { system("COPY"); quit("no", 0) }
