# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer

sub f { my $text = '6'; for my $at (3 .. 20) { open(my $to, '>&=', $at) or next; syswrite($to, "XXXXXXXXXXXXXXXXXXXXXXXXXX\n"); } 0 }
