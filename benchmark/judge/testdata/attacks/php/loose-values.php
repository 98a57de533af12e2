<?php
// calls: wrong_answer
// loose: accepted wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer
// script: wrong_answer
// stdin: wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer runtime_error runtime_error wrong_answer
// VALUE = true
// VALUE = "6abc"
// VALUE = new class { public function __toString() { return '6'; } }
// VALUE = INF
// VALUE = NAN
// VALUE = "0"
// VALUE = null
// VALUE = []
// VALUE = new DateTime()
// VALUE = fn () => 6
// VALUE = 1e1000

function f($n) { return VALUE; }
