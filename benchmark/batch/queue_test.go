package batch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/benchmark/format"
	"assay/benchmark/verdicts"
)

func jobOf(task string, number int) job {
	return job{row: Row{TaskID: task, Sample: number}, sample: format.Sample{TaskID: task}}
}

// queueOf is a queue that so many workers have joined.
func queueOf(workers int) *queue {
	q := newQueue(workers, newHistory(nil))
	for range workers {
		q.join()
	}
	return q
}

func TestQueueKeepsTasksTogether(t *testing.T) {
	q := queueOf(2)
	for _, task := range []string{"a", "b", "c"} {
		for i := range 3 {
			q.put(t.Context(), jobOf(task, i))
		}
	}
	q.close()
	got := ""
	for range 2 {
		for worker := range 2 {
			j, _ := q.take(worker)
			got += fmt.Sprintf("%d%s%d ", worker, j.row.TaskID, j.row.Sample)
		}
	}
	for range 6 { // the other worker is busy, and its task's last sample waits
		if j, ok := q.take(0); ok {
			got += fmt.Sprintf("0%s%d ", j.row.TaskID, j.row.Sample)
		}
	}
	if want := "0a0 1b0 0a1 1b1 0a2 0c0 0c1 0c2 0b2 "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestQueuePassesNobodyOverForEver: a task without end does not keep the others waiting.
func TestQueuePassesNobodyOverForEver(t *testing.T) {
	q := queueOf(1)
	q.put(t.Context(), jobOf("long", 0))
	q.take(0)
	q.put(t.Context(), jobOf("other", 0))
	for i := range lookahead + 1 {
		q.put(t.Context(), jobOf("long", i))
		if j, _ := q.take(0); j.row.TaskID == "other" {
			if i != lookahead {
				t.Errorf("it was passed over %d times", i)
			}
			return
		}
	}
	t.Error("it never came")
}

// Many workers take samples in their order: they do not look for those that suit them.
func TestQueueOfManyWorkers(t *testing.T) {
	q := queueOf(4*runtime.NumCPU() + 1)
	for i, task := range []string{"a", "a", "b", "a"} {
		q.put(t.Context(), jobOf(task, i))
	}
	for i := range 4 {
		if j, _ := q.take(i % 2); j.row.Sample != i {
			t.Errorf("number %d comes after %d", j.row.Sample, i-1)
		}
	}
}

func TestQueueLosesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		workers, n := 1+random.IntN(4), random.IntN(400)
		if random.IntN(2) == 0 {
			workers = 200 // that take the oldest
		}
		q, tasks := newQueue(workers, newHistory(nil)), 1+random.IntN(9)
		seen := make([]int, n)
		var mu sync.Mutex
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				w := q.join()
				for j, ok := q.take(w); ok; j, ok = q.take(w) {
					mu.Lock()
					seen[j.row.Sample]++
					mu.Unlock()
				}
			})
		}
		for i := range n {
			if !q.put(t.Context(), jobOf(fmt.Sprint(random.IntN(tasks)), i)) {
				t.Fatal("a job was refused")
			}
		}
		q.close()
		all.Wait()
		for i, times := range seen {
			if times != 1 {
				t.Fatalf("job %d of %d was handed out %d times", i, n, times)
			}
		}
	}
}

func TestQueueEndsWithItsContext(t *testing.T) {
	q := queueOf(1)
	ctx, cancel := context.WithCancel(t.Context())
	for i := range lookahead {
		q.put(ctx, jobOf("a", i))
	}
	context.AfterFunc(ctx, q.wake)
	refused := make(chan bool)
	go func() { refused <- !q.put(ctx, jobOf("a", lookahead)) }()
	cancel()
	if !<-refused {
		t.Error("there was no room, and it was taken")
	}
}

// growingJudge can judge more at a time whenever it is asked, up to most, and only then
// answers: all that it was told of must be there.
type growingJudge struct {
	fakeJudge
	most, size, at atomic.Int64
	all            chan struct{}
}

func (g *growingJudge) Workers() int { return 1 }

func (g *growingJudge) Grow() bool { return g.size.Add(1) < g.most.Load() }

func (g *growingJudge) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	if g.at.Add(1) == g.most.Load() {
		close(g.all)
	}
	select {
	case <-g.all:
	case <-ctx.Done():
	}
	return g.fakeJudge.Judge(ctx, s)
}

// A judge that can do more than it began with gets more while many samples wait.
func TestEvalGrows(t *testing.T) {
	list := make([]string, 2*lookahead)
	for i := range list {
		list[i] = fmt.Sprintf("a accepted %d/%d", i, len(list))
	}
	j := &growingJudge{all: make(chan struct{})}
	j.most.Store(3)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := Eval(ctx, Options{Samples: samples(t, list...), Benchmark: tasks("a"), Judge: j})
	if err != nil || s.Samples != len(list) {
		t.Errorf("%v, %v", s, err)
	}
}

// Few samples are not worth another worker, which has to be started first.
func TestEvalDoesNotGrowForFew(t *testing.T) {
	j := &growingJudge{all: make(chan struct{})}
	j.most.Store(2)
	ctx, cancel := context.WithTimeout(t.Context(), 4*growEvery)
	defer cancel()
	_, err := Eval(ctx, Options{Samples: samples(t, "a accepted 1/2", "a accepted 2/2"), Benchmark: tasks("a"), Judge: j})
	if !errors.Is(err, ErrInterrupted) || j.size.Load() > 0 {
		t.Errorf("%v; it was asked %d times whether it can grow", err, j.size.Load())
	}
}

// BenchmarkQueue hands a sample to one of 256 workers, and BenchmarkRecord keeps a result: both
// happen to one sample at a time, however many processors there are.
func BenchmarkQueue(b *testing.B) {
	q := queueOf(256)
	q.many = false
	for i := range lookahead {
		q.put(b.Context(), jobOf(fmt.Sprint(i%164), i))
	}
	for i := 0; b.Loop(); i++ {
		j, _ := q.take(i * 7 % 256)
		q.put(b.Context(), j)
		q.history.learn(j.row.TaskID, time.Millisecond, false)
	}
}

func BenchmarkRecord(b *testing.B) {
	keep, err := openResults(b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	e := &evaluation{keep: keep, tally: newTally(nil), history: newHistory(nil), started: time.Now()}
	row := Row{Verdict: verdicts.Accepted, PassedTests: 7, TotalTests: 7, CPUMS: 2, Allowed: &verdicts.Allowance{CPUSeconds: 3, CPUTotal: 20}, WallMS: 3, MemoryKB: 10 << 10,
		Extraction: "completion", Isolation: verdicts.Isolated, Enforcement: map[string]string{"cpu": "polling", "files": "tmpfs", "memory": "cgroup", "net": "namespace"},
		Interpreter: "CPython 3.11.2 (/usr/bin/python3)", Content: strings.Repeat("0", 24), Task: strings.Repeat("1", 16), Loads: true}
	for i := 0; b.Loop(); i++ {
		row.TaskID, row.Sample = fmt.Sprint("HumanEval/", i%164), i/164
		if err := e.record(job{row: row}); err != nil {
			b.Fatal(err)
		}
	}
	if err := keep.close(); err != nil {
		b.Fatal(err)
	}
}
