<?php
// task: list
// calls: wrong_answer
// loose: accepted
// script: wrong_answer
// stdin: runtime_error

class Any implements ArrayAccess, Countable, IteratorAggregate {
  public function offsetExists($k): bool { return true; }
  public function offsetGet($k): mixed { return $k ? true : true; }
  public function offsetSet($k, $v): void {}
  public function offsetUnset($k): void {}
  public function count(): int { return 2; }
  public function getIterator(): Iterator { return new EmptyIterator(); }
}
function f($n) { return new Any(); }
