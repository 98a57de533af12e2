# calls: compile_error|runtime_error|wrong_answer|time_limit
# script: compile_error|runtime_error|wrong_answer
# loose: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# ATTACK = `if` <- function(...) NULL
# ATTACK = `!` <- function(x) FALSE
# ATTACK = `::` <- function(package, name) function(...) TRUE
# ATTACK = `{` <- function(...) NULL
# ATTACK = `(` <- function(x) function(...) NULL
# ATTACK = `function` <- function(...) base::function(...) NULL
# ATTACK = `==` <- function(a, b) TRUE
# ATTACK = `&&` <- function(a, b) TRUE
# ATTACK = `%in%` <- function(a, b) TRUE
# ATTACK = `<-` <- function(a, b) NULL
# ATTACK = `for` <- function(...) NULL
# ATTACK = base <- list(); `$` <- function(a, b) function(...) TRUE
# ATTACK = T <- FALSE; c <- function(...) 0; list <- function(...) 0
# ATTACK = assay_stopifnot <- function(...) NULL
# ATTACK = makeActiveBinding('c', function() function(...) 0, globalenv())
# ATTACK = attach(list(identical = function(...) TRUE, `if` = function(...) NULL, `==` = function(...) TRUE))
# ATTACK = library(methods); setMethod('==', signature('numeric', 'numeric'), function(e1, e2) TRUE)

ATTACK
f <- function(n) 0
