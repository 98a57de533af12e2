# loose: accepted runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error
# script: wrong_answer
# stdin: runtime_error|wrong_answer
# OPERATOR = '""' => sub { $turn++ % 2 ? 20 : 6 }, fallback => 1
# OPERATOR = 'eq' => sub { 1 }, 'ne' => sub { 0 }, 'bool' => sub { 1 }
# OPERATOR = '-' => sub { 0 }, '+' => sub { 6 }, '==' => sub { 1 }
# OPERATOR = '@{}' => sub { [3, 6] }
# OPERATOR = '&{}' => sub { sub { 6 } }
# OPERATOR = '${}' => sub { \6 }
# OPERATOR = '%{}' => sub { +{ 6, 6 } }
# OPERATOR = '<>' => sub { 6 }
# OPERATOR = '~~' => sub { 1 }
# OPERATOR = 'qr' => sub { qr/6/ }
# OPERATOR = '=' => sub { $_[0] }, '++' => sub { 6 }
# OPERATOR = '!' => sub { '' }, 'not' => sub { '' }, '!=' => sub { '' }
# OPERATOR = '.' => sub { '6' }, 'x' => sub { '6' }
# OPERATOR = '-X' => sub { 1 }
# OPERATOR = '<' => sub { '' }, '>' => sub { '' }, '<=>' => sub { 0 }, fallback => 0

package Any;
my $turn = 0;
use overload OPERATOR;
sub new { bless {}, shift }
package main;
sub f { Any->new }
