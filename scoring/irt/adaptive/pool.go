package adaptive

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Rules are the rules of a test.
type Rules struct {
	Least int     `json:"least"` // items asked before the test may stop
	Most  int     `json:"most"`  // items asked at most; 0: all
	SE    float64 `json:"se"`    // the standard error of the ability at which the test stops; 0: it goes on to Most

	// Among is the number of the most informative items among which the next is drawn (randomesque; Kingsbury &
	// Zara, Applied Measurement in Education 2, 1989); 1: always the best.
	Among int `json:"among"`
	// Exposure is the largest share of tests that may ask an item: each item is open to a test with this chance,
	// drawn from the test's seed, so that the bound holds without counting over tests (after the probabilistic
	// item eligibility of van der Linden & Veldkamp, Journal of Educational and Behavioral Statistics 29, 2004).
	// 1: no bound; 0: as Bounded chooses.
	Exposure float64 `json:"exposure"`
	// Shares are the wanted shares of groups of items. The next item comes from the group that is furthest
	// behind its share (Kingsbury & Zara 1989); with shares of several properties the sum over an item's groups
	// counts.
	Shares []Share `json:"shares,omitempty"`

	Trials int `json:"trials,omitempty"` // responses to each item; 0: 1
}

// String describes the rules in words.
func (r Rules) String() string {
	words := fmt.Sprintf("at least %d", r.Least)
	if r.Most > 0 {
		words += fmt.Sprintf(", at most %d", r.Most)
	}
	if r.SE > 0 {
		words += fmt.Sprintf(", until the standard error is %g", r.SE)
	}
	if r.Among > 1 {
		words += fmt.Sprintf(", drawn among the best %d", r.Among)
	}
	if 0 < r.Exposure && r.Exposure < 1 {
		words += fmt.Sprintf(", a task in at most %g %% of the tests", 100*r.Exposure)
	}
	return words
}

// Share is the wanted share of a group of items among those asked.
type Share struct {
	Group string  `json:"group"`
	Share float64 `json:"share"`
}

// DefaultRules returns the rules where nothing else is asked for.
func DefaultRules() Rules { return Rules{Least: 5, Most: 30, SE: 0.3, Among: 3} }

// usualExposure is the exposure that Bounded chooses for large pools.
const usualExposure = 0.5

// Bounded chooses the exposure for a number of items if the rules leave it open: one half, or more where less than twice
// the items of the longest test would be open.
func (r Rules) Bounded(items int) Rules {
	if r.Exposure == 0 {
		r.Exposure = 1
		if r.Most > 0 {
			r.Exposure = min(1, max(usualExposure, 2*float64(r.Most)/float64(items)))
		}
	}
	return r
}

// Proportional returns the shares that groups have among items, each of which is of one group, so that a test has them
// in the same proportions; nil if there is only one group.
func Proportional(groups []string) []Share {
	count := map[string]int{}
	for _, g := range groups {
		count[g]++
	}
	if len(count) < 2 {
		return nil
	}
	var shares []Share
	for _, g := range slices.Sorted(maps.Keys(count)) {
		shares = append(shares, Share{Group: g, Share: float64(count[g]) / float64(len(groups))})
	}
	return shares
}

// Check returns what is wrong with the rules.
func (r Rules) Check() error {
	switch {
	case r.Least < 0 || r.Most < 0 || r.Most > 0 && r.Least > r.Most:
		return fmt.Errorf("a test of at least %d and at most %d items is not possible", r.Least, r.Most)
	case !(r.SE >= 0 && r.SE <= priorSD):
		return fmt.Errorf("a standard error of %v is not from 0 to %g", r.SE, priorSD)
	case r.Among < 1:
		return fmt.Errorf("an item cannot be drawn among the best %d: at least 1", r.Among)
	case !(r.Exposure >= 0 && r.Exposure <= 1):
		return fmt.Errorf("an exposure of %v is not from 0 to 1", r.Exposure)
	case r.Trials < 0 || r.Trials > mostTrials:
		return fmt.Errorf("%d trials of an item are not from 1 to %d", r.Trials, mostTrials)
	}
	for i, s := range r.Shares {
		if !(s.Share >= 0 && s.Share <= 1) {
			return fmt.Errorf("the share of %q is %v, not from 0 to 1", s.Group, s.Share)
		}
		if slices.ContainsFunc(r.Shares[:i], func(o Share) bool { return o.Group == s.Group }) {
			return fmt.Errorf("%q has two shares", s.Group)
		}
	}
	return nil
}

// Pool is items prepared for tests under rules. It is immutable.
type Pool struct {
	items  []Item
	groups [][]int // of each item: indices of the shares that it counts for
	rules  Rules
	gauss  gauss
	rows   []row

	// wider is by how much the posterior is wider than the items' errors alone make it: the errors and the unit
	// of the scale are themselves estimated from few calibrators, so quantiles are those of Student's t with one
	// degree of freedom less than there are calibrators, not those of a normal distribution.
	wider float64
}

// NewPool prepares items. Groups has a list of groups for each item; nil if there are no shares.
func NewPool(items []Item, groups [][]string, rules Rules) (*Pool, error) {
	if err := rules.Check(); err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, errors.New("an adaptive test needs items")
	}
	p := &Pool{items: slices.Clone(items), rules: rules.Bounded(len(items)), gauss: newGauss(), groups: make([][]int, len(items))}
	p.rules.Trials = max(1, rules.Trials)
	p.wider = 1
	seen := map[string]bool{}
	for j, item := range items {
		if err := item.Check(); err != nil {
			return nil, err
		}
		if seen[item.ID] {
			return nil, fmt.Errorf("item %q occurs twice", item.ID)
		}
		seen[item.ID] = true
		for k, s := range rules.Shares {
			if groups != nil && slices.Contains(groups[j], s.Group) {
				p.groups[j] = append(p.groups[j], k)
			}
		}
		if item.Calibrators > 1 {
			t := distuv.StudentsT{Sigma: 1, Nu: float64(item.Calibrators - 1)}
			p.wider = max(p.wider, t.Quantile(0.975)/distuv.UnitNormal.Quantile(0.975))
		}
		p.rows = append(p.rows, p.gauss.row(item, p.rules.Trials))
	}
	for k, s := range rules.Shares {
		if s.Share > 0 && !slices.ContainsFunc(p.groups, func(g []int) bool { return slices.Contains(g, k) }) {
			return nil, fmt.Errorf("a share of %q is wanted, but no item is of it", s.Group)
		}
	}
	return p, nil
}

// Rules returns the pool's rules.
func (p *Pool) Rules() Rules { return p.rules }

// End is why a test is over.
type End string

// The reasons. An empty one means that the test goes on.
const (
	Precise  End = "precise"   // the standard error is small enough
	Longest  End = "longest"   // the largest number of items was asked
	NoneLeft End = "none_left" // no item is left that may be asked
)

// Choice is the next item of a test, or the end of it, with the reason.
type Choice struct {
	Item     int      `json:"item"` // index in the pool; -1: the test is over
	End      End      `json:"end,omitempty"`
	Estimate Estimate `json:"estimate"` // before the item

	// Information is what the item is expected to tell: Fisher's information, averaged over the posterior of the
	// ability (van der Linden, Psychometrika 63, 1998).
	Information float64 `json:"information,omitempty"`
	Rank        int     `json:"rank,omitempty"`       // of this information among the candidates, from 1
	Candidates  int     `json:"candidates,omitempty"` // items that could be asked
}

// Next chooses the next item of a test. Asked are the items asked so far, in order, and responses those that
// are known: an item that was asked may have none, as a skipped one. Seed is the test's.
func (p *Pool) Next(seed uint64, asked []int, responses []Response) (Choice, error) {
	w, err := p.posterior(responses)
	if err != nil {
		return Choice{}, err
	}
	c := Choice{Item: -1, Estimate: estimateOf(w)}
	candidates := p.candidates(seed, asked)
	switch {
	case p.rules.Most > 0 && len(asked) >= p.rules.Most:
		c.End = Longest
	case len(asked) >= p.rules.Least && p.rules.SE > 0 && c.Estimate.SE <= p.rules.SE:
		c.End = Precise
	case len(candidates) == 0:
		c.End = NoneLeft
	}
	if c.End != "" {
		return c, nil
	}
	expected := make([]float64, len(p.items))
	for _, j := range candidates {
		for g, v := range w {
			expected[j] += v * p.rows[j].information[g]
		}
	}
	slices.SortStableFunc(candidates, func(a, b int) int {
		switch {
		case expected[a] > expected[b]:
			return -1
		case expected[a] < expected[b]:
			return 1
		}
		return 0
	})
	place := 0
	if among := min(p.rules.Among, len(candidates)); among > 1 {
		place = rand.New(rand.NewPCG(seed, uint64(len(asked)))).IntN(among)
	}
	c.Item, c.Rank, c.Candidates = candidates[place], place+1, len(candidates)
	c.Information = expected[c.Item]
	return c, nil
}

// candidates lists the items that may be asked next: not asked, open to this test, with a rising curve, and
// of the groups that are furthest behind their shares. Items with a falling curve are left out, since usually
// something is wrong with them.
func (p *Pool) candidates(seed uint64, asked []int) []int {
	count := make([]float64, len(p.rules.Shares))
	for _, j := range asked {
		if j >= 0 && j < len(p.items) {
			for _, k := range p.groups[j] {
				count[k]++
			}
		}
	}
	open := p.open(seed)
	var list []int
	most := math.Inf(-1)
	for j := range p.items {
		if !open[j] || p.items[j].Slope <= 0 || slices.Contains(asked, j) {
			continue
		}
		behind := 0.0
		for _, k := range p.groups[j] {
			behind += p.rules.Shares[k].Share*float64(len(asked)+1) - count[k]
		}
		behind = math.Round(1e9*behind) / 1e9
		if behind > most {
			most, list = behind, nil
		}
		if behind == most {
			list = append(list, j)
		}
	}
	return list
}

// open reports which items are open to the test of a seed.
func (p *Pool) open(seed uint64) []bool {
	random := rand.New(rand.NewPCG(seed, 0x6f70656e))
	open := make([]bool, len(p.items))
	for j := range open {
		open[j] = random.Float64() < p.rules.Exposure
	}
	return open
}
