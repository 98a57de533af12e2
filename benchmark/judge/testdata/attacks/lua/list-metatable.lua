-- task: list
-- loose: accepted
-- script: wrong_answer
-- stdin: wrong_answer runtime_error wrong_answer
-- VALUE = i
-- VALUE = true
-- VALUE = 0

function f(n) return setmetatable({}, { __len = function() return 2 end, __index = function(_, i) return VALUE end, __eq = function() return true end, __pairs = function() return next, {} end }) end
