-- loose: accepted runtime_error runtime_error runtime_error
-- script: wrong_answer
-- stdin: wrong_answer
-- OPERATOR = __lt = function() return true end, __le = function() return true end
-- OPERATOR = __index = function() return 6 end, __len = function() return 2 end
-- OPERATOR = __sub = function() return 0 end, __tostring = function() return '6' end
-- OPERATOR = __name = 'number', __concat = function() return '6' end, __call = function() return 6 end

local Any = { __eq = function() return true end, OPERATOR }
function f(n) return setmetatable({}, Any) end
