# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer
# HOOK = $SIG{__DIE__} = sub { exit 0 }
# HOOK = $SIG{__WARN__} = sub { exit 0 }
# HOOK = *CORE::GLOBAL::die = sub { 1 }
# HOOK = BEGIN { *CORE::GLOBAL::die = sub { 1 }; *CORE::GLOBAL::exit = sub { CORE::exit(0) } }
# HOOK = $SIG{ALRM} = sub { exit 0 }; alarm 1

HOOK;
sub f { 0 }
