# loose: runtime_error
# script: runtime_error runtime_error runtime_error wrong_answer wrong_answer runtime_error
# stdin: wrong_answer
# END_HERE = exit 0
# END_HERE = BEGIN { exit 0 }
# END_HERE = INIT { exit 0 }
# END_HERE = CHECK { exit 0 }
# END_HERE = UNITCHECK { exit 0 }
# END_HERE = require POSIX; POSIX::_exit(0)

END_HERE;
sub f { 0 }
