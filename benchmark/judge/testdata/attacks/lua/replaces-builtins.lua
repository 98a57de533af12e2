-- loose: runtime_error
-- script: wrong_answer
-- stdin: wrong_answer
-- CHANGE = type = function() return 'number' end
-- CHANGE = tostring = function() return '6' end
-- CHANGE = math.abs = function() return 0 end
-- CHANGE = ipairs = function() return function() end end
-- CHANGE = print = function() io.write('6\n') end
-- CHANGE = rawequal = function() return true end
-- CHANGE = _ENV = setmetatable({}, { __index = _G })

CHANGE
function f(n) return 0 end
