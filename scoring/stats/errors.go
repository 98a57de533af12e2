package stats

import (
	"errors"
	"fmt"
	"math"
	"reflect"
)

// Errors wrap one of these sentinels. A caller shows the sentence, or tells the sentinels apart to show
// something else in place of the number.
var (
	// ErrTooFew: the statistic or its interval is undefined for so few values.
	ErrTooFew = errors.New("too few values")
	// ErrNotFinite: a value is NaN or infinite, or a result would overflow.
	ErrNotFinite = errors.New("a number is not finite")
	// ErrNoVariation: the values are all equal, and the statistic would be 0/0.
	ErrNoVariation = errors.New("the values do not vary")
	// ErrShape: slices that belong together differ in length.
	ErrShape = errors.New("the lengths do not agree")
	// errTies: ties or zeros rule out the exact distribution that was asked for.
	errTies = errors.New("ties or zeros leave no exact distribution")
	// ErrTooMany: the exact calculation would take too long.
	ErrTooMany = errors.New("too many values for an exact calculation")
)

// finite returns an error naming the first value of x that is NaN or infinite.
func finite(statistic string, x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: value %d is %v: %w", statistic, i, v, ErrNotFinite)
		}
	}
	return nil
}

// pairs checks two samples whose i-th values belong together.
func pairs(statistic string, x, y []float64, least int) error {
	if len(x) != len(y) {
		return fmt.Errorf("%s: %d values beside %d: %w", statistic, len(x), len(y), ErrShape)
	}
	if len(x) < least {
		return fmt.Errorf("%s of %d pairs: at least %d are needed: %w", statistic, len(x), least, ErrTooFew)
	}
	if err := finite(statistic, x); err != nil {
		return err
	}
	return finite(statistic, y)
}

// samples checks independent samples; none may be empty.
func samples(statistic string, all ...[]float64) error {
	for i, x := range all {
		if len(x) == 0 {
			return fmt.Errorf("%s: sample %d is empty: %w", statistic, i+1, ErrTooFew)
		}
		if err := finite(statistic, x); err != nil {
			return err
		}
	}
	return nil
}

// rectangle checks a matrix: at least the given numbers of rows and columns, rows of equal length, finite
// values.
func rectangle(statistic string, m [][]float64, rows, columns int) error {
	if len(m) < rows || len(m) > 0 && len(m[0]) < columns {
		return fmt.Errorf("%s: at least %d rows and %d columns are needed: %w", statistic, rows, columns, ErrTooFew)
	}
	for i, row := range m {
		if len(row) != len(m[0]) {
			return fmt.Errorf("%s: row %d has %d values, row 0 has %d: %w", statistic, i, len(row), len(m[0]), ErrShape)
		}
		if err := finite(fmt.Sprintf("%s: row %d", statistic, i), row); err != nil {
			return err
		}
	}
	return nil
}

// checked returns the result if all its numbers are finite. Squares and products of finite values can
// overflow.
func checked[T any](statistic string, result T) (T, error) {
	if !allFinite(reflect.ValueOf(result)) {
		var none T
		return none, fmt.Errorf("%s: the values are too large or too far apart in size: %w", statistic, ErrNotFinite)
	}
	return result, nil
}

func allFinite(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case reflect.Struct:
		for i := range v.NumField() {
			if !allFinite(v.Field(i)) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !allFinite(v.Index(i)) {
				return false
			}
		}
	case reflect.Pointer:
		return v.IsNil() || allFinite(v.Elem())
	}
	return true
}

func tooFew(statistic string, n, least int) error {
	return fmt.Errorf("%s of %d values: at least %d are needed: %w", statistic, n, least, ErrTooFew)
}
