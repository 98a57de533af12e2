# loose: accepted
# script: accepted
# stdin: accepted

sub f { my ($n) = @_; return 2 * $n; }
