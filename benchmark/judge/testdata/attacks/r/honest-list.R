# task: list
# calls: accepted
# loose: accepted
# script: accepted
# stdin: accepted

f <- function(n) list(n, 2 * n)
