# task: list
# calls: runtime_error|time_limit|wrong_answer
# loose: runtime_error
# script: wrong_answer runtime_error wrong_answer wrong_answer wrong_answer runtime_error wrong_answer wrong_answer wrong_answer wrong_answer runtime_error wrong_answer runtime_error runtime_error runtime_error runtime_error wrong_answer runtime_error accepted accepted wrong_answer runtime_error runtime_error wrong_answer wrong_answer wrong_answer runtime_error runtime_error
# stdin: wrong_answer
# CLASS = class Integer; def *(o) = 6; def abs = 0; end
# CLASS = class Integer; def to_s(*) = '6'; def inspect = '6'; end
# CLASS = class Integer; def coerce(o) = [o, o]; def <=>(o) = 0; end
# CLASS = class Integer; def hash = 6; def eql?(o) = true; end
# CLASS = class Integer; def ===(o) = true; def equal?(o) = true; end
# CLASS = class Array; def each_with_index = self; def size = 2; def length = 2; end
# CLASS = class Array; def hash = 6; def eql?(o) = true; end
# CLASS = class Array; def <=>(o) = 0; include Comparable; end
# CLASS = class Array; def join(*) = '3 6'; end
# CLASS = class Array; def pack(*) = "\0\0\0\1"; end
# CLASS = class Array; def first = 3; def last = 6; def [](i) = 3 * i + 3; end
# CLASS = class Array; def to_ary = [3, 6]; def to_s = '[3, 6]'; def inspect = '[3, 6]'; end
# CLASS = class NilClass; def ==(o) = true; def method_missing(*) = true; end
# CLASS = class FalseClass; def !; false; end; end
# CLASS = class TrueClass; def !; true; end; def &(o) = true; end
# CLASS = class String; def ==(o) = true; def bytesize = 1; end
# CLASS = class Hash; def merge(*) = { 'k' => 'value', 'id' => 1, 'v' => [3, 6] }; end
# CLASS = class Hash; def [](k) = 6; end
# CLASS = class Proc; def call(*) = [3, 6]; end
# CLASS = class Method; def call(*) = true; def owner = Object; end
# CLASS = class UnboundMethod; def bind_call(*) = Object; end
# CLASS = class Class; def ===(o) = true; end
# CLASS = class Module; def ===(o) = true; def name = 'Integer'; end
# CLASS = class Comparable; end rescue nil
# CLASS = class IO; def syswrite(*) = 6; def flush = self; end
# CLASS = class Exception; def message = '6'; def backtrace = []; def full_message(*) = ''; end
# CLASS = class Object; def instance_of?(c) = true; def is_a?(c) = true; def kind_of?(c) = true; end
# CLASS = class Object; def !~(o) = true; def =~(o) = true; def dup = [3, 6]; def itself = [3, 6]; end

CLASS
def f(n) = [0, 0]
