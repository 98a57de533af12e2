<?php
// task: list
// calls: accepted
// loose: accepted
// script: accepted
// stdin: accepted

function f($n) { return [$n, 2 * $n]; }
