# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# END = quit(status = 0)
# END = quit('no', 0, FALSE)

END
f <- function(n) 0
