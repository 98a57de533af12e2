-- task: list
-- loose: accepted
-- script: accepted
-- stdin: accepted

function f(n) return { n, 2 * n } end
