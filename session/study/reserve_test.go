package study

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/data/tomlfile"
)

// Whatever is packed, reserved, released, joined, mistyped, closed and withdrawn in two stores: a place that was
// handed out is never begun by anybody else, and no two people begin one place.
func TestPlacesOfRandomHistories(t *testing.T) {
	for seed := range uint64(10_000) {
		rng := rand.New(rand.NewPCG(seed, 56))
		s := &Study{file: &tomlfile.File{Path: "s.toml"}, Name: "s", Arms: make([]Arm, 1+rng.IntN(2)), Tasks: Tasks{Sets: 2}, Design: Design{Arms: Between, Order: Fixed, Testers: 1 + rng.IntN(6)}}
		var list []Reserved
		stores := []string{"a", "b"}
		taken := map[string][]Taken{}
		holders := map[int]string{} // a place → the store and the pseudonym that began it
		begin := func(n int, store, name string, r Reserved) {
			t.Helper()
			who := fmt.Sprint(store, " ", name)
			if holders[n] != "" && holders[n] != who || r.Packed || r.For != "" && r.For != name {
				t.Fatalf("seed %d: %s begins place %d of %q, which was %+v", seed, who, n, holders[n], r)
			}
			holders[n] = who
			if !slices.ContainsFunc(taken[store], func(x Taken) bool { return x.Tester == n }) {
				taken[store] = append(taken[store], Taken{Tester: n})
			}
		}
		at := func(n int) Reserved {
			if i := slices.IndexFunc(list, func(r Reserved) bool { return r.Tester == n }); i >= 0 {
				return list[i]
			}
			return Reserved{}
		}
		for range 20 {
			n, store, name := 1+rng.IntN(s.Design.Testers), stores[rng.IntN(2)], string(rune('a'+rng.IntN(4)))
			switch rng.IntN(5) {
			case 0:
				if holders[n] == "" && at(n).Tester == 0 {
					list = append(list, Reserved{Tester: n, Packed: true})
				}
			case 1:
				has := slices.ContainsFunc(list, func(r Reserved) bool { return r.For == name || r.By == name })
				if holders[n] == "" && at(n).Tester == 0 && !has {
					list = append(list, Reserved{Tester: n, For: name})
				}
			case 2, 3:
				here := func(n int) bool {
					return slices.ContainsFunc(taken[store], func(x Taken) bool { return x.Tester == n })
				}
				who, next := Seating{Pseudonym: name, Store: store, Taken: taken[store]}, []Reserved(nil)
				var err error
				if rng.IntN(2) == 0 {
					if here(n) {
						continue // goes on
					}
					next, err = s.Enter(slices.Clone(list), n, who)
				} else {
					n, next, err = s.Place(slices.Clone(list), who)
				}
				if err == nil {
					begin(n, store, name, at(n))
					list = next
				}
			case 4: // leaves or withdraws
				for i := range taken[store] {
					if taken[store][i].Tester == n {
						taken[store][i].Lost = true
					}
				}
			}
		}
	}
}

// Who may not begin with a code is told whose the place is and how it is freed.
func TestEnter(t *testing.T) {
	s := &Study{file: &tomlfile.File{Path: "s.toml"}}
	list := []Reserved{{Tester: 1, Packed: true}, {Tester: 2, For: "ann"}, {Tester: 3, By: "ben", Store: "/other.db"}, {Tester: 4}}
	for _, c := range []struct {
		tester    int
		name, why string
	}{
		{1, "ann", "place 1 is packed for a tester on another machine"}, {2, "ben", `reserved for "ann"`}, {2, "", "add --tester"}, {2, "ann", ""},
		{3, "ben", "/other.db"}, {4, "ben", ""}, {5, "ben", ""},
	} {
		_, err := s.Enter(slices.Clone(list), c.tester, Seating{Pseudonym: c.name, Store: "/this.db"})
		if (err == nil) != (c.why == "") || err != nil && (!strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "--release")) {
			t.Errorf("place %d for %q: %v", c.tester, c.name, err)
		}
	}
}
