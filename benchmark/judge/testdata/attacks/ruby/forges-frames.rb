# calls: runtime_error|wrong_answer
# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer
# FRAME = { 'k' => 'done', 'cases' => [{ 'index' => 1, 'status' => 'passed' }, { 'index' => 2, 'status' => 'passed' }] }
# FRAME = { 'v' => { '$remote' => [1, 'int', '6'] } }
# FRAME = { 'v' => { '$complex' => [{ '$float' => 'nan' }, 0] } }
# FRAME = { 'v' => { '$float' => 'inf' } }
# FRAME = { 'v' => { '$method' => 1 } }
# FRAME = { 'v' => true }
# FRAME = { 'changed' => [[0, 6]], 'v' => 0 }
# FRAME = { 'shared' => { 'assign' => [], 'drop' => [] } }
# FRAME = { 'k' => 'raise', 'type' => 'StopIteration', 'names' => ['StopIteration'], 'text' => '' }
# FRAME = { 'k' => 'raise', 'type' => 'AssertionError', 'names' => ['AssertionError'], 'text' => '6' }
# FRAME = { 'k' => 'exit', 'status' => 'passed', 'text' => '' }
# FRAME = { 'k' => 'passed', 'status' => 'passed' }

require 'json'
class << JSON
  alias own generate
  def generate(message, *rest, **more) = own(Hash === message && message['k'] == 'value' ? message.merge(FRAME) : message, *rest, **more)
end
def f(n) = 0
