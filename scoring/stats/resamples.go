package stats

import "math/rand/v2"

// Resamples draws count resamples of n indices from 0 to n-1, with replacement.
// The same source gives the same resamples.
func Resamples(random *rand.Rand, n, count int) [][]int {
	all, indices := make([][]int, count), make([]int, count*n)
	for b := range all {
		all[b] = indices[b*n : (b+1)*n : (b+1)*n]
		for i := range all[b] {
			all[b][i] = random.IntN(n)
		}
	}
	return all
}
