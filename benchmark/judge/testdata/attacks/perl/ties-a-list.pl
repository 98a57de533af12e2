# task: list
# loose: runtime_error
# script: runtime_error
# stdin: wrong_answer
# VALUE = 1
# VALUE = wantarray
# VALUE = '0 but true'

package Any;
sub TIEARRAY { bless {}, shift }
sub FETCHSIZE { 2 }
sub FETCH { VALUE }
package main;
sub f { tie my @list, 'Any'; \@list }
