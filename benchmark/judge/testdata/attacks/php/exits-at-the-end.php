<?php
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer
// END_HERE = exit(0)
// END_HERE = register_shutdown_function(function () { exit(0); })
// END_HERE = fclose(STDERR); exit(0)

register_shutdown_function(function () { END_HERE; });
function f($n) { return 0; }
