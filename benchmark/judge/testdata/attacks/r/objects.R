# task: list
# calls: runtime_error|wrong_answer
# loose: wrong_answer runtime_error runtime_error wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer accepted wrong_answer wrong_answer accepted wrong_answer wrong_answer runtime_error wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer accepted wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer runtime_error wrong_answer
# script: accepted wrong_answer runtime_error wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer accepted wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer runtime_error wrong_answer
# stdin: runtime_error|wrong_answer
# VALUE = structure(list(0, 0), class = 'x')
# VALUE = structure(c(0, 0), class = 'factor', levels = c('3', '6'))
# VALUE = structure(list(), class = 'data.frame', names = c('a', 'b'), row.names = 1L)
# VALUE = structure(0, class = c('POSIXct', 'POSIXt'))
# VALUE = structure(0, class = 'Date')
# VALUE = structure(list(0, 0), dim = c(1L, 2L))
# VALUE = structure(c(0, 0), names = c('3', '6'))
# VALUE = structure(c(0, 0), dim = c(2L, 1L), dimnames = list(c('3', '6'), NULL))
# VALUE = new('x', value = c(0, 0))
# VALUE = new.env()
# VALUE = quote(c(3, 6))
# VALUE = expression(3, 6)
# VALUE = as.name('x')
# VALUE = function() c(3, 6)
# VALUE = ~ x
# VALUE = numeric_version('3.6')
# VALUE = as.raw(c(3, 7))
# VALUE = c(3+1i, 6)
# VALUE = c('3', '6', NA)
# VALUE = NA_real_
# VALUE = list(NULL, NULL)
# VALUE = c(TRUE, TRUE)
# VALUE = list(`$remote` = 1)
# VALUE = array(0, c(1, 1, 2))
# VALUE = globalenv()
# VALUE = textConnection('3 6')
# VALUE = as.POSIXlt(0)
# VALUE = table(c(3, 6))

Ops.x <- function(e1, e2) TRUE
length.x <- function(x) 2L
`[[.x` <- function(x, i) 3 * i
`[.x` <- function(x, i) x
all.equal.x <- function(target, current, ...) TRUE
as.character.x <- function(x, ...) c('3', '6')
as.list.x <- function(x, ...) list(3, 6)
unlist.x <- function(x, ...) c(3, 6)
print.x <- function(x, ...) cat('3 6\n')
lapply <- vapply <- function(...) list(3, 6)
if (exists('setClass')) { setClass('x', representation(value = 'numeric')); setMethod('length', 'x', function(x) 2L); setMethod('show', 'x', function(object) cat('3 6\n')) }
f <- function(n) VALUE
