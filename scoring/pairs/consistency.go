package pairs

// Triads counts how often preferences of one rater on one task are circular: of three models each is better than another
// one. Ties count in none. Without preferences a quarter of triads is circular by chance (Kendall & Babington Smith,
// Biometrika 31, 1940).
type Triads struct{ Decided, Circular int }

// CountTriads counts the triads of all raters and tasks. Of repeated judgements the last one counts.
func CountTriads(list []Judgement) Triads {
	type place struct{ rater, task int }
	beats := map[place]map[[2]int]bool{}
	for _, j := range list {
		at := place{j.Rater, j.Task}
		if beats[at] == nil {
			beats[at] = map[[2]int]bool{}
		}
		delete(beats[at], [2]int{j.A, j.B})
		delete(beats[at], [2]int{j.B, j.A})
		switch j.Outcome {
		case A:
			beats[at][[2]int{j.A, j.B}] = true
		case B:
			beats[at][[2]int{j.B, j.A}] = true
		}
	}
	var t Triads
	for _, won := range beats {
		models := map[int]bool{}
		for pair := range won {
			models[pair[0]], models[pair[1]] = true, true
		}
		for a := range models {
			for b := range models {
				for c := range models {
					if !(a < b && b < c) {
						continue
					}
					ab, bc, ca := won[[2]int{a, b}], won[[2]int{b, c}], won[[2]int{c, a}]
					ba, cb, ac := won[[2]int{b, a}], won[[2]int{c, b}], won[[2]int{a, c}]
					if (ab || ba) && (bc || cb) && (ca || ac) {
						t.Decided++
						if ab && bc && ca || ba && cb && ac {
							t.Circular++
						}
					}
				}
			}
		}
	}
	return t
}
