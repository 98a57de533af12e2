<?php
// task: list
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer

function &f($n) { static $list = [0, 0]; $list[1] = &$list; return $list; }
