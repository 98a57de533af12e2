-- loose: runtime_error
-- script: runtime_error
-- stdin: wrong_answer
-- END_HERE = os.exit(0)
-- END_HERE = os.exit(true, true)
-- END_HERE = goto done ::done:: os.exit(0)

END_HERE
function f(n) return 0 end
