# task: list
# calls: compile_error|runtime_error|wrong_answer
# script: wrong_answer wrong_answer accepted wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer
# loose: wrong_answer wrong_answer wrong_answer accepted wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# METHOD = Ops.x <- function(e1, e2) TRUE
# METHOD = `==.x` <- function(e1, e2) TRUE
# METHOD = all.equal.x <- function(...) TRUE
# METHOD = length.x <- function(x) 2L
# METHOD = `[[.x` <- function(x, i) 3
# METHOD = as.character.x <- function(x, ...) c('3', '6')
# METHOD = mtfrm.x <- function(x) c(3, 6)
# METHOD = as.list.x <- function(x, ...) list(3, 6)
# METHOD = format.x <- function(x, ...) '[3,6]'

METHOD
f <- function(n) structure(list(), class = 'x')
