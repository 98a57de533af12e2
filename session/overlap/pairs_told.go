package overlap

import (
	"cmp"
	"maps"
	"slices"

	"assay/scoring/pairs"
	"assay/scoring/stats"
)

// PairRated is how preference goes with the ratings that testers gave the same answers in their sessions.
type PairRated struct {
	Attribute string `json:"attribute"` // its id; "total": the sum over attributes that both answers have
	Higher    Share  `json:"higher"`    // judgements for the answer that was rated higher, of the decided ones of answers rated differently
}

// PairPace is how raters judge when they are quick and when they take their time.
type PairPace struct {
	Name    string  `json:"name"`     // "faster half" or "slower half" of each rater's judgements
	Median  float64 `json:"median_s"` // seconds for a judgement
	Decided Share   `json:"decided"`  // judgements that one answer is better
	Left    Share   `json:"left"`     // decided judgements in favour of the left side
	Wrong   Share   `json:"wrong"`    // decided judgements of an accepted and a failed answer in favour of the failed one
}

// told is a judgement of a pair by one rater.
type told struct {
	a, b    []Origin
	outcome pairs.Outcome
	ms      int64 // 0: not known
}

// ratedBy counts how preference goes with testers' ratings.
func ratedBy(list []told) []PairRated {
	shares := map[string]*Share{}
	count := func(id string, x, y int, outcome pairs.Outcome) {
		if x == y || !outcome.Decided() {
			return
		}
		if shares[id] == nil {
			shares[id] = &Share{}
		}
		shares[id].All++
		if (x > y) == (outcome == pairs.A) {
			shares[id].N++
		}
	}
	for _, j := range list {
		x, y := j.a[0].Ratings, j.b[0].Ratings
		sums := [2]int{}
		for id := range x {
			if _, both := y[id]; both {
				count(id, x[id], y[id], j.outcome)
				sums[0], sums[1] = sums[0]+x[id], sums[1]+y[id]
			}
		}
		count("total", sums[0], sums[1], j.outcome)
	}
	out := []PairRated{}
	for _, id := range slices.Sorted(maps.Keys(shares)) {
		if id != "total" {
			out = append(out, PairRated{id, *shares[id]})
		}
	}
	if s := shares["total"]; s != nil {
		out = append(out, PairRated{"total", *s})
	}
	return out
}

// pace divides each rater's judgements at the median of their times.
func pace(raters [][]told) []PairPace {
	halves := []PairPace{{Name: "faster half"}, {Name: "slower half"}}
	var times [2][]float64
	for _, list := range raters {
		list = slices.DeleteFunc(slices.Clone(list), func(j told) bool { return j.ms == 0 })
		slices.SortStableFunc(list, func(x, y told) int { return cmp.Compare(x.ms, y.ms) })
		for i, j := range list {
			at := 2 * i / len(list)
			h := &halves[at]
			times[at] = append(times[at], float64(j.ms)/1000)
			if h.Decided.All++; !j.outcome.Decided() {
				continue
			}
			h.Decided.N++
			h.Left.All++
			if j.outcome == pairs.A {
				h.Left.N++
			}
			h.Wrong.count(j.a, j.b, j.outcome)
		}
	}
	if len(times[0]) == 0 || len(times[1]) == 0 {
		return []PairPace{}
	}
	for i := range halves {
		halves[i].Median = stats.Median(times[i])
	}
	return halves
}

// times returns the milliseconds that a rater took for the judgements in force, by pair.
func (s *Set) times(rater string) map[string]int64 {
	found := map[string]int64{}
	if p := s.people[rater]; p != nil {
		for _, ev := range p.events {
			if e := ev.Compared; e != nil && e.Much == 0 && len(e.Why) == 0 && e.Outcome == p.forms[e.Pair].Outcome {
				found[e.Pair] = e.MS
			}
		}
	}
	return found
}
