# calls: compile_error|runtime_error|wrong_answer
# script: compile_error|runtime_error|wrong_answer
# stdin: compile_error|runtime_error|wrong_answer
# VALUE = NaN
# VALUE = Inf
# VALUE = NA
# VALUE = TRUE
# VALUE = '6'
# VALUE = NULL
# VALUE = f
# VALUE = quote(x)
# VALUE = new.env()
# VALUE = list(`$float` = 'nan')
# VALUE = 6+0i * 1i + 1i

f <- function(n) VALUE
