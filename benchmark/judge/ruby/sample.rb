# The sample's side for Ruby: what python/sample.py is for Python. It shares a process with untrusted code, so
# nothing that it says is believed beyond "this call returned that value".
require 'json'
require 'set'

module AssaySample
  MAX_DEPTH = 150
  MAX_NODES = 2_000_000
  TooLarge = Class.new(StandardError)
  Missing = Class.new(StandardError)

  module_function

  def exactly(size)
    data = @orders.read(size)
    Process.exit!(0) if data.nil? || data.bytesize < size
    data
  end

  def receive = JSON.parse(exactly(exactly(4).unpack1('N')).force_encoding('UTF-8'), max_nesting: false)

  def send_answer(message)
    text = JSON.generate(message, max_nesting: false)
    @answers.write([text.bytesize].pack('N'), text)
    @answers.flush
  end

  def opaque(value)
    type = (Kernel.instance_method(:class).bind_call(value).name || 'object')
    { '$opaque' => { 'type' => type, 'text' => type } }
  rescue Exception
    { '$opaque' => { 'type' => 'object', 'text' => 'object' } }
  end

  def encode(value, depth = 0)
    raise TooLarge if (@left -= 1) < 0
    return opaque(value) if depth > MAX_DEPTH
    case value
    when nil, true, false then value
    when Integer then value.abs < 2**53 ? value : { '$int' => value.negative? ? "-0x#{value.abs.to_s(16)}" : "0x#{value.to_s(16)}" }
    when Float
      if value.finite? then value
      else { '$float' => value.nan? ? 'nan' : value.positive? ? 'inf' : '-inf' }
      end
    when String then text(String.new(value)) # whatever methods its class has
    when Symbol then text(value.name.dup)
    when Array then once(value) { value.map { |v| encode(v, depth + 1) } }
    when Set then once(value) { { '$set' => value.map { |v| encode(v, depth + 1) } } }
    when Hash then once(value) { encode_hash(value, depth) }
    else opaque(value)
    end
  end

  # once encodes a container, unless that was done. One that contains itself is opaque there.
  def once(value)
    sent, size = @known[value]
    if sent
      @shared = true
      raise TooLarge if (@left -= size) < 0
      return sent
    end
    @known[value] = [opaque(value), 0]
    left = @left
    sent = yield
    @known[value] = [sent, left - @left]
    sent
  end

  def text(value)
    utf8 = value.encoding == Encoding::BINARY ? value.dup.force_encoding('UTF-8') : value.encode('UTF-8')
    return utf8 if utf8.valid_encoding?
    { '$bytes' => [value].pack('m0') }
  rescue EncodingError
    { '$bytes' => [value].pack('m0') }
  end

  def encode_hash(value, depth)
    named = value.keys.all? { |k| String === k || Symbol === k }
    named &&= value.keys.map(&:to_s).uniq.size == value.size && !(value.size == 1 && value.keys[0].to_s.start_with?('$'))
    return value.to_h { |k, v| [k.to_s, encode(v, depth + 1)] } if named
    { '$dict' => value.map { |k, v| [encode(k, depth + 1), encode(v, depth + 1)] } }
  end

  def decode(value)
    case value
    when Array then value.map { |v| decode(v) }
    when Hash
      key, body = value.first
      return value.transform_values { |v| decode(v) } unless value.size == 1 && key.start_with?('$')
      case key
      when '$tuple' then body.map { |v| decode(v) }
      when '$set', '$frozenset' then body.to_set { |v| decode(v) }
      when '$dict' then body.to_h { |pair| pair.map { |v| decode(v) } }
      when '$bytes' then body.unpack1('m0')
      when '$float' then { 'nan' => Float::NAN, 'inf' => Float::INFINITY, '-inf' => -Float::INFINITY }[body]
      when '$int' then Integer(body, 16)
      else value.transform_values { |v| decode(v) }
      end
    else value
    end
  end

  # failure describes what was raised: its class and the classes above, and where in the program.
  def failure(kind, e, program)
    names = e.class.ancestors.select { |c| Class === c && c <= Exception }.map { |c| c.name.to_s }
    line = (e.backtrace || []).filter_map { |at| at[/\Asolution\.rb:(\d+)/, 1] }.first.to_i
    message = e.message.to_s.dup.force_encoding('UTF-8').scrub[0, 2000]
    line = message[/\Asolution\.rb:(\d+)/, 1].to_i if line.zero?
    source = line.positive? ? (program.lines[line - 1] || '').strip[0, 120] : ''
    { 'k' => kind, 'type' => e.class.name.to_s, 'names' => names, 'text' => message, 'line' => line, 'source' => source }
  rescue Exception
    { 'k' => kind, 'type' => 'Exception', 'names' => [], 'text' => '', 'line' => 0, 'source' => '' }
  end

  # function looks the entry point up at each call: the program may redefine it.
  def function(entry)
    main = TOPLEVEL_BINDING.receiver
    if TOPLEVEL_BINDING.local_variable_defined?(entry)
      found = TOPLEVEL_BINDING.local_variable_get(entry)
      return found if Proc === found || Method === found
    end
    raise Missing unless main.respond_to?(entry, true)
    main.method(entry)
  end

  def load(program, entry)
    eval(program, TOPLEVEL_BINDING, 'solution.rb', 1)
    function(entry)
    { 'k' => 'loaded' }
  rescue SystemExit => e
    Process.exit!(e.status)
  rescue Missing, NameError => e
    return failure('load', e, program) unless Missing === e || !(e.name.to_s == entry)
    { 'k' => 'load', 'type' => 'NameError', 'names' => [], 'text' => "the answer defines no function #{entry}" }
  rescue ScriptError => e
    failure(SyntaxError === e ? 'syntax' : 'load', e, program)
  rescue Exception => e
    failure('load', e, program)
  end

  def call(order, entry, program)
    value = function(entry).call(*order['args'].map { |v| decode(v) })
    @left, @known, @shared = MAX_NODES, {}.compare_by_identity, false
    { 'k' => 'value', 'v' => encode(value) }
  rescue SystemExit => e
    Process.exit!(e.status)
  rescue TooLarge # one that is so only because it has a part many times can equal nothing
    @shared ? { 'k' => 'value', 'v' => opaque(value) } : { 'k' => 'large' }
  rescue Exception => e
    failure('raise', e, program)
  end

  def run
    @orders, @answers = IO.for_fd(3, 'rb'), IO.for_fd(4, 'wb')
    send_answer('k' => 'ready')
    first = receive
    program, entry = first['program'], first['entry']
    send_answer(load(program, entry))
    loop do
      order = receive
      send_answer(call(order, entry, program).merge('id' => order['id']))
    end
  end
end

AssaySample.run
