-- loose: runtime_error
-- script: wrong_answer
-- stdin: wrong_answer

debug.setmetatable(0, { __eq = function() return true end, __lt = function() return true end, __index = function() return 6 end, __call = function() return 6 end })
function f(n) return 0 end
