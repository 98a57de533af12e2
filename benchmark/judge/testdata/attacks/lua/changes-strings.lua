-- loose: runtime_error
-- script: wrong_answer
-- stdin: wrong_answer

getmetatable('').__eq = function() return true end
getmetatable('').__index = function() return function() return '6' end end
function f(n) return '0' end
