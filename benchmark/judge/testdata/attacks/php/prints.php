<?php
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer

echo "6\n";
ob_start(fn ($text) => "6\n");
function f($n) { echo '6'; return 0; }
