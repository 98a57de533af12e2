# loose: runtime_error
# script: runtime_error
# stdin: wrong_answer wrong_answer wrong_answer runtime_error wrong_answer runtime_error runtime_error runtime_error runtime_error
# END_HERE = exit 0
# END_HERE = CORE::exit(0)
# END_HERE = require POSIX; POSIX::_exit(0)
# END_HERE = kill 'KILL', $$
# END_HERE = exec 'true'
# END_HERE = die 'x'
# END_HERE = goto OUT
# END_HERE = last
# END_HERE = CORE::dump()

sub f { END_HERE; return 0 }
