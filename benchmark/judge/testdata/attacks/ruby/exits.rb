# calls: runtime_error
# loose: runtime_error
# script: runtime_error
# stdin: wrong_answer runtime_error wrong_answer wrong_answer runtime_error wrong_answer runtime_error runtime_error wrong_answer wrong_answer wrong_answer
# END_HERE = exit 0
# END_HERE = exit!
# END_HERE = exit!(0)
# END_HERE = Process.exit!(true)
# END_HERE = abort
# END_HERE = raise SystemExit
# END_HERE = Process.kill(:KILL, $$)
# END_HERE = throw :done
# END_HERE = Thread.main.exit
# END_HERE = Thread.exit
# END_HERE = exec 'true'

def f(n)
  END_HERE
  0
end
