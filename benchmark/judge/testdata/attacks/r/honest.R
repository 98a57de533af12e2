# calls: accepted
# loose: accepted
# script: accepted
# stdin: accepted

f <- function(n) 2 * n
