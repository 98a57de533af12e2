# loose: runtime_error
# script: runtime_error|wrong_answer
# stdin: wrong_answer
# THING = *CORE::GLOBAL::exit = sub { CORE::exit(0) }
# THING = BEGIN { *CORE::GLOBAL::ref = sub { '' } }
# THING = BEGIN { *CORE::GLOBAL::join = sub { '3 6' } }
# THING = BEGIN { *CORE::GLOBAL::print = sub { 1 } }
# THING = BEGIN { *CORE::GLOBAL::readline = sub { '6' } }
# THING = BEGIN { *CORE::GLOBAL::sprintf = sub { '6' } }
# THING = BEGIN { *CORE::GLOBAL::caller = sub { () } }
# THING = $SIG{__DIE__} = sub { require POSIX; POSIX::_exit(0) }
# THING = $SIG{__WARN__} = sub { require POSIX; POSIX::_exit(0) }
# THING = $SIG{$_} = sub { CORE::exit(0) } for qw(TERM INT HUP USR1 PIPE)
# THING = $^W = 0; $; = '6'
# THING = $, = '6'; $\ = "\n6"
# THING = $/ = undef
# THING = $| = 1; open(STDERR, '>&', \*STDOUT)
# THING = close(STDOUT)
# THING = select(STDERR)
# THING = tie *STDOUT, 'Out'
# THING = tie *STDIN, 'Out'
# THING = tie $?, 'Out'
# THING = tie $@, 'Out'
# THING = bless \$main::x, 'Out'
# THING = $x = bless [], 'Out'
# THING = *main::testhumaneval = sub { 1 }
# THING = no strict; *{'main::f'} = sub { 0 }
# THING = UNIVERSAL->can('isa'); *UNIVERSAL::isa = sub { 1 }; *UNIVERSAL::can = sub { sub { 6 } }
# THING = use integer
# THING = use bigint
# THING = use constant six => 6
# THING = use sigtrap 'handler' => sub { CORE::exit(0) }, 'normal-signals'
# THING = binmode(STDOUT, ':utf16')
# THING = sub main::AUTOLOAD { 6 }
# THING = sub DESTROY { CORE::exit(0) }
# THING = require DB; $^P = 0x3f
# THING = @ARGV = ('6'); %ENV = (); $0 = '6'
# THING = fork() || CORE::exit(0)

package Out; sub TIEHANDLE { bless [], shift } sub TIESCALAR { bless [], shift } sub PRINT { 1 } sub PRINTF { 1 } sub WRITE { 1 } sub READLINE { '6' } sub FETCH { 0 } sub STORE { } sub CLOSE { 1 } sub DESTROY { CORE::exit(0) } package main;
THING;
sub f { 0 }
