<?php
// calls: runtime_error
// loose: runtime_error
// script: runtime_error
// stdin: wrong_answer
// END_HERE = if (true) exit(0)
// END_HERE = register_shutdown_function(function () { exit(0); }); if (true) exit(1)

END_HERE;
function f($n) { return 0; }
