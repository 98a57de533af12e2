package stats

import (
	"fmt"
	"slices"
)

// Level is the level of measurement, which defines the distance between two values.
type Level int

// The levels of Krippendorff's alpha.
const (
	Nominal Level = iota
	Ordinal
	IntervalLevel
	Ratio
)

// String names the level for a report.
func (l Level) String() string {
	if l < Nominal || l > Ratio {
		return fmt.Sprintf("level %d", int(l))
	}
	return [...]string{"nominal", "ordinal", "interval", "ratio"}[l]
}

// MarshalText names the level in JSON.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Alpha is Krippendorff's alpha.
type Alpha struct {
	Alpha    float64 `json:"alpha"`
	Level    Level   `json:"level"`
	Units    int     `json:"units"`  // with two or more values; other units carry no information
	Values   int     `json:"values"` // in those units
	Observed float64 `json:"observed_disagreement"`
	Expected float64 `json:"expected_disagreement"`
}

// KrippendorffAlpha returns the reliability of the values that observers gave to units. Each unit lists its
// values in any order, without the missing ones:
//
//	α = 1 - D_o/D_e,  D_o = Σ o_ck δ²_ck / n,  D_e = Σ n_c n_k δ²_ck / (n(n-1))
//	o_ck = Σ over units of (c-k pairs in the unit)/(m-1)
//	δ² = 1 | (n_c/2 + Σ between + n_k/2)² | (c-k)² | ((c-k)/(c+k))²
//
// (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.) For ordinal values only their order
// counts. Errors wrap ErrTooFew (no unit has two values), ErrNotFinite and ErrNoVariation (all values are
// equal); ratios of negative values are an error.
func KrippendorffAlpha(units [][]float64, level Level) (Alpha, error) {
	const statistic = "Krippendorff's alpha"
	if level < Nominal || level > Ratio {
		return Alpha{}, fmt.Errorf("%s: there is no %v", statistic, level)
	}
	r := Alpha{Level: level}
	var all []float64
	for i, unit := range units {
		if err := finite(fmt.Sprintf("%s: unit %d", statistic, i), unit); err != nil {
			return Alpha{}, err
		}
		if len(unit) >= 2 {
			r.Units++
			all = append(all, unit...)
		}
	}
	if r.Values = len(all); r.Units == 0 {
		return Alpha{}, fmt.Errorf("%s: no unit has two values: %w", statistic, ErrTooFew)
	}
	slices.Sort(all)
	if level == Ratio && all[0] < 0 {
		return Alpha{}, fmt.Errorf("%s: %v is not on a ratio scale, which begins at 0", statistic, all[0])
	}
	_, counts := midranks(all)
	if len(counts) < 2 {
		return Alpha{}, fmt.Errorf("%s: %w", statistic, ErrNoVariation)
	}
	values := slices.Compact(all)
	distance := level.distances(values, counts)
	for _, unit := range units {
		r.Observed += unitDisagreement(unit, values, distance)
	}
	n := float64(r.Values)
	r.Observed /= n
	for c := range values {
		for k := range values {
			r.Expected += float64(counts[c]) * float64(counts[k]) * distance[c][k]
		}
	}
	r.Expected /= n * (n - 1)
	if r.Expected == 0 { // differences so small that their squares underflow
		return Alpha{}, fmt.Errorf("%s: %w", statistic, ErrNoVariation)
	}
	r.Alpha = 1 - r.Observed/r.Expected
	return checked(statistic, r)
}

// distances returns δ² between the distinct values, which are in ascending order.
func (l Level) distances(values []float64, counts []int) [][]float64 {
	d := make([][]float64, len(values))
	for c := range values {
		d[c] = make([]float64, len(values))
		passed := float64(counts[c]) / 2
		for k := c + 1; k < len(values); k++ {
			passed += float64(counts[k]) / 2
			squared := 1.0
			switch l {
			case Ordinal:
				squared = passed
			case IntervalLevel:
				squared = values[k] - values[c]
			case Ratio:
				squared = (values[k] - values[c]) / (values[k] + values[c])
			}
			d[c][k] = squared * squared
			passed += float64(counts[k]) / 2
		}
	}
	for c := range d {
		for k := range c {
			d[c][k] = d[k][c]
		}
	}
	return d
}

// unitDisagreement is Σ δ² over the ordered pairs of a unit, over m-1.
func unitDisagreement(unit, values []float64, distance [][]float64) float64 {
	if len(unit) < 2 {
		return 0
	}
	in := map[int]float64{}
	var present []int
	for _, v := range unit {
		i, _ := slices.BinarySearch(values, v)
		if in[i] == 0 {
			present = append(present, i)
		}
		in[i]++
	}
	sum := 0.0
	for _, c := range present {
		for _, k := range present {
			sum += in[c] * in[k] * distance[c][k]
		}
	}
	return sum / float64(len(unit)-1)
}
