# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer

reg.finalizer(globalenv(), function(e) quit(status = 0), onexit = TRUE)
.Last <- function() quit(status = 0)
f <- function(n) 0
