-- loose: runtime_error
-- script: wrong_answer
-- stdin: wrong_answer
-- HOOK = error = function() end
-- HOOK = os.exit = function() end
-- HOOK = pcall = function() return true end
-- HOOK = xpcall = function() return true end
-- HOOK = debug.sethook(function() end, 'c')

HOOK
function f(n) return 0 end
