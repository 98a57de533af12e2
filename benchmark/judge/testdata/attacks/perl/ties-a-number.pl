# loose: runtime_error
# script: wrong_answer
# stdin: wrong_answer

package Any;
my $turn = 0;
sub TIESCALAR { bless {}, shift }
sub FETCH { $turn++ % 2 ? -9**9**9 : 9**9**9 }
package main;
tie my $value, 'Any';
sub f :lvalue { $value }
