package judge

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

func TestMemoryBoundsConcurrency(t *testing.T) {
	m := newMemory()
	m.available = func() (int, bool) { return 1000, true }
	take := func(task string, mb int) (func(int64), bool) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		back, err := m.reserve(ctx, task, mb)
		return back, err == nil
	}
	first, ok := take("a", 5000)
	if !ok {
		t.Fatal("a sample alone does not run")
	}
	if _, ok := take("a", 5000); ok {
		t.Fatal("two samples of 5000 MB run in 1000 MB")
	}
	first(0) // nothing ran, as for an answer that does not apply: what one that runs uses is not known
	if first, ok = take("a", 5000); !ok {
		t.Fatal("nothing runs after a sample that did not")
	}
	if _, ok := take("a", 5000); ok {
		t.Fatal("a sample that did not run is taken for one that needs no memory")
	}
	first(30 << 10) // it used 30 MB
	for i := range 12 {
		if _, ok := take("a", 5000); !ok {
			t.Fatalf("only %d samples of 30 MB run in 1000 MB", i)
		}
	}
	if _, ok := take("a", 5000); ok {
		t.Fatal("13 samples with 64 MB each run in 80 % of 1000 MB")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stop"))
	if _, err := m.reserve(ctx, "b", 512); err == nil || err.Error() != "stop" {
		t.Error(err)
	}
}

func TestMemoryWakesWhoWaits(t *testing.T) {
	m := newMemory()
	m.available = func() (int, bool) { return 100, true }
	back, err := m.reserve(t.Context(), "a", 90)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error)
	go func() {
		_, err := m.reserve(t.Context(), "b", 90)
		got <- err
	}()
	for !m.short() { // until it waits
		runtime.Gosched()
	}
	back(0)
	if err := <-got; err != nil || m.short() {
		t.Error(err, m.short())
	}
}
