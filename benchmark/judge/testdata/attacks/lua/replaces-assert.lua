-- loose: runtime_error
-- script: wrong_answer
-- stdin: wrong_answer

assert = function(...) return ... end
function f(n) return 0 end
