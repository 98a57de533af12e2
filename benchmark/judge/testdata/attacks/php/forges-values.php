<?php
// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer
// stdin: runtime_error|wrong_answer
// VALUE = (object) ['$remote' => [1, 'int', '6'], 'v' => 6]
// VALUE = ['$remote' => [1, 'int', '6']]
// VALUE = ['$complex' => [NAN, 0]]
// VALUE = ['$float' => 'inf']
// VALUE = ['$method' => 1]
// VALUE = ['$int' => '0x7']
// VALUE = ['$dict' => [[[], 6]]]
// VALUE = ['' => 6]
// VALUE = [6 => 6]
// VALUE = [[]]
// VALUE = new class { public $v = 6; function __serialize(): array { return [6]; } }
// VALUE = new class implements JsonSerializable { function jsonSerialize(): mixed { return 6; } }
// VALUE = new class implements Stringable { function __toString(): string { throw new Error(); } }
// VALUE = new class extends ArrayObject { function count(): int { return 6; } }
// VALUE = new class extends stdClass { function __get($k) { return 6; } }
// VALUE = new SplFixedArray(6)
// VALUE = new SplObjectStorage()
// VALUE = new WeakMap()
// VALUE = (function () { yield 6; })()
// VALUE = function_exists('gmp_init') ? gmp_init(7) : 7
// VALUE = fopen('php://memory', 'r')
// VALUE = '0x6'
// VALUE = ' 6.5 '
// VALUE = '7e0'
// VALUE = "\xff6"
// VALUE = 5.9999
// VALUE = -0.0
// VALUE = false

function f($n) { return VALUE; }
