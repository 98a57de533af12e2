package topics

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// same reports whether two labellings are equal up to numbering; noise has to stay noise.
func same(a, b []int) bool {
	to, back := map[int]int{Noise: Noise}, map[int]int{Noise: Noise}
	for i := range a {
		x, seen := to[a[i]]
		y, known := back[b[i]]
		if seen != known || seen && (x != b[i] || y != a[i]) {
			return false
		}
		to[a[i]], back[b[i]] = b[i], a[i]
	}
	return true
}

// Excess of mass gives the clusters of R's dbscan (testdata/hdbscan.R).
func TestExcessOfMassIsThatOfR(t *testing.T) {
	text := fatal.Read(t, "testdata/hdbscan.json")
	var file struct {
		Sets []struct {
			MinSize int `json:"min_size"`
			Points  [][]float64
			Labels  []int
		}
	}
	fatal.If(t, json.Unmarshal(text, &file))
	if len(file.Sets) < 30 {
		t.Fatalf("there are %d sets", len(file.Sets))
	}
	clustered := 0
	for i, set := range file.Sets {
		got, err := hdbscan(set.Points, set.MinSize, ExcessOfMass)
		fatal.If(t, err)
		want := slices.Clone(set.Labels)
		for j := range want {
			want[j]-- // noise is 0 there
		}
		if !same(got.Labels, want) {
			t.Errorf("set %d (%d points, at least %d): got %v, want %v", i, len(set.Points), set.MinSize, got.Labels, want)
		}
		if slices.Max(want) > 0 {
			clustered++
		}
	}
	if clustered < 15 {
		t.Errorf("only %d sets have clusters", clustered)
	}
}

func drawPoints(t *rapid.T) [][]float64 {
	n, d := rapid.IntRange(0, 60).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	spread := rapid.Float64Range(0, 3).Draw(t, "spread")
	points := make([][]float64, n)
	for i := range points {
		for range d {
			points[i] = append(points[i], float64(r.IntN(4))*5+r.NormFloat64()*spread)
		}
	}
	return points
}

// Properties of clusters of both selections: they have the requested minimum size, do not depend on the
// order, scale and position of the points, and leaves never span two clusters of excess of mass.
func TestPropertiesOfClusters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := drawPoints(t)
		minSize := rapid.IntRange(2, 8).Draw(t, "min size")
		leaf, err := hdbscan(points, minSize, Leaf)
		fatal.If(t, err)
		mass, err := hdbscan(points, minSize, ExcessOfMass)
		fatal.If(t, err)
		for _, c := range []Clusters{leaf, mass} {
			sizes := make([]int, len(c.Stability))
			for i, l := range c.Labels {
				if l == Noise {
					continue
				}
				if l < 0 || l >= len(sizes) {
					t.Fatalf("point %d has the label %d of %d clusters", i, l, len(sizes))
				}
				sizes[l]++
			}
			for l, n := range sizes {
				if n < minSize {
					t.Errorf("cluster %d has %d points, want at least %d", l, n, minSize)
				}
			}
			if len(sizes) == 1 {
				t.Errorf("there is one cluster alone")
			}
			for _, s := range c.Stability {
				if math.IsNaN(s) || s < 0 {
					t.Errorf("a stability is %v", s)
				}
			}
		}
		// A leaf lies within one cluster of mass, or in none: both are nodes of one tree.
		within := map[int]int{}
		for i, l := range leaf.Labels {
			if l == Noise {
				continue
			}
			if before, seen := within[l]; seen && before != mass.Labels[i] {
				t.Errorf("leaf %d spans the clusters %d and %d", l, before, mass.Labels[i])
			}
			within[l] = mass.Labels[i]
		}
		if len(leaf.Stability) < len(mass.Stability) {
			t.Errorf("%d leaves, and %d clusters by mass", len(leaf.Stability), len(mass.Stability))
		}
	})
}

func TestFarGroupsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var points [][]float64
	var want []int
	for g := range 4 {
		for range 10 {
			points = append(points, []float64{float64(g%2)*100 + r.NormFloat64(), float64(g/2)*100 + r.NormFloat64()})
			want = append(want, g)
		}
	}
	points, want = append(points, []float64{900, 900}), append(want, Noise)
	for _, s := range []Selection{ExcessOfMass, Leaf} {
		got, err := hdbscan(points, 6, s)
		fatal.If(t, err)
		if s == ExcessOfMass && !same(got.Labels, want) {
			t.Errorf("got %v", got.Labels)
		}
		for i, l := range got.Labels { // leaves may leave more out, but mix nothing
			for j := range i {
				if l != Noise && l == got.Labels[j] && want[i] != want[j] {
					t.Fatalf("points %d and %d are one cluster", i, j)
				}
			}
		}
	}
}

func TestNoClusters(t *testing.T) {
	for name, points := range map[string][][]float64{
		"none": nil, "one": {{1}}, "few": {{1}, {2}, {3}}, "all the same": slices.Repeat([][]float64{{1, 2}}, 20),
	} {
		got, err := hdbscan(points, 3, Leaf)
		if err != nil || len(got.Labels) != len(points) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	for name, bad := range map[string][][]float64{"dimensions": {{1, 2}, {1}}, "no number": {{1}, {math.NaN()}}, "infinite": {{math.Inf(1)}}} {
		if _, err := hdbscan(bad, 3, Leaf); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := hdbscan(nil, 1, Leaf); err == nil {
		t.Error("clusters of one point: no error")
	}
}

func BenchmarkHDBSCAN(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	points := make([][]float64, 2000)
	for i := range points {
		for range 15 {
			points[i] = append(points[i], r.NormFloat64()+float64(i%20))
		}
	}
	for b.Loop() {
		if _, err := hdbscan(points, 3, Leaf); err != nil {
			b.Fatal(err)
		}
	}
}
