# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# END = quit(status = 0)
# END = q('no', 0)
# END = invokeRestart('abort')
# END = stop('x')
# END = tools::pskill(Sys.getpid(), 9)
# END = signalCondition(structure(class = c('interrupt', 'condition'), list()))

f <- function(n) { END; 0 }
