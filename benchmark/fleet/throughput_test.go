package fleet

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
)

// TestThroughput compares two and four worker processes, in network namespaces of their own,
// with judging in this process, on the same samples and in turns. It is run with
// ASSAY_FLEET_SAMPLES, as testdata/fleet.sh does.
func TestThroughput(t *testing.T) {
	if os.Getenv("ASSAY_FLEET_SAMPLES") == "" {
		t.Skip("it measures, for minutes: set ASSAY_FLEET_SAMPLES, as testdata/fleet.sh does")
	}
	p := plan{Samples: 1640, Real: true, AckWait: 30 * time.Second}
	tasks := p.tasks()
	list := p.submissions(tasks)
	want := p.expect(t, tasks)
	namespaces := makeNamespaces(t, 4)
	sites := map[string]verdicts.Judge{}
	for _, n := range []int{2, 4} {
		s := newSite(t, p, n, namespaces[:n])
		c := startClient(t, s.as("", "throughput").link(), tasks, func(o *ClientOptions) { o.Window = 400 })
		sites[fmt.Sprintf("%d workers of 1 slot", n)] = c
	}
	local, err := judge.New(judge.Options{Workers: 2})
	if err != nil {
		t.Skip("no sandbox here: ", err)
	}
	defer local.Close()
	sites["in process, 2 slots"] = local
	times := map[string][]float64{}
	for round := range 5 {
		for name, j := range sites {
			for i := range list {
				list[i].Name = fmt.Sprint(round, " ", i)
			}
			got, took := judgeAll(t, j, list)
			for i := range got {
				if !strings.HasPrefix(want[i], string(got[i])+" ") {
					t.Errorf("%s: sample %d is %s, not %s", name, i, got[i], want[i])
				}
			}
			if round > 0 { // the first loads tests
				times[name] = append(times[name], took.Seconds())
			}
		}
	}
	for name, list := range times {
		t.Logf("%-22s %6.0f samples/s (rounds %.1f s)", name, float64(p.Samples)/mean(list), list)
	}
}
