package stats

import "fmt"

// Clusters groups indices by key, such as a task or a tester whose values are not independent, in the order
// in which the keys first occur.
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

func gather(into, x []float64, members []int) []float64 {
	for _, i := range members {
		into = append(into, x[i])
	}
	return into
}

// partition checks that the clusters hold every index from 0 to n-1 exactly once and that none is empty.
func partition(n int, clusters [][]int) error {
	seen, count := make([]bool, n), 0
	for c, members := range clusters {
		if len(members) == 0 {
			return fmt.Errorf("clusters: cluster %d is empty: %w", c, ErrShape)
		}
		for _, i := range members {
			if i < 0 || i >= n || seen[i] {
				return fmt.Errorf("clusters: cluster %d holds index %d, which is not there or held twice: %w", c, i, ErrShape)
			}
			seen[i] = true
			count++
		}
	}
	if count != n {
		return fmt.Errorf("clusters: the clusters hold %d of %d values: %w", count, n, ErrShape)
	}
	return nil
}
