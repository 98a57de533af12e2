package adaptive

import (
	"testing"

	"assay/data/fatal"
)

// BenchmarkChoose prepares a pool of a thousand items and chooses the thirtieth: what ends a task of a session.
func BenchmarkChoose(b *testing.B) {
	list := items(1000, 0.3, 1)
	var asked []int
	var responses []Response
	for j := range 29 {
		asked, responses = append(asked, j), append(responses, Response{Item: j, Passed: j % 2, Trials: 1})
	}
	for b.Loop() {
		p, err := NewPool(list, nil, DefaultRules())
		fatal.If(b, err)
		_, err = p.Next(1, asked, responses)
		fatal.If(b, err)
	}
}
