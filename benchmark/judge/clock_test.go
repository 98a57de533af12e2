package judge

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestOneElapsedTimeForASample: a sample that idles has the same time for everything,
// over however many processes, calls and runs it spreads that.
func TestOneElapsedTimeForASample(t *testing.T) {
	t.Parallel()
	const most = 5 // seconds; a batch may have one of them
	shared := newJudge(t)
	j, err := New(Options{Box: shared.box, Workers: 5}) // one for each of these samples, which only wait
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	j.pace, j.sampleWall = shared.pace, most*time.Second
	var cases []string
	program := &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin}}
	for i := range 20 {
		cases = append(cases, fmt.Sprintf(`{"args":[%d],"expected":%d}`, i, i))
		program.Tests.Runs = append(program.Tests.Runs, benchmark.Run{Input: "1", Output: "1"})
	}
	inProcess := checkTask("", "f", "def check(candidate):\n    assert candidate(1) == 1\n    assert candidate(2) == 2\n    assert candidate(3) == 3\n")
	inProcess.Tests.InProcess = true
	var all sync.WaitGroup
	for _, tt := range []struct {
		name   string
		task   *benchmark.Task
		code   string
		passes bool // at first
	}{
		{"sleeps at load and in each case", callsTask(t, "f", cases...), "import time\ntime.sleep(0.25)\ndef f(x):\n    time.sleep(0.35)\n    return x\n", true},
		{"is killed in each case", callsTask(t, "f", cases...), "import os, time\ndef f(x):\n    time.sleep(0.5)\n    os.kill(os.getpid(), 9)\n", false},
		{"closes its channels and hangs", program, "import os, time\nfor fd in range(10):\n    try: os.close(fd)\n    except OSError: pass\ntime.sleep(1000)\n", false},
		{"sleeps in each run", program, "import time\ntime.sleep(0.8)\nprint(1)\n", true},
		{"sleeps in one process with its tests", inProcess, "import time\ndef f(x):\n    time.sleep(3)\n    return x\n", true},
	} {
		tt.task.Limits.WallSeconds = most
		all.Go(func() {
			t.Run(tt.name, func(t *testing.T) {
				sampled.Row(t, 6)
				r := judgeCode(t, j, tt.task, tt.code)
				if r.Verdict != verdicts.TimeLimit || r.Total == 0 || r.Cases[r.Total-1].Status != verdicts.NotRun || (r.Passed > 0) != tt.passes {
					t.Errorf("%s, %d passed [%s] %q", r.Verdict, r.Passed, statuses(r), r.Message)
				}
				said := r.Message
				for _, c := range r.Cases {
					said += "\n" + c.Message
				}
				if want := "the elapsed time for the whole sample, 5s, was used up"; !strings.Contains(said, want) {
					t.Errorf("nothing says %q: %s", want, said)
				}
			})
		})
	}
	all.Wait()
}

// TestClock: what counts is idleness, and the checker has its time once for a sample.
func TestClock(t *testing.T) {
	j := &Judge{sampleWall: sampleWall, checkerCPU: checkerCPU}
	if c := j.newClock(benchmark.Limits{WallSeconds: 2}); c.most != time.Minute {
		t.Errorf("a sample whose cases may idle 2 s has %v", c.most)
	}
	c := j.newClock(benchmark.Limits{WallSeconds: 600})
	c.elapsed = 700 * time.Second
	if c.left() != -100*time.Second {
		t.Errorf("%v left", c.left())
	}
	c.ended(sandbox.Usage{CPU: 10 * time.Second})
	c.live = sandbox.Usage{Delayed: 7 * time.Second}.Excused()
	if c.left() != 7*time.Second {
		t.Errorf("%v left of a sample that computed for 10 s and waited for a processor for 7", c.left())
	}
	before := sandbox.Usage{CPU: time.Second}
	for range 2 {
		c.checked(used(before, sandbox.Usage{CPU: 4 * time.Second}))
	}
	if b := c.forChecker(); b.CPU != checkerCPU-6*time.Second || b.Wall != 67*time.Second+checkerGrace {
		t.Errorf("after 6 s the checker may take %+v", b)
	}
}

// TestTwoHogsAreEnough: a sample that fills the memory for each case does so twice.
func TestTwoHogsAreEnough(t *testing.T) {
	j := newJudge(t)
	var cases []string
	program := &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin}}
	for i := range 6 {
		cases = append(cases, fmt.Sprintf(`{"args":[%d],"expected":%d}`, i, i))
		program.Tests.Runs = append(program.Tests.Runs, benchmark.Run{Input: fmt.Sprint(i), Output: fmt.Sprint(i)})
	}
	const hog = "def f(x):\n    held = [bytearray(b'x') * (8 << 20) for _ in range(x % 2 * 1000)]\n    return x\n"
	for name, s := range map[string]verdicts.Submission{
		"calls": {Task: callsTask(t, "f", cases...), Code: hog},
		"runs":  {Task: program, Code: hog + "print(f(int(input())))\n"},
	} {
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 6)
			s.Task.Limits.MemoryMB = 100
			r := judgeCode(t, j, s.Task, s.Code)
			if want := "passed memory_limit passed memory_limit not_run not_run"; r.Verdict != verdicts.MemoryLimit || statuses(r) != want {
				t.Errorf("%s [%s]; want [%s]", r.Verdict, statuses(r), want)
			}
			if got := r.Cases[5].Message; got != "2 cases reached the memory limit" {
				t.Errorf("the last case says %q", got)
			}
		})
	}
}

// Once a case has reached the memory limit the others have a quarter of it, and no less than
// they need.
func TestMemoryAfterAHog(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := callsTask(t, "f", `{"args":[100],"expected":100}`, `{"args":[900],"expected":900}`, `{"args":[80],"expected":80}`, `{"args":[200],"expected":200}`)
	task.Limits.MemoryMB, task.Limits.CPUSeconds = 512, 60 // what fills memory on a busy machine takes more than 3 s
	r := judgeCode(t, j, task, "def f(x):\n    held = [bytearray(b'x') * (1 << 20) for _ in range(x)]\n    return x\n")
	if want := "passed memory_limit passed memory_limit"; r.Verdict != verdicts.MemoryLimit || statuses(r) != want {
		t.Errorf("%s [%s]; want [%s]", r.Verdict, statuses(r), want)
	}
	if why := r.Cases[3].Message; !strings.Contains(why, "the 128 MB that are left") || !strings.Contains(r.Message, "more memory than allowed") {
		t.Errorf("%q; %q", r.Message, why)
	}
	task.Limits.MemoryMB = 60
	for i, want := range []int{60, 60} {
		if got := (&run{task: task, limits: fixedLimits(task.Limits), hogs: i}).memoryMB(); got != want {
			t.Errorf("%d MB after %d hogs, want %d", got, i, want)
		}
	}
}
