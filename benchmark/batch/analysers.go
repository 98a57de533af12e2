package batch

import (
	"slices"

	"assay/scoring"
	"assay/scoring/stats"
)

// SixBy are the six dimensions with the ratings of one analyser alone. Points are means over tasks.
type SixBy struct {
	Analyser    string     `json:"analyser"`
	Samples     int        `json:"samples"`     // that it was given
	Findings    int        `json:"findings"`    // in all of them
	Reliability BoundsJSON `json:"reliability"` // points
	Security    BoundsJSON `json:"security"`    // points
	Final       BoundsJSON `json:"final"`       // the weighted score, 0 to 100
}

// RatingsAgreement is how far two analysers agree about the samples that both rated.
type RatingsAgreement struct {
	First     string   `json:"first"`
	Second    string   `json:"second"`
	Dimension string   `json:"dimension"`                // reliability or security
	N         int      `json:"n"`                        // samples that both rated
	Equal     int      `json:"equal"`                    // of these, rated equally
	Kappa     *float64 `json:"weighted_kappa,omitempty"` // Cohen's, with linear weights; absent where both only gave one rating
}

// ByAnalyser adds up samples by each of the analysers that rated them.
type ByAnalyser struct {
	names []string
	sums  map[string]map[string]*analyserSum // by analyser and task
	both  map[ratedBoth]*[5][5]int           // ratings of the first, then of the second
}

type ratedBoth struct{ first, second, dimension string }

// analyserSum is a task's samples as one analyser rates them.
type analyserSum struct {
	samples, findings            int
	reliability, security, total scoring.Bounds
}

// NewByAnalyser returns an empty sum.
func NewByAnalyser() *ByAnalyser {
	return &ByAnalyser{sums: map[string]map[string]*analyserSum{}, both: map[ratedBoth]*[5][5]int{}}
}

// Add adds a sample with its facts, whose ratings are replaced by those of each analyser.
func (a *ByAnalyser) Add(task string, facts scoring.Facts, by []scoring.Rated) {
	for i, r := range by {
		facts.Reliability, facts.Security = r.Reliability, r.Security
		six, err := scoring.ScoreSix(facts)
		if err != nil { // only in an edited results file
			continue
		}
		if a.sums[r.Analyser] == nil {
			a.names = append(a.names, r.Analyser)
			a.sums[r.Analyser] = map[string]*analyserSum{}
		}
		sum := a.sums[r.Analyser][task]
		if sum == nil {
			sum = &analyserSum{}
			a.sums[r.Analyser][task] = sum
		}
		sum.samples++
		sum.findings += r.Findings
		sum.reliability, sum.security, sum.total = sum.reliability.Plus(six.Reliability), sum.security.Plus(six.Security), sum.total.Plus(six.Total)
		for _, other := range by[i+1:] {
			a.compare(r.Analyser, other.Analyser, "reliability", r.Reliability, other.Reliability)
			a.compare(r.Analyser, other.Analyser, "security", r.Security, other.Security)
		}
	}
}

func (a *ByAnalyser) compare(first, second, dimension string, x, y scoring.Rating) {
	if len(x) != 1 || len(y) != 1 || x < "A" || x > "E" || y < "A" || y > "E" {
		return
	}
	at := ratedBoth{first, second, dimension}
	if a.both[at] == nil {
		a.both[at] = &[5][5]int{}
	}
	a.both[at][x[0]-'A'][y[0]-'A']++
}

// Result returns the scores over tasks, and the agreement.
func (a *ByAnalyser) Result(tasks []string, weight func(task string) scoring.Weight) ([]SixBy, []RatingsAgreement) {
	var all []SixBy
	for _, name := range a.names {
		x := SixBy{Analyser: name}
		var reliability, security scoring.Bounds
		var scored []scoring.ScoredQuestion
		for _, id := range tasks {
			sum := a.sums[name][id]
			if sum == nil {
				continue
			}
			x.Samples, x.Findings = x.Samples+sum.samples, x.Findings+sum.findings
			reliability, security = reliability.Plus(share(sum.reliability, sum.samples)), security.Plus(share(sum.security, sum.samples))
			scored = append(scored, scoring.ScoredQuestion{Score: share(sum.total, sum.samples), Weight: weight(id)})
		}
		final, err := scoring.Final(scored)
		if err != nil {
			continue
		}
		bounds := func(b scoring.Bounds) BoundsJSON { return BoundsJSON{Low: b.Low, High: b.High} }
		x.Reliability, x.Security, x.Final = bounds(share(reliability, len(scored))), bounds(share(security, len(scored))), bounds(final.Bounds)
		all = append(all, x)
	}
	var agree []RatingsAgreement
	for i, first := range a.names {
		for _, second := range a.names[i+1:] {
			for _, dimension := range []string{"reliability", "security"} {
				if counts := a.both[ratedBoth{first, second, dimension}]; counts != nil {
					agree = append(agree, agreementOf(RatingsAgreement{First: first, Second: second, Dimension: dimension}, counts))
				}
			}
		}
	}
	return all, agree
}

func agreementOf(r RatingsAgreement, counts *[5][5]int) RatingsAgreement {
	table := make([][]int, len(counts))
	for i := range counts {
		table[i] = slices.Clone(counts[i][:])
		r.Equal += counts[i][i]
		for _, n := range counts[i] {
			r.N += n
		}
	}
	if kappa, err := stats.CohenKappa(table, stats.LinearWeights, 1-scoring.Level); err == nil {
		r.Kappa = &kappa.Kappa
	}
	return r
}
