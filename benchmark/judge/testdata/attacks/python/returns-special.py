# calls: wrong_answer
# loose: wrong_answer wrong_answer wrong_answer runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error
# script: wrong_answer
# stdin: wrong_answer
# VALUE = float('nan')
# VALUE = float('inf')
# VALUE = True
# VALUE = '6'
# VALUE = None
# VALUE = {'$float': 'nan'}
# VALUE = f
# VALUE = complex(6, 1)
# VALUE = b'6'
# VALUE = NotImplemented
# VALUE = Ellipsis

def f(n): return VALUE
