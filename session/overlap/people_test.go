package overlap

import (
	"fmt"
	"testing"

	"assay/data/fatal"
)

// People rate a simple random sample: as many as wanted, each of all equally often over the seeds, each by as many raters
// as wanted. The file holds the others too, a rater's file does not, and a changed draw is found.
func TestPeopleRateASample(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		times, all := map[[2]string]int{}, 0
		const seeds = 400
		for seed := range uint64(seeds) {
			o := Setup{Raters: []string{"ann", "bob", "cleo"}, Overlap: 2, People: 6, Seed: seed, Pairs: pairs, Mask: true, Stratify: []string{"arm"}}
			h, err := Make(answered(t, []string{"alpha-1", "beta-2222"}, 12), o)
			fatal.If(t, err)
			all = len(h.units(false))
			if h.RatedByPeople() != 6 || *h.People != (People{6, all, Simple}) {
				t.Fatalf("pairs %v: people rate %d, recorded %+v of %d", pairs, h.RatedByPeople(), h.People, all)
			}
			for _, unit := range h.units(true) {
				times[unit]++
			}
			own := h.For("ann")
			fatal.If(t, own.Check())
			if own.People != nil || len(own.units(false)) != len(h.Of("ann")) {
				t.Errorf("pairs %v: a rater's file has %d of %d, and says %v", pairs, len(own.units(false)), len(h.Of("ann")), own.People)
			}
			h.People.Of++
			h.Plan = h.hash()
			if h.Check() == nil {
				t.Error("a changed draw was accepted")
			}
		}
		expected := 6 * seeds / float64(all)
		for unit, n := range times {
			if float64(n) < expected*0.6 || float64(n) > expected*1.4 {
				t.Errorf("pairs %v: %v was drawn %d times, expected %.0f", pairs, unit, n, expected)
			}
		}
		if len(times) != all {
			t.Errorf("pairs %v: %d of %d were ever drawn", pairs, len(times), all)
		}
	}
	for _, o := range []Setup{{People: 99}, {People: 3, PerRater: 3}, {People: -1}} {
		o.Raters, o.Overlap = []string{"ann"}, 1
		if _, err := Make(answered(t, []string{"alpha-1"}, 4), o); err == nil {
			t.Errorf("%s was accepted", fmt.Sprint(o.People, o.PerRater))
		}
	}
}
