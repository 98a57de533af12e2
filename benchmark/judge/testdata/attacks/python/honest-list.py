# task: list
# calls: accepted
# loose: accepted
# script: accepted
# stdin: accepted

def f(n):
    return [n, 2 * n]
