# calls: wrong_answer
# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer
# VALUE = Float::NAN
# VALUE = Float::INFINITY
# VALUE = true
# VALUE = '6'
# VALUE = nil
# VALUE = :six
# VALUE = Object.new
# VALUE = { '$float' => 'nan' }
# VALUE = method(:f)
# VALUE = Complex(6, 1)

def f(n) = VALUE
