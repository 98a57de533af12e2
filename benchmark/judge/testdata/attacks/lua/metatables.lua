-- task: list
-- loose: accepted accepted accepted runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error accepted
-- script: wrong_answer
-- stdin: runtime_error|wrong_answer
-- OPERATOR = __len = function() return 2 end
-- OPERATOR = __len = function() return 2 end, __index = function(t, i) turn = turn + 1; return turn % 2 == 0 and 6 or 3.5 end
-- OPERATOR = __len = function() return 2 end, __ipairs = function() return function() end end
-- OPERATOR = __pairs = function() return function() end end
-- OPERATOR = __call = function() return 6 end, __name = 'table'
-- OPERATOR = __tostring = function() return '3 6' end, __concat = function() return '3 6' end
-- OPERATOR = __metatable = 6, __close = function() os.exit(0) end
-- OPERATOR = __gc = function() os.exit(0) end
-- OPERATOR = __mode = 'kv', __idiv = function() return 0 end, __unm = function() return 0 end
-- OPERATOR = __index = function(t, i) return setmetatable({}, { __eq = function() return true end, __lt = function() return true end, __le = function() return true end }) end, __len = function() return 2 end

turn = 0
function f(n) return setmetatable({}, { __eq = function() return true end, OPERATOR }) end
