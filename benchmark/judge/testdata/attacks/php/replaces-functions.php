<?php
// calls: runtime_error
// loose: wrong_answer
// script: runtime_error
// stdin: wrong_answer

namespace Own;
function json_encode($v) { return '6'; }
function strlen($v) { return 6; }
function f($n) { return 0; }
