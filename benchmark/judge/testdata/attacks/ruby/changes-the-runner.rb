# calls: wrong_answer
# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer

if defined?(AssaySample)
  def AssaySample.encode(*) = 6
  def AssaySample.opaque(*) = { '$float' => 'nan' }
end
def f(n) = 0
