package stats

import (
	"fmt"
	"math/rand/v2"
)

// Clusters groups indices by key, in the order in which the keys first occur:
// the values of one task, or of one tester, which are not independent.
func Clusters[K comparable](keys []K) [][]int {
	at := map[K]int{}
	var clusters [][]int
	for i, key := range keys {
		c, known := at[key]
		if !known {
			c = len(clusters)
			at[key] = c
			clusters = append(clusters, nil)
		}
		clusters[c] = append(clusters[c], i)
	}
	return clusters
}

// BootstrapClusters is the BCa interval of a statistic of clustered values:
// whole clusters are drawn with replacement, as many as there are, and the
// jackknife of the acceleration leaves out one cluster at a time. (Davison &
// Hinkley, Bootstrap Methods and their Application, 1997, section 3.8, the
// scheme without resampling inside a cluster.) With one value in each cluster
// it is BootstrapBCa with the same resamples.
//
// The count resamples come from random alone: the same source and the same
// number of clusters draw the same. Errors wrap ErrTooFew (fewer than two
// clusters, or a statistic that is not defined), ErrNotFinite and ErrShape (the
// clusters are not of the indices of x, each once).
func BootstrapClusters(x []float64, clusters [][]int, stat Statistic, random *rand.Rand, count int, confidence float64) (BCa, error) {
	thetas, err := clusterReplicates(x, clusters, stat, random, count, confidence)
	if err != nil {
		return BCa{}, err
	}
	jack := make([]float64, len(clusters))
	var rest []float64
	for out := range clusters {
		rest = rest[:0]
		for c, members := range clusters {
			if c != out {
				rest = gather(rest, x, members)
			}
		}
		jack[out] = stat(rest)
	}
	return corrected(thetas, stat(x), acceleration(jack), confidence)
}

// BootstrapClustersPercentile is the percentile interval of the resamples that
// BootstrapClusters draws, with the same errors.
func BootstrapClustersPercentile(x []float64, clusters [][]int, stat Statistic, random *rand.Rand, count int, confidence float64) (Interval, error) {
	thetas, err := clusterReplicates(x, clusters, stat, random, count, confidence)
	if err != nil {
		return Interval{}, err
	}
	return percentile(thetas, confidence), nil
}

func clusterReplicates(x []float64, clusters [][]int, stat Statistic, random *rand.Rand, count int, confidence float64) ([]float64, error) {
	if err := checkConfidence(confidence); err != nil {
		return nil, err
	}
	if err := finite("clustered bootstrap", x); err != nil {
		return nil, err
	}
	if err := partition(len(x), clusters); err != nil {
		return nil, err
	}
	if len(clusters) < 2 {
		return nil, fmt.Errorf("bootstrap of %d clusters: at least two are needed: %w", len(clusters), ErrTooFew)
	}
	if count < 1 {
		return nil, fmt.Errorf("bootstrap: there are no resamples")
	}
	thetas := make([]float64, count)
	var sample []float64
	for b := range thetas {
		sample = sample[:0]
		for range clusters {
			sample = gather(sample, x, clusters[random.IntN(len(clusters))])
		}
		thetas[b] = stat(sample)
	}
	return defined(thetas)
}

func gather(into, x []float64, members []int) []float64 {
	for _, i := range members {
		into = append(into, x[i])
	}
	return into
}

// partition checks that the clusters hold every index from 0 to n-1 once, and
// that none is empty.
func partition(n int, clusters [][]int) error {
	seen, count := make([]bool, n), 0
	for c, members := range clusters {
		if len(members) == 0 {
			return fmt.Errorf("clustered bootstrap: cluster %d is empty: %w", c, ErrShape)
		}
		for _, i := range members {
			if i < 0 || i >= n || seen[i] {
				return fmt.Errorf("clustered bootstrap: cluster %d holds index %d, which is not there or held twice: %w", c, i, ErrShape)
			}
			seen[i] = true
			count++
		}
	}
	if count != n {
		return fmt.Errorf("clustered bootstrap: the clusters hold %d of %d values: %w", count, n, ErrShape)
	}
	return nil
}
