# calls: accepted
# loose: accepted
# script: accepted
# stdin: accepted

def f(n):
    return 2 * n
