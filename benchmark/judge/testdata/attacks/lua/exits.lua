-- loose: runtime_error
-- script: runtime_error
-- stdin: wrong_answer wrong_answer runtime_error runtime_error runtime_error runtime_error wrong_answer
-- END_HERE = os.exit(0)
-- END_HERE = os.exit(true, true)
-- END_HERE = os.execute('kill -9 $PPID')
-- END_HERE = error()
-- END_HERE = error(nil)
-- END_HERE = coroutine.yield()
-- END_HERE = os['exit'](0)

function f(n) END_HERE; return 0 end
