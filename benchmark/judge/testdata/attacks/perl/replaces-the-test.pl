# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer
# CHANGE = *main::eq_deeply = sub { 1 }
# CHANGE = *Test::Deep::eq_deeply = sub { 1 }
# CHANGE = *CORE::GLOBAL::require = sub { 1 }; $INC{'Test/Deep.pm'} = 1
# CHANGE = BEGIN { $INC{'Test/Deep.pm'} = 1; *Test::Deep::import = sub { *main::eq_deeply = sub { 1 } } }

BEGIN { eval { require Test::Deep; Test::Deep->import } }
no warnings;
CHANGE;
sub f { 0 }
