package live

import (
	"context"
	"testing"
)

// An intent that breaks leaves nobody waiting: neither for itself nor for those behind it.
// The queue goes on with what comes later.
func TestQueueBreaks(t *testing.T) {
	broke := make(chan any, 1)
	q := &queue{begin: func(f func()) {
		go func() {
			defer func() {
				if why := recover(); why != nil {
					broke <- why
				}
			}()
			f()
		}()
	}}
	hold := make(chan struct{})
	first := q.add(Intent{Do: func(context.Context) error { <-hold; panic("it broke") }})
	second := q.add(Intent{Do: func(context.Context) error { t.Error("what waits is run"); return nil }})
	close(hold)
	if why := <-broke; why != "it broke" {
		t.Error(why)
	}
	second()
	first()
	if one, two, none := q.take(), q.take(), q.take(); one == nil || two == nil || none != nil {
		t.Error("two intents have ended")
	}
	ran := false
	if q.add(Intent{Do: func(context.Context) error { ran = true; return nil }})(); !ran {
		t.Error("nothing is run any more")
	}
}
