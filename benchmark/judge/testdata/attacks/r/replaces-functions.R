# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# NAME = identical
# NAME = all.equal
# NAME = isTRUE
# NAME = stopifnot
# NAME = all
# NAME = stop

NAME <- function(...) TRUE
f <- function(n) 0
