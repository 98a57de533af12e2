<?php
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer

function f($n) {
  if (class_exists('AssaySample')) {
    $left = new ReflectionProperty('AssaySample', 'left');
    $left->setAccessible(true);
    $left->setValue(null, PHP_INT_MIN);
  }
  return 0;
}
