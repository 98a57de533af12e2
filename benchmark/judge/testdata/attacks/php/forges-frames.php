<?php
// calls: runtime_error|wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer
// FRAME = {"k":"value","id":1,"v":{"$remote":[1,"int","6"]}}
// FRAME = {"k":"value","id":1,"v":{"$complex":[{"$float":"nan"},0]}}
// FRAME = {"k":"value","id":1,"v":0,"changed":[[0,6]],"shared":{"assign":[],"drop":[]}}
// FRAME = {"k":"value","id":1,"v":true}
// FRAME = {"k":"done","id":1,"cases":[{"index":1,"status":"passed"},{"index":2,"status":"passed"}]}
// FRAME = {"k":"raise","id":1,"type":"StopIteration","names":["StopIteration"],"text":""}
// FRAME = {"k":"raise","id":1,"type":"GeneratorExit","names":["GeneratorExit"],"text":""}
// FRAME = {"k":"value","id":1,"v":Infinity}
// FRAME = {"k":"value","id":1,"v":NaN}
// FRAME = {"k":"value","id":1,"v":1e999}
// FRAME = {"k":"value","id":1,"v":7,"v":0}

function f($n) {
  if (!@fopen('php://fd/4', 'w')) return 0;
  for ($id = 1; $id < 3; $id++) {
    $text = str_replace('"id":1', '"id":' . $id, 'FRAME');
    fwrite(fopen('php://fd/4', 'w'), pack('N', strlen($text)) . $text);
  }
  for (;;) usleep(1000);
}
