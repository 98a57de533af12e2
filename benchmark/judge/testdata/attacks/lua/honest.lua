-- loose: accepted
-- script: accepted
-- stdin: accepted

function f(n) return 2 * n end
