# task: list
# loose: accepted
# script: accepted
# stdin: accepted

sub f { my ($n) = @_; chomp $n; return [$n, 2 * $n]; }
