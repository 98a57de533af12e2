# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer
# VALUE = 9**9**9
# VALUE = -sin(9**9**9)
# VALUE = '6abc'
# VALUE = '0 but true'
# VALUE = undef
# VALUE = \6
# VALUE = sub { 6 }
# VALUE = ()
# VALUE = *f

sub f { VALUE }
