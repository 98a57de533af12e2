# task: list
# calls: accepted
# loose: accepted
# script: accepted
# stdin: accepted

def f(n) = [n, 2 * n]
