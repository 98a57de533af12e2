package store

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"assay/data/fatal"
	"assay/session"
)

// BenchmarkAppendSingle is one caller that waits for each event to be on disk.
func BenchmarkAppendSingle(b *testing.B) {
	s := mustOpen(b, newPath(b), quiet)
	mustAppend(b, s, "S1", []session.Event{opened("S1", 20)}, nil)
	next := uint64(2)
	for b.Loop() {
		mustAppend(b, s, "S1", heartbeats(next, 1), nil)
		next++
	}
}

// BenchmarkAppendGroup is many sessions at once, whose appends share commits.
func BenchmarkAppendGroup(b *testing.B) {
	s := mustOpen(b, newPath(b), quiet)
	var count atomic.Int64
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		id := fmt.Sprint("S", count.Add(1))
		if _, err := s.Append(context.Background(), id, []session.Event{opened(id, 20)}, nil); err != nil {
			b.Error(err)
		}
		for next := uint64(2); pb.Next(); next++ {
			if _, err := s.Append(context.Background(), id, heartbeats(next, 1), nil); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkOpen shows what checking the pages costs, on 20 sessions of 1000
// events: about a year of one tester.
func BenchmarkOpen(b *testing.B) {
	path := newPath(b)
	s, err := Open(path, quiet)
	fatal.If(b, err)
	for i := range 20 {
		id := fmt.Sprint("S", i)
		mustAppend(b, s, id, append([]session.Event{opened(id, 20)}, heartbeats(2, 1000)...), nil)
	}
	fatal.If(b, s.Close())
	for b.Loop() {
		s, err := Open(path, quiet)
		fatal.If(b, err)
		s.Close()
	}
}

// BenchmarkEvents reads a session of 1000 events.
func BenchmarkEvents(b *testing.B) {
	s := mustOpen(b, newPath(b), quiet)
	mustAppend(b, s, "S1", append([]session.Event{opened("S1", 20)}, heartbeats(2, 999)...), nil)
	for b.Loop() {
		if events, err := s.Events("S1", 1); err != nil || len(events) != 1000 {
			b.Fatal(len(events), err)
		}
	}
}
