package stats

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestClustersOfOneAreTheOrdinaryBootstrap compares on the same draws.
func TestClustersOfOneAreTheOrdinaryBootstrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := someValues(t, "x", 2, 20)
		alone := make([]int, len(x))
		for i := range alone {
			alone[i] = i
		}
		source := func() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }
		want, err := BootstrapBCa(x, Mean, Resamples(source(), len(x), 200), 0.9)
		got, other := BootstrapClusters(x, Clusters(alone), Mean, source(), 200, 0.9)
		if err != nil || other != nil || got != want {
			t.Fatalf("%+v, %v; want %+v, %v", got, other, want, err)
		}
		plain, _ := BootstrapPercentile(x, Mean, Resamples(source(), len(x), 200), 0.9)
		if iv, err := BootstrapClustersPercentile(x, Clusters(alone), Mean, source(), 200, 0.9); err != nil || iv != plain {
			t.Fatalf("%+v, %v; want %+v", iv, err, plain)
		}
	})
}

// TestClusteringWidens: values that only repeat within clusters know no more
// than the clusters, so the interval is that of the clusters' values.
func TestClusteringWidens(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	var once, repeated []float64
	var keys []int
	for task := range 40 {
		v := float64(random.IntN(2))
		once = append(once, v)
		for range 5 {
			repeated, keys = append(repeated, v), append(keys, task)
		}
	}
	source := func() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }
	want, err := BootstrapBCa(once, Mean, Resamples(source(), 40, 1000), 0.95)
	no(t, err)
	got, err := BootstrapClusters(repeated, Clusters(keys), Mean, source(), 1000, 0.95)
	no(t, err)
	close9(t, "low", got.Low, want.Low)
	close9(t, "high", got.High, want.High)
	naive, err := BootstrapBCa(repeated, Mean, Resamples(source(), 200, 1000), 0.95)
	no(t, err)
	if naive.High-naive.Low > 0.7*(got.High-got.Low) {
		t.Errorf("clustered %v, not clustered %v", got.Interval, naive.Interval)
	}
}

func BenchmarkBootstrapClusters164x2000(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var x []float64
	var keys []int
	for task := range 164 {
		for range 10 {
			x, keys = append(x, float64(random.IntN(2))), append(keys, task)
		}
	}
	clusters := Clusters(keys)
	for b.Loop() {
		if _, err := BootstrapClusters(x, clusters, Mean, rand.New(rand.NewPCG(1, 1)), 2000, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
