-- loose: runtime_error
-- script: wrong_answer
-- stdin: wrong_answer
-- VALUE = 0/0
-- VALUE = 1/0
-- VALUE = true
-- VALUE = '6'
-- VALUE = nil
-- VALUE = f
-- VALUE = io.stdout
-- VALUE = coroutine.create(f)

function f(n) return VALUE end
