# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# HOOK = quote(quit(status = 0))
# HOOK = expression(NULL)
# HOOK = function() quit(status = 0)

options(error = HOOK)
f <- function(n) 0
