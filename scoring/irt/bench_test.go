package irt

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
)

// The default fit: 5 × 164 takes less than 20 ms of CPU time, 50 × 2000 less than a second, and time grows
// with the number of responses.
func BenchmarkFit(b *testing.B) {
	for _, size := range [][2]int{{5, 164}, {50, 164}, {50, 1000}, {50, 2000}, {50, 4000}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			r, _ := simulated(rand.New(rand.NewPCG(3, 3)), size[0], size[1], 90)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Fit(r, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size[0]*size[1]), "ns/response")
		})
	}
	b.Run("TaskEval", func(b *testing.B) {
		r := readReference(b, "taskeval_HE.json.gz").responses(90)
		for b.Loop() {
			if _, err := Fit(r, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The time of the other methods.
func BenchmarkOthers(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 3))
	many, _ := simulated(random, 20, 164, 90)
	single, _ := simulated(random, 20, 164, 1)
	fitted, err := Fit(many, Options{})
	fatal.If(b, err)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"Posterior20x164", func() error { _, err := fitted.Draw(1, Long(), 0.95); return err }},
		{"Short20x164", func() error { _, err := fitted.Draw(1, Short(), 0.95); return err }},
		{"2PL20x164", func() error { _, err := TwoPL(single); return err }},
		{"1PL20x164", func() error { _, err := OnePL(single); return err }},
		{"Faithful20x164", func() error { _, err := Faithful(many); return err }},
		{"Subset40of164", func() error { _, err := Subset(fitted, 40); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				fatal.If(b, c.run())
			}
		})
	}
}
