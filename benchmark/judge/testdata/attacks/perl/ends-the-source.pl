# loose: runtime_error
# script: runtime_error
# stdin: wrong_answer
# MARK = __END__
# MARK = __DATA__
# MARK = =pod
# MARK = exit 0;⏎__END__

sub f { 0 }
MARK
