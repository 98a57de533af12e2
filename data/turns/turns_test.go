package turns

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// want requests a place in the background, and sends on the channel when it has one.
func want(t *Turns, who string, got chan<- string) (giveBack func()) {
	before := t.Waiting()
	place := make(chan func(), 1)
	go func() {
		leave, err := t.Take(context.Background(), who)
		if err != nil {
			panic(err)
		}
		place <- leave
		got <- who
	}()
	for t.Waiting() == before && len(place) == 0 { // until it stands in the queue, or has it
		runtime.Gosched()
	}
	return func() { (<-place)() }
}

func TestAFloodDelaysOthersByOnePlace(t *testing.T) {
	turns, got := New(1, 1), make(chan string, 200)
	leave, err := turns.Take(context.Background(), "flood")
	fatal.If(t, err)
	give := map[string][]func(){}
	for range 100 {
		give["flood"] = append(give["flood"], want(turns, "flood", got))
	}
	give["ann"] = append(give["ann"], want(turns, "ann", got))
	give["bob"] = append(give["bob"], want(turns, "bob", got))
	leave()
	var order []string
	for range 4 {
		who := <-got
		order = append(order, who)
		for _, back := range give[who] { // whichever of them has it
			go back()
		}
		give[who] = nil
	}
	if order[0] != "flood" || order[1] != "ann" || order[2] != "bob" || order[3] != "flood" {
		t.Errorf("the places went to %v; after one of the flood it is ann's and bob's turn", order)
	}
}

func TestWithdrawnWishesTakeNoPlace(t *testing.T) {
	turns := New(1, 1)
	leave, err := turns.Take(context.Background(), "ann")
	fatal.If(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	refused := make(chan error)
	go func() {
		_, err := turns.Take(ctx, "bob")
		refused <- err
	}()
	for turns.Waiting() == 0 {
		runtime.Gosched()
	}
	if turns.Taken() != 1 {
		t.Errorf("%d places are taken, not ann's alone", turns.Taken())
	}
	cancel()
	if err := <-refused; !errors.Is(err, context.Canceled) {
		t.Errorf("a wish that was withdrawn ends with %v", err)
	}
	leave()
	again, err := turns.Take(context.Background(), "cai")
	fatal.If(t, err)
	again()
	if turns.Waiting() != 0 || turns.Taken() != 0 || turns.free != 1 || len(turns.has) != 0 {
		t.Errorf("something is left: %+v", turns)
	}
}

func TestNeverMoreThanThereAre(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		places, each := rapid.IntRange(1, 4).Draw(r, "places"), rapid.IntRange(1, 3).Draw(r, "each")
		turns := New(places, each)
		var inside atomic.Int64
		var by sync.Map
		var all sync.WaitGroup
		for i := range rapid.IntRange(1, 40).Draw(r, "wishes") {
			who := fmt.Sprint(rapid.IntRange(0, 3).Draw(r, "who"))
			ctx, cancel := context.WithCancel(context.Background())
			if rapid.Bool().Draw(r, "withdrawn") && i%3 == 0 {
				cancel()
			}
			all.Add(1)
			go func() {
				defer all.Done()
				defer cancel()
				leave, err := turns.Take(ctx, who)
				if err != nil {
					return
				}
				mine, _ := by.LoadOrStore(who, &atomic.Int64{})
				if n := mine.(*atomic.Int64).Add(1); n > int64(each) {
					t.Errorf("%s has %d places, of %d", who, n, each)
				}
				if n := inside.Add(1); n > int64(places) {
					t.Errorf("%d have a place, of %d", n, places)
				}
				inside.Add(-1)
				mine.(*atomic.Int64).Add(-1)
				leave()
			}()
		}
		all.Wait()
		if turns.free != places || turns.Waiting() != 0 || len(turns.queue) != 0 {
			t.Errorf("something is left: %+v", turns)
		}
	})
}
