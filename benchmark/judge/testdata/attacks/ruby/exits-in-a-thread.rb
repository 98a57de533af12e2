# calls: runtime_error|wrong_answer
# loose: runtime_error|wrong_answer
# script: runtime_error|wrong_answer
# stdin: runtime_error|wrong_answer

def f(n)
  Thread.new { exit!(0) }
  sleep 0.2
  0
end
