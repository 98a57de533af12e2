# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# NAME = identical
# NAME = all.equal
# NAME = isTRUE
# NAME = stop
# NAME = quit
# NAME = all
# NAME = stopifnot

suppressMessages(trace('NAME', quote(return(TRUE)), print = FALSE, where = baseenv()))
f <- function(n) 0
