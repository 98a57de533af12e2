package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/benchmark/verdicts"
)

// slowJudge lets samples reach their limit on a busy machine: "time_limit 3/4". Alone they have
// the verdict that is named for them.
type slowJudge struct {
	fakeJudge
	alone map[string]verdicts.Verdict // by code
	hit   func(s verdicts.Submission)

	mu    sync.Mutex
	names []string // of submissions, in the order in which they came
	once  []bool   // whether they were to be alone
	at    int      // samples that are judged now
	most  int      // of them, beside one that is alone
}

func (j *slowJudge) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	j.mu.Lock()
	j.at++
	if j.names, j.once = append(j.names, s.Name), append(j.once, s.Alone); s.Alone {
		j.most = max(j.most, j.at)
	}
	j.mu.Unlock()
	defer func() { j.mu.Lock(); j.at--; j.mu.Unlock() }()
	if j.hit != nil {
		j.hit(s)
	}
	r, err := j.fakeJudge.Judge(ctx, s)
	r.Allowed = &verdicts.Allowance{CPUSeconds: 3}
	if r.Verdict == verdicts.TimeLimit {
		r.Allowed = &verdicts.Allowance{CPUSeconds: 3.6, Slowness: 1.2, Near: true}
	}
	if s.Alone {
		r.Verdict, r.Allowed = j.alone[s.Code], &verdicts.Allowance{CPUSeconds: 6, Alone: true, Near: j.alone[s.Code] != verdicts.TimeLimit}
	}
	return r, err
}

// rowsOf are the verdicts in a directory of results, each as often as it is there.
func rowsOf(t *testing.T, out string) []string {
	t.Helper()
	rows, err := ReadResults(out)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range rows {
		all = append(all, fmt.Sprintf("%s%d %s %v %g", r.TaskID, r.Sample, r.Verdict, r.Allowed.Alone, r.Allowed.CPUSeconds))
	}
	slices.Sort(all)
	return all
}

// What only the limit rejected is judged again when all else is done, one sample at a time, and
// recorded once.
func TestJudgedAgainAlone(t *testing.T) {
	j := &slowJudge{alone: map[string]verdicts.Verdict{
		"time_limit 9/10": verdicts.Accepted, "time_limit 3/10": verdicts.TimeLimit, "time_limit 5/10": verdicts.SandboxError}}
	list := []string{"a time_limit 3/10", "a time_limit 9/10", "a time_limit 5/10"}
	for range 20 {
		list = append(list, "b wrong_answer 1/2")
	}
	out := t.TempDir()
	o := Options{Samples: samples(t, list...), Benchmark: tasks("a", "b"), Out: out, Judge: j, NoMeasures: true}
	s, err := Eval(t.Context(), o)
	if err != nil || s.Samples != 23 || s.Accepted != 1 || s.Alone != 2 || s.Near != 2 || s.Verdicts[verdicts.TimeLimit] != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	if j.most != 1 || slices.Index(j.once, true) != 23 || len(j.once) != 26 {
		t.Errorf("%d at a time; alone: %v", j.most, j.once)
	}
	if !strings.HasSuffix(j.names[23], againSuffix) || slices.Contains(j.names[:23], j.names[23]) {
		t.Errorf("a fleet would give it the first result again: %q", j.names[23])
	}
	want := []string{"a0 time_limit true 6", "a1 accepted true 6", "a2 time_limit false 3.6"}
	if got := rowsOf(t, out); !slices.Equal(got[:3], want) {
		t.Errorf("the rows are %q, want %q", got[:3], want)
	}
	calls := j.calls.Load()
	if s, err := Eval(t.Context(), o); err != nil || s.Reused != 23 || j.calls.Load() != calls || s.Accepted != 1 || s.Alone != 2 {
		t.Errorf("again: %+v, %v, %d calls", s, err, j.calls.Load()-calls)
	}
}

// An evaluation that ends while samples are held back has no results of them, and the next one
// has each once.
func TestInterruptedBeforeJudgedAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	j := &slowJudge{alone: map[string]verdicts.Verdict{"time_limit 9/10": verdicts.Accepted}}
	j.hit = func(s verdicts.Submission) {
		if s.Alone {
			cancel()
		}
	}
	out := t.TempDir()
	o := Options{Samples: samples(t, "a time_limit 9/10", "b accepted 1/1", "b accepted 1/1"), Benchmark: tasks("a", "b"), Out: out, Judge: j, NoMeasures: true}
	s, err := Eval(ctx, o)
	if !errors.Is(err, ErrInterrupted) || s.Samples != 2 || !s.Partial() {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := Eval(t.Context(), o); err != nil || s.Samples != 3 || s.Reused != 2 || s.Accepted != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	if got := rowsOf(t, out); len(got) != 3 || got[0] != "a0 accepted true 6" {
		t.Errorf("the rows are %q", got)
	}
}

// Only so many samples are held back, and when the time is used up they keep their verdicts.
func TestJudgingAgainIsBounded(t *testing.T) {
	list := make([]string, mostHeld+10)
	for i := range list {
		list[i] = fmt.Sprintf("a time_limit %d/1000", i)
	}
	j := &slowJudge{alone: map[string]verdicts.Verdict{}}
	for _, s := range list {
		j.alone[strings.TrimPrefix(s, "a ")] = verdicts.Accepted
	}
	held := 0
	s, err := Eval(t.Context(), Options{Samples: samples(t, list...), Benchmark: tasks("a"), Judge: j, NoMeasures: true,
		Progress: func(p Progress) { held = max(held, p.Held) }})
	if err != nil || s.Accepted != mostHeld || s.Alone != mostHeld || s.Verdicts[verdicts.TimeLimit] != 10 || held == 0 || held > mostHeld {
		t.Errorf("%+v, %v, %d held", s, err, held)
	}
	e := &evaluation{held: []job{{row: Row{Verdict: verdicts.TimeLimit}}, {row: Row{Verdict: verdicts.TimeLimit}}}}
	rows := make(chan job, 2)
	if err := e.judgeHeldFor(t.Context(), 0, rows); err != nil || len(rows) != 2 || (<-rows).row.Verdict != verdicts.TimeLimit {
		t.Errorf("%v, %d rows", err, len(rows))
	}
}
