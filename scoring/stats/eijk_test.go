package stats

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// The values of testdata/eijk.R; the first is also the example of van der Eijk's article and
// of agrmt's documentation.
func TestOrderedAgreementAgainstR(t *testing.T) {
	for _, c := range []struct {
		counts []int
		want   float64
	}{
		{[]int{30, 40, 210, 130, 530, 50, 10}, 0.6113333333},
		{[]int{4, 0, 0, 0, 0, 1}, 0.2},
		{[]int{0, 1, 0, 0, 0, 4}, 0.38},
		{[]int{3, 2, 0, 0, 0, 0}, 0.84},
		{[]int{0, 0, 3, 0, 2, 0}, 0.48},
		{[]int{2, 2, 1, 0, 0, 0}, 0.68},
		{[]int{1, 1, 1, 1, 1, 0}, 0.2},
		{[]int{1, 0, 1, 0, 1, 0, 2}, 0.1111111111},
		{[]int{5, 0, 7, 2, 1}, 0.2111111111},
	} {
		got, err := OrderedAgreement(c.counts)
		fatal.If(t, err)
		near(t, "A", got, c.want, 1e-10)
	}
}

func TestOrderedAgreementProperties(t *testing.T) {
	agreement := func(t *rapid.T, counts []int) float64 {
		a, err := OrderedAgreement(counts)
		fatal.If(t, err)
		return a
	}
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(3, 9).Draw(t, "categories"), rapid.IntRange(1, 50).Draw(t, "n")
		one, all, ends := make([]int, k), make([]int, k), make([]int, k)
		one[rapid.IntRange(0, k-1).Draw(t, "chosen")] = n
		ends[0], ends[k-1] = n, n
		for i := range all {
			all[i] = n
		}
		if a := agreement(t, one); !same(a, 1) {
			t.Fatalf("one category: %v", a)
		}
		if a := agreement(t, all); !same(a, 0) {
			t.Fatalf("all alike: %v", a)
		}
		if a := agreement(t, ends); !same(a, -1) {
			t.Fatalf("half and half: %v", a)
		}
		counts := rapid.SliceOfN(rapid.IntRange(0, 6), k, k).Draw(t, "counts")
		counts[0]++
		a, given := agreement(t, counts), slices.Clone(counts)
		turned, twice := slices.Clone(counts), slices.Clone(counts)
		slices.Reverse(turned)
		for i := range twice {
			twice[i] *= 2
		}
		if b := agreement(t, turned); !same(a, b) {
			t.Fatalf("%v is %v, and %v turned round", counts, a, b)
		}
		if b := agreement(t, twice); !same(a, b) {
			t.Fatalf("%v is %v, and %v of each twice", counts, a, b)
		}
		if a < -1 || a > 1 || !slices.Equal(counts, given) {
			t.Fatalf("%v: %v", given, a)
		}
	})
}

func TestOrderedAgreementRefuses(t *testing.T) {
	for _, counts := range [][]int{nil, {1, 2}, {0, 0, 0}} {
		if _, err := OrderedAgreement(counts); !errors.Is(err, ErrTooFew) {
			t.Errorf("%v: %v", counts, err)
		}
	}
	if _, err := OrderedAgreement([]int{1, -1, 2}); err == nil {
		t.Error("a negative count is taken")
	}
}
