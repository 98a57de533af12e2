# loose: runtime_error
# script: runtime_error
# stdin: wrong_answer wrong_answer wrong_answer runtime_error
# END_HERE = $? = 0
# END_HERE = require POSIX; POSIX::_exit(0)
# END_HERE = exit 0
# END_HERE = kill 'KILL', $$

END { END_HERE }
sub f { 0 }
