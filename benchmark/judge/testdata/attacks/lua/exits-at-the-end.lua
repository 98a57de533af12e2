-- loose: runtime_error
-- script: wrong_answer
-- stdin: wrong_answer
-- END_HERE = os.exit(0)
-- END_HERE = io.stdout:write('6\n') os.exit(0)

setmetatable({}, { __gc = function() END_HERE end })
function f(n) return 0 end
