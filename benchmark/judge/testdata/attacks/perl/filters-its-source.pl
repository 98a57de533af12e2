# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer

BEGIN { eval { require Filter::Util::Call; Filter::Util::Call::filter_add(sub { my $read = Filter::Util::Call::filter_read(); s/6/0/g; $read }) } }
sub f { 0 }
