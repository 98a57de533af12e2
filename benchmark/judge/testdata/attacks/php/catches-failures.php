<?php
// calls: wrong_answer
// loose: runtime_error wrong_answer runtime_error wrong_answer wrong_answer wrong_answer wrong_answer
// script: runtime_error wrong_answer runtime_error wrong_answer wrong_answer wrong_answer wrong_answer
// stdin: wrong_answer
// HOOK = set_exception_handler(function ($e) { exit(0); })
// HOOK = set_error_handler(function () { exit(0); })
// HOOK = set_exception_handler(function ($e) {})
// HOOK = assert_options(ASSERT_ACTIVE, 0)
// HOOK = ini_set('zend.assertions', '0')
// HOOK = ini_set('assert.exception', '0')
// HOOK = assert_options(ASSERT_CALLBACK, function () { exit(0); })

HOOK;
function f($n) { return 0; }
