# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# ATTACK = globalCallingHandlers(error = function(e) invokeRestart('abort'))
# ATTACK = globalCallingHandlers(error = function(e) base::quit('no', 0))
# ATTACK = addTaskCallback(function(...) base::quit('no', 0))
# ATTACK = options(error = quote(base::system('true')), warn = -1)
# ATTACK = setTimeLimit(elapsed = 0.01)
# ATTACK = sys.on.exit(); on.exit(base::quit('no', 0))
# ATTACK = trace(base::quit, exit = quote(NULL), print = FALSE)

ATTACK
f <- function(n) 0
