# calls: runtime_error
# loose: runtime_error
# script: runtime_error
# stdin: wrong_answer runtime_error wrong_answer wrong_answer
# END_HERE = exit 0
# END_HERE = exit!
# END_HERE = at_exit { exit!(0) }; exit 1
# END_HERE = Process.exit(true)

END_HERE
def f(n) = 0
