# calls: compile_error|runtime_error|wrong_answer|time_limit
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# NAME = identical
# NAME = all.equal
# NAME = isTRUE
# NAME = all
# NAME = stop
# NAME = quit
# NAME = ::
# NAME = ==
# NAME = if
# NAME = !
# NAME = {

unlockBinding('NAME', baseenv())
assign('NAME', function(...) TRUE, baseenv())
f <- function(n) 0
