<?php
// calls: runtime_error
// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer wrong_answer wrong_answer wrong_answer runtime_error runtime_error wrong_answer
// END_HERE = exit(0)
// END_HERE = exit
// END_HERE = die
// END_HERE = exit("6")
// END_HERE = posix_kill(getmypid(), 9)
// END_HERE = throw new Error('x')
// END_HERE = pcntl_exec('/bin/true')

function f($n) { END_HERE; return 0; }
