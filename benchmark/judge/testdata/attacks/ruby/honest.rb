# calls: accepted
# loose: accepted
# script: accepted
# stdin: accepted

def f(n) = 2 * n
