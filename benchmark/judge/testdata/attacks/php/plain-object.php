<?php
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: runtime_error
// VALUE = $float
// VALUE = $int
// VALUE = $remote
// VALUE = $opaque
// VALUE = 0

function f($n) { $o = new stdClass(); $o->{'VALUE'} = 'nan'; return $o; }
