# loose: accepted accepted runtime_error runtime_error runtime_error
# script: wrong_answer
# stdin: wrong_answer runtime_error wrong_answer wrong_answer wrong_answer
# OPERATOR = '==' => sub { 1 }, '!=' => sub { '' }, 'eq' => sub { 1 }, 'ne' => sub { '' }, '""' => sub { 6 }
# OPERATOR = '<=>' => sub { 0 }, 'cmp' => sub { 0 }
# OPERATOR = '0+' => sub { 6 }, fallback => 1
# OPERATOR = 'nomethod' => sub { '' }
# OPERATOR = 'bool' => sub { 1 }, '-' => sub { 0 }, 'abs' => sub { 0 }, '""' => sub { 6 }

package Any;
use overload OPERATOR;
sub new { bless {}, shift }
package main;
sub f { Any->new }
