package irt

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestExplore(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("EXPLORE"))
	if n == 0 {
		t.Skip()
	}
	for k, c := range []population{{12, 16, 1, 0, 0.1}, {12, 16, 10, 0, 0.1}, {12, 45, 1, 0, 0.1}, {12, 45, 10, 0, 0.1}, {6, 16, 10, 0, 0.1}, {30, 16, 10, 0, .1}, {12, 45, 10, 1, 0.1}, {12, 45, 10, 1, 1}} {
		random := rand.New(rand.NewPCG(1, uint64(k)))
		lengths := []Length{Short(), Long(), {1000, 1000, 20}}
		var all [3]kinds
		var took [3]time.Duration
		var mix [3]float64
		for s := range n {
			r, truth := c.draw(random)
			e, err := Fit(r, Options{Seed: uint64(s)})
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range lengths {
				start := time.Now()
				drawn, err := e.Draw(uint64(s), l, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				took[i] += time.Since(start)
				all[i].add(drawn.Intervals, truth, logistic)
				mix[i] += drawn.Intervals.Mixing / float64(n)
			}
		}
		for i := range lengths {
			a, d, x := all[i].ability, all[i].difficulty, all[i].discrimination
			m := func(c coverage) (v float64) {
				for _, x := range c {
					v += x / float64(len(c))
				}
				return
			}
			fmt.Printf("%v | %v: ability %.3f difficulty %.3f discrimination %.3f; mixing %.3f, %.2f s\n", c, lengths[i], m(a), m(d), m(x), mix[i], took[i].Seconds()/float64(n))
		}
	}
}
