package batch

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"assay/benchmark/format"
)

// timed is a sample that takes so long.
type timed struct {
	task string
	took time.Duration
}

// simulate has workers take samples from a queue, and returns when the last one ended and how
// long before it the first worker had nothing to do.
func simulate(t *testing.T, workers int, learning bool, list []timed) (end, tail time.Duration) {
	t.Helper()
	h := newHistory(nil)
	q := newQueue(1, h)
	free, at := make([]time.Duration, workers), make([]*timed, workers)
	for range workers {
		q.join()
	}
	fed := 0
	for {
		for ; fed < len(list) && !q.full(); fed++ {
			q.put(t.Context(), job{row: Row{Sample: fed}, sample: format.Sample{TaskID: list[fed].task}})
		}
		if fed == len(list) {
			q.close()
		}
		w := 0
		for i := range workers {
			if free[i] < free[w] {
				w = i
			}
		}
		if at[w] != nil && learning {
			h.learn(at[w].task, at[w].took, false)
		}
		j, ok := q.take(w)
		if !ok {
			break
		}
		at[w] = &list[j.row.Sample]
		free[w] += at[w].took
	}
	first := free[0]
	for _, f := range free {
		first, end = min(first, f), max(end, f)
	}
	return end, end - first
}

// loops are samples of 164 tasks in turns, of which so many in a hundred of some tasks never
// end.
func loops(seed uint64, tasks, percent int) []timed {
	random := rand.New(rand.NewPCG(seed, 0))
	list := make([]timed, 16400)
	for i := range list {
		list[i] = timed{fmt.Sprint(i % 164), 3 * time.Millisecond}
		if i*59%164 < tasks && random.IntN(100) < percent {
			list[i].took = 3750 * time.Millisecond
		}
	}
	return list
}

// Where loops come with tasks, as recorded models' do, two workers wait less for the last one
// at the end of an evaluation. Where they come anyhow, or so many workers take what waits that
// a loop outlasts it, it makes no difference.
func TestTail(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		workers, tasks, percent int
		shorter                 bool
	}{
		{"20 % of 8 tasks never end", 2, 8, 20, true}, {"20 % of 8 tasks never end", 16, 8, 20, false},
		{"1 % of all samples never end", 2, 164, 1, false}, {"1 % of all samples never end", 16, 164, 1, false},
	} {
		var with, without, whole, even time.Duration
		for seed := range uint64(5) {
			list := loops(seed, tt.tasks, tt.percent)
			end, tail := simulate(t, tt.workers, true, list)
			_, before := simulate(t, tt.workers, false, list)
			with, without, whole = with+tail, without+before, whole+end
			for _, s := range list {
				even += s.took / time.Duration(tt.workers)
			}
		}
		t.Logf("%s, %d workers: the first waits for the last %.2f s, and %.2f s without history; %.3f times an even split",
			tt.name, tt.workers, with.Seconds()/5, without.Seconds()/5, float64(whole)/float64(even))
		if ratio := float64(with) / float64(without); tt.shorter && ratio > 0.8 || ratio > 1.3 {
			t.Errorf("%s, %d workers: %.2f times as long with the history as without", tt.name, tt.workers, ratio)
		}
	}
}

// The time that is left is that of the tasks whose samples are to come.
func TestTimeLeft(t *testing.T) {
	h := newHistory(map[string]int{"slow": 10, "fast": 100, "new": 10})
	if left := h.left(time.Second); left != 0 {
		t.Errorf("%v before anything is known", left)
	}
	for range 5 {
		h.learn("slow", 10*time.Second, false)
	}
	for range 100 {
		h.learn("fast", 10*time.Millisecond, false)
	}
	// Of 5 slow ones and 10 of a new task, which take as long as all do: 0.486 s each.
	want := (5*(50+0.486)/6 + 10*0.486) / 51 * 30
	if left := h.left(30 * time.Second).Seconds(); left < want-1 || left > want+1 {
		t.Errorf("%v s are left, want %.1f", left, want)
	}
	for range 5 {
		h.learn("slow", 10*time.Second, true)
	}
	for range 10 {
		h.learn("new", time.Second, true)
	}
	if left := h.left(30 * time.Second); left != 0 {
		t.Errorf("%v after all", left)
	}
}

// While it is not known which tasks follow, what follows takes as long as all did.
func TestTimeLeftOfAnyTask(t *testing.T) {
	h := newHistory(map[string]int{"": 100})
	for i := range 25 {
		h.learn(fmt.Sprint(i%3), time.Duration(1+i%2)*time.Second, false)
	}
	if left := h.left(20 * time.Second); left != time.Minute {
		t.Errorf("%v, want a minute", left)
	}
}

// A sample whose task takes long goes before what its worker would take, but does not keep the
// oldest waiting for ever.
func TestLongestFirst(t *testing.T) {
	q := queueOf(2)
	for i, task := range []string{"a", "a", "slow", "slower", "a"} {
		q.put(t.Context(), jobOf(task, i))
	}
	q.history.learn("slow", 2*longSample, false)
	q.history.learn("slower", 9*longSample, false)
	for range 10 {
		q.history.learn("a", time.Millisecond, false)
	}
	got := ""
	for range 5 {
		j, _ := q.take(0)
		got += fmt.Sprint(j.row.Sample)
	}
	if got != "32014" {
		t.Errorf("in the order %s", got)
	}
}
