<?php
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer

function f($n) { ini_set('zend.assertions', '0'); ini_set('assert.active', '0'); return 0; }
