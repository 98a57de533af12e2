package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// TestWithinTest holds the test against all permutations, one by one.
func TestWithinTest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		tasks := make([]Shares, 1+random.IntN(3))
		for i := range tasks {
			n, m := 1+random.IntN(4), 1+random.IntN(3)
			tasks[i] = Shares{random.IntN(n + 1), n, random.IntN(m + 1), m}
		}
		r, err := WithinTest(tasks, 0.8)
		if err != nil || r.Method != Permutation {
			t.Fatal(r, err)
		}
		below, above, all := 0.0, 0.0, 0.0
		observed := 0.0
		for _, task := range tasks {
			observed += task.difference(task.Passed)
		}
		var each func(i int, sum float64)
		each = func(i int, sum float64) {
			if i == len(tasks) {
				all++
				if sum <= observed+1e-9 {
					below++
				}
				if sum >= observed-1e-9 {
					above++
				}
				return
			}
			task := tasks[i]
			passed := task.Passed + task.OtherPassed
			for first := range 1 << (task.N + task.OtherN) { // the samples under the first condition
				if ones(first) == task.N {
					each(i+1, sum+task.difference(ones(first&(1<<passed-1)))) // of which the lowest pass
				}
			}
		}
		each(0, 0)
		if want := min(1, 2*min(below, above)/all); math.Abs(r.P-want) > 1e-9 || math.Abs(r.Mean-observed/float64(len(tasks))) > 1e-12 {
			t.Fatalf("%v: p %v, want %v", tasks, r.P, want)
		}
		if excludes := r.Interval.Low > 1e-12 || r.Interval.High < -1e-12; excludes != (r.P <= 0.2+1e-9) {
			t.Fatalf("%v: p %v and %+v", tasks, r.P, r.Interval)
		}
	}
}

func ones(x int) (n int) {
	for ; x > 0; x &= x - 1 {
		n++
	}
	return n
}

// TestWithinIsSignFlip: with one sample under each condition both tests are one, and with too much work for the exact
// distribution the normal one is near.
func TestWithinIsSignFlip(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var tasks []Shares
	var differences []float64
	for range 60 {
		a, b := random.IntN(2), random.IntN(2)
		tasks, differences = append(tasks, Shares{a, 1, b, 1}), append(differences, float64(a-b))
	}
	r, err := WithinTest(tasks, 0.95)
	flipped, other := SignFlipTest(differences, nil, 0.95)
	if err != nil || other != nil || math.Abs(r.P-flipped.P) > 1e-12 {
		t.Errorf("%v, %v: %v, %v", r, flipped, err, other)
	}
	var many []Shares
	for i := range 400 {
		many = append(many, Shares{40 + i%3, 97 + i%5, 50, 113})
	}
	if r, err := WithinTest(many, 0.95); err != nil || r.Method != Normal || !(r.P > 0 && r.P < 1) || r.Interval.Low >= r.Mean || r.Interval.High <= r.Mean {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := WithinTest([]Shares{{3, 3, 2, 2}, {0, 5, 0, 1}}, 0.95); err != nil || r.P != 1 || r.Mean != 0 || r.Interval != (Interval{}) {
		t.Errorf("nothing varies: %+v, %v", r, err)
	}
	for _, wrong := range [][]Shares{nil, {{0, 0, 1, 1}}, {{2, 1, 0, 1}}, {{0, 1, -1, 1}}} {
		if _, err := WithinTest(wrong, 0.95); !errors.Is(err, ErrTooFew) && !errors.Is(err, ErrShape) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}
