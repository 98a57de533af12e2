<?php
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer

class Any { private $n = 0; public function __toString() { return $this->n++ ? '6' : '20'; } public function __get($k) { return 6; } public function __call($k, $a) { return 6; } public function __invoke() { return 6; } }
function f($n) { return new Any(); }
