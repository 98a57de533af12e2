package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// LogRankResult is the result of the log-rank test.
type LogRankResult struct {
	ChiSquare float64        `json:"chi_square"`
	DF        int            `json:"df"`
	P         float64        `json:"p"` // from χ²: an approximation
	Groups    []LogRankGroup `json:"groups"`
}

// LogRankGroup holds a group's observed events and those expected under the null hypothesis.
type LogRankGroup struct {
	Label    string  `json:"label"`
	N        int     `json:"n"`
	Observed int     `json:"observed"` // events
	Expected float64 `json:"expected"`
}

// LogRank tests whether the survival curves of k groups are equal, where event[i] tells whether time[i] is
// an event or a censoring. At each event time there are d events among n at risk, nⱼ of them in group j:
//
//	Eⱼ = Σ d nⱼ/n,  Vⱼₗ = Σ d (n-d)/(n-1) nⱼ/n (δⱼₗ - nₗ/n),  χ² = (O-E)ᵀ V⁻¹ (O-E)
//
// with one group left out of the quadratic form (Mantel 1966; Kalbfleisch & Prentice 1980, section 1.4).
// The values are those of R's survdiff(rho = 0); as there, groups without an expected event do not count in
// df. Groups are sorted by label. Errors wrap ErrShape, ErrTooFew (fewer than two groups), ErrNotFinite,
// and ErrNoVariation (no event happens while two groups are at risk); a negative time is an error.
func LogRank(time []float64, event []bool, group []string) (LogRankResult, error) {
	const statistic = "log-rank"
	if len(time) != len(event) || len(time) != len(group) {
		return LogRankResult{}, fmt.Errorf("%s: %d times, %d event marks, %d groups: %w", statistic, len(time), len(event), len(group), ErrShape)
	}
	if err := finite(statistic, time); err != nil {
		return LogRankResult{}, err
	}
	labels := slices.Compact(slices.Sorted(slices.Values(group)))
	if len(labels) < 2 {
		return LogRankResult{}, fmt.Errorf("%s of %d groups: at least two are needed: %w", statistic, len(labels), ErrTooFew)
	}
	s := logRankSums{time: time, event: event, of: make([]int, len(time)), groups: make([]LogRankGroup, len(labels))}
	for i, label := range labels {
		s.groups[i].Label = label
	}
	for i, t := range time {
		if t < 0 {
			return LogRankResult{}, fmt.Errorf("%s: time %d is %v; times are not negative", statistic, i, t)
		}
		s.of[i], _ = slices.BinarySearch(labels, group[i])
		s.groups[s.of[i]].N++
	}
	s.add()
	chi, df, err := s.test()
	if err != nil {
		return LogRankResult{}, fmt.Errorf("%s: %w", statistic, err)
	}
	return checked(statistic, LogRankResult{ChiSquare: chi, DF: df, P: upperChiSquare(chi, df), Groups: s.groups})
}

// logRankSums collects the observed and the expected events with the
// covariance of their differences.
type logRankSums struct {
	time     []float64
	event    []bool
	of       []int // group index of each time
	groups   []LogRankGroup
	variance [][]float64
}

// add adds up all event times.
func (s *logRankSums) add() {
	k := len(s.groups)
	s.variance = make([][]float64, k)
	atRisk := make([]float64, k)
	for j := range s.variance {
		s.variance[j] = make([]float64, k)
		atRisk[j] = float64(s.groups[j].N)
	}
	order := make([]int, len(s.time))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.time[a], s.time[b]) })
	for i := 0; i < len(order); {
		n, d := float64(len(order)-i), 0.0
		leaving := make([]float64, k)
		for t := s.time[order[i]]; i < len(order) && s.time[order[i]] == t; i++ {
			leaving[s.of[order[i]]]++
			if s.event[order[i]] {
				d++
				s.groups[s.of[order[i]]].Observed++
			}
		}
		for j := range s.groups {
			share := atRisk[j] / n
			s.groups[j].Expected += d * share
			if d == 0 || n == 1 {
				continue
			}
			for l := range s.groups {
				same := 0.0
				if j == l {
					same = 1
				}
				s.variance[j][l] += d * (n - d) / (n - 1) * share * (same - atRisk[l]/n)
			}
		}
		for j := range atRisk {
			atRisk[j] -= leaving[j]
		}
	}
}

// test returns χ² over the groups that expect events, leaving out the last of them.
func (s *logRankSums) test() (chi float64, df int, err error) {
	var expecting []int
	for j, g := range s.groups {
		if g.Expected > 0 {
			expecting = append(expecting, j)
		}
	}
	if len(expecting) < 2 {
		return 0, 0, ErrNoVariation
	}
	df = len(expecting) - 1
	m, d := make([][]float64, df), make([]float64, df)
	for a, j := range expecting[:df] {
		d[a] = float64(s.groups[j].Observed) - s.groups[j].Expected
		for _, l := range expecting[:df] {
			m[a] = append(m[a], s.variance[j][l])
		}
	}
	solved, ok := solve(m, d)
	if !ok {
		return 0, 0, ErrNoVariation
	}
	for a, j := range expecting[:df] {
		chi += solved[a] * (float64(s.groups[j].Observed) - s.groups[j].Expected)
	}
	return max(chi, 0), df, nil
}

// solve solves m x = b by Gaussian elimination with partial pivots, overwriting both. ok is false if m is
// singular up to rounding.
func solve(m [][]float64, b []float64) (x []float64, ok bool) {
	n, scale := len(b), 0.0
	for i := range m {
		scale = max(scale, math.Abs(m[i][i]))
	}
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[pivot][c]) {
				pivot = r
			}
		}
		m[c], m[pivot], b[c], b[pivot] = m[pivot], m[c], b[pivot], b[c]
		if !(math.Abs(m[c][c]) > 1e-12*scale) {
			return nil, false
		}
		for r := c + 1; r < n; r++ {
			f := m[r][c] / m[c][c]
			b[r] -= f * b[c]
			for j := c; j < n; j++ {
				m[r][j] -= f * m[c][j]
			}
		}
	}
	for r := n - 1; r >= 0; r-- {
		for j := r + 1; j < n; j++ {
			b[r] -= m[r][j] * b[j]
		}
		b[r] /= m[r][r]
	}
	return b, true
}
