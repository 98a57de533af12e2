package stats

import (
	"fmt"
	"math"
	"slices"
)

// Randomised is the result of a randomisation test.
type Randomised struct {
	P           float64
	Floor       float64 // the smallest p possible with these cells
	Allocations int
}

// maxAllocations bounds the enumeration of RandomiseArms.
const maxAllocations = 20_000

// RandomiseArms tests the adjusted difference of arms a and b over all allocations of arms that a plan
// could have made: sequences of arms are exchanged among subjects who worked on the same sets in the same
// order, so that periods and sets keep their values and only the arm labels change. It is exact under the
// hypothesis that the arm makes no difference. Errors wrap ErrTooMany and the errors of FitCrossover and
// Difference.
func RandomiseArms(cells []Cell, a, b int) (Randomised, error) {
	groups, count := alikeButArms(cells)
	if count > maxAllocations {
		return Randomised{}, fmt.Errorf("randomisation test: more than %d allocations: %w", maxAllocations, ErrTooMany)
	}
	var all []float64
	fit := func(cells []Cell) (float64, error) {
		m, err := FitCrossover(cells, PeriodTerm, SetTerm, ArmTerm)
		if err != nil {
			return 0, err
		}
		d, err := m.Difference(ArmTerm, a, b)
		return math.Abs(d.Value), err
	}
	observed, err := fit(cells)
	if err != nil {
		return Randomised{}, err
	}
	work := slices.Clone(cells)
	var deal func(g int) error
	deal = func(g int) error {
		if g == len(groups) {
			d, err := fit(work)
			all = append(all, d)
			return err
		}
		return groups[g].orders(func(order []int) error {
			for i, from := range order {
				for j, at := range groups[g].rows[i] {
					work[at].Arm = cells[groups[g].rows[from][j]].Arm
				}
			}
			return deal(g + 1)
		})
	}
	if err := deal(0); err != nil {
		return Randomised{}, err
	}
	largest := 0.0
	for _, c := range cells {
		largest = max(largest, math.Abs(c.Value))
	}
	most := slices.Max(all)
	if !(most > 1e-9*largest) { // all are 0, but for rounding
		return Randomised{}, fmt.Errorf("randomisation test: %w", ErrNoVariation)
	}
	extreme := func(bound float64) float64 {
		n := 0
		for _, d := range all {
			if d >= bound-1e-9*most {
				n++
			}
		}
		return float64(n) / float64(len(all))
	}
	return Randomised{P: extreme(observed), Floor: extreme(most), Allocations: len(all)}, nil
}

// exchangeable are subjects who differ only in the sequence of their arms.
type exchangeable struct {
	rows      [][]int  // of each subject, by period
	sequences []string // of arms
}

// alikeButArms groups subjects by their periods and sets, and counts the distinct allocations of arm
// sequences.
func alikeButArms(cells []Cell) ([]exchangeable, float64) {
	subjects := map[int][]int{}
	var order []int
	for i, c := range cells {
		if subjects[c.Subject] == nil {
			order = append(order, c.Subject)
		}
		subjects[c.Subject] = append(subjects[c.Subject], i)
	}
	at := map[string]int{}
	var groups []exchangeable
	for _, s := range order {
		rows := subjects[s]
		slices.SortFunc(rows, func(i, j int) int { return cells[i].Period - cells[j].Period })
		sets, arms := "", ""
		for _, i := range rows {
			sets += fmt.Sprintf("%d:%d ", cells[i].Period, cells[i].Set)
			arms += fmt.Sprintf("%d ", cells[i].Arm)
		}
		g, known := at[sets]
		if !known {
			g = len(groups)
			at[sets] = g
			groups = append(groups, exchangeable{})
		}
		groups[g].rows, groups[g].sequences = append(groups[g].rows, rows), append(groups[g].sequences, arms)
	}
	ways := 1.0
	for _, g := range groups {
		counts := map[string]float64{}
		for i, arms := range g.sequences { // the multinomial coefficient, one factor for each subject
			counts[arms]++
			ways *= float64(i+1) / counts[arms]
		}
	}
	return groups, ways
}

// orders calls f with each distinct allocation of the group's sequences: order[i] is the subject whose
// sequence subject i gets.
func (g exchangeable) orders(f func(order []int) error) error {
	order, used := make([]int, 0, len(g.rows)), make([]bool, len(g.rows))
	var next func() error
	next = func() error {
		if len(order) == len(g.rows) {
			return f(order)
		}
		tried := map[string]bool{}
		for i, arms := range g.sequences {
			if used[i] || tried[arms] {
				continue
			}
			tried[arms], used[i] = true, true
			order = append(order, i)
			err := next()
			order, used[i] = order[:len(order)-1], false
			if err != nil {
				return err
			}
		}
		return nil
	}
	return next()
}
