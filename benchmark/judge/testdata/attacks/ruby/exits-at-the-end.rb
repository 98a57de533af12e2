# calls: runtime_error|wrong_answer
# loose: runtime_error|wrong_answer
# script: runtime_error|wrong_answer
# stdin: runtime_error|wrong_answer
# END_HERE = exit!(0)
# END_HERE = exit 0
# END_HERE = Process.exit!(true)
# END_HERE = $! = nil

at_exit { END_HERE }
def f(n) = 0
