package judge

import (
	"context"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
)

// burn is a function that computes for so many seconds, in a way that no look finds endless.
const burn = "import time\ndef burn(seconds):\n    end = time.process_time() + seconds\n    while time.process_time() < end:\n        pass\n"

// A sample may need ten times what the reference needs, if that is more than usual.
func TestLimitFitsTheReference(t *testing.T) {
	t.Parallel()
	j := hasty(t)
	task := callsTask(t, "f", `{"args":[1],"expected":1}`)
	slow := burn + "def f(x):\n    burn(0.6)\n    return x\n"
	if r := judgeCode(t, j, task, slow); r.Verdict != verdicts.TimeLimit || r.Allowed.CPUSeconds != 0.5 || r.Allowed.Reference != 0 {
		t.Errorf("without a reference: %s within %+v", r.Verdict, r.Allowed)
	}
	task.Reference = burn + "def f(x):\n    burn(0.08)\n    return x\n"
	r := judgeCode(t, j, task, slow)
	if r.Verdict != verdicts.Accepted || r.Allowed.Reference < 0.08 || seconds(r.Allowed.CPUSeconds) != seconds(min(fitMost, 10*r.Allowed.Reference)) || !r.Allowed.Near {
		t.Errorf("with a reference: %s within %+v", r.Verdict, r.Allowed)
	}
	task.Limits.CPUSeconds = 0.3
	if r := judgeCode(t, j, task, slow); r.Verdict != verdicts.TimeLimit || r.Allowed.CPUSeconds != 0.3 || !r.Allowed.Near {
		t.Errorf("with a limit of its own: %s within %+v", r.Verdict, r.Allowed)
	}
}

// Once a case has reached its limit, the others share a part of it; what they need stays
// theirs.
func TestCasesShareWhatIsLeft(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := callsTask(t, "f", `{"args":[0],"expected":0}`, `{"args":[1],"expected":1}`, `{"args":[2],"expected":2}`, `{"args":[3],"expected":3}`,
		`{"args":[4],"expected":4}`)
	task.Limits = benchmark.Limits{CPUSeconds: 0.8, CPUTotal: 20}
	r := judgeCode(t, j, task, burn+"def f(x):\n    burn(9 * (x == 1 or x == 3))\n    return x\n")
	if want := "passed time_limit passed time_limit not_run"; statuses(r) != want || r.Verdict != verdicts.TimeLimit || r.CPUMS > 1500 {
		t.Errorf("%s [%s] in %d ms, want [%s]", r.Verdict, statuses(r), r.CPUMS, want)
	}
	if !r.Allowed.Near {
		t.Error("nothing but the limit decided, and the result does not say so")
	}
	if why := r.Cases[4].Message; !strings.Contains(why, "200ms that were left") {
		t.Error(why)
	}
}

// A limit does not decide about a sample that fails for another reason, too.
func TestLimitThatDoesNotDecide(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := callsTask(t, "f", `{"args":[0],"expected":0}`, `{"args":[1],"expected":1}`, `{"args":[2],"expected":2}`)
	task.Limits = benchmark.Limits{CPUSeconds: 0.4}
	r := judgeCode(t, j, task, burn+"def f(x):\n    burn(9 * (x == 1))\n    return 0\n")
	if r.Verdict != verdicts.TimeLimit || r.Allowed.Near {
		t.Errorf("%s [%s] within %+v", r.Verdict, statuses(r), r.Allowed)
	}
	task = &benchmark.Task{ID: "t/2", Language: "python", EntryPoint: "f", Limits: task.Limits,
		Tests: benchmark.Tests{Style: benchmark.Check, Check: "def check(candidate):\n    assert True\n    assert candidate(1) == 1\n    assert candidate(2) == 2\n"}}
	r = judgeCode(t, j, task, burn+"def f(x):\n    burn(9)\n    return 0\n")
	if want := "passed time_limit time_limit"; statuses(r) != want || r.Allowed.Near {
		t.Errorf("a case without a call: %s [%s] within %+v, want [%s]", r.Verdict, statuses(r), r.Allowed, want)
	}
}

// On a slow or busy machine a sample that reaches its limit has longer, but for a limit that
// its task names.
func TestLimitFitsTheMachine(t *testing.T) {
	t.Parallel()
	j := ownJudge(t).hurry()
	j.pace = func(context.Context) float64 { return 1.5 }
	task := callsTask(t, "f", `{"args":[1],"expected":1}`)
	slow := burn + "def f(x):\n    burn(0.6)\n    return x\n"
	if r := judgeCode(t, j, task, slow); r.Verdict != verdicts.Accepted || r.Allowed.CPUSeconds != 0.75 || r.Allowed.Slowness != 1.5 || !r.Allowed.Near {
		t.Errorf("%s within %+v", r.Verdict, r.Allowed)
	}
	task.Limits.CPUSeconds = 0.3
	if r := judgeCode(t, j, task, slow); r.Verdict != verdicts.TimeLimit || r.Allowed.CPUSeconds != 0.3 || r.Allowed.Slowness != 1.5 || !r.Allowed.Near {
		t.Errorf("with a limit of its own: %s within %+v", r.Verdict, r.Allowed)
	}
}

// A sample that is judged alone has twice the limit, unless its task names it.
func TestAlone(t *testing.T) {
	t.Parallel()
	j := ownJudge(t).hurry()
	slow := burn + "def f(x):\n    burn(0.6)\n    return x\n"
	endless := burn + "def f(x):\n    burn(30)\n    return x\n"
	task := callsTask(t, "f", `{"args":[1],"expected":1}`)
	alone := func(code string) verdicts.Result {
		t.Helper()
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: code, Assembly: assemble.Solution, Alone: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := alone(slow); r.Verdict != verdicts.Accepted || r.Allowed.CPUSeconds != 1 || !r.Allowed.Alone || !r.Allowed.Near {
		t.Errorf("%s within %+v", r.Verdict, r.Allowed)
	}
	if r := alone(endless); r.Verdict != verdicts.TimeLimit || !r.Allowed.Alone || r.Allowed.Near {
		t.Errorf("%s within %+v", r.Verdict, r.Allowed)
	}
	j.pace = func(context.Context) float64 { return 1.5 }
	task.Limits.CPUSeconds = 0.3
	if r := alone(slow); r.Verdict != verdicts.TimeLimit || r.Allowed.CPUSeconds != 0.3 || r.Allowed.Slowness != 1.5 || !r.Allowed.Near {
		t.Errorf("with a limit of its own: %s within %+v", r.Verdict, r.Allowed)
	}
}

// While a sample is judged alone no other is judged, and it waits until none is.
func TestAloneWaitsForTheOthers(t *testing.T) {
	t.Parallel()
	j := &Judge{growth: newGrowth(3), alone: make(chan struct{}, 1), workers: make(chan *checker, 3), memory: newMemory()}
	for range 3 {
		j.workers <- nil
	}
	others := make([]*checker, j.Workers())
	for i := range others {
		others[i] = <-j.workers
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := j.takeOthers(stopped); err == nil {
		t.Fatal("it did not wait for samples that are judged")
	}
	for _, c := range others {
		j.workers <- c
	}
	end, err := j.takeOthers(t.Context())
	if err != nil || len(j.workers) != 1 {
		t.Fatalf("%d workers are free (%v)", len(j.workers), err)
	}
	if _, err := j.takeOthers(stopped); err == nil {
		t.Error("two samples are alone")
	}
	if end(); len(j.workers) != j.Workers() {
		t.Errorf("%d of %d workers are free afterwards", len(j.workers), j.Workers())
	}
}

// The fixed program is timed by what it computes, in a box like that of a sample.
func TestYardstick(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	took, err := j.timeYardstick(t.Context())
	if err != nil || took < yardstickUsual/20 || took > 50*yardstickUsual {
		t.Errorf("%v, %v", took, err)
	}
	t.Logf("%v, %v times the usual", took, j.slowness(t.Context()))
}

// With VerdictOnly no case is run after one that failed, in any kind of process.
func TestVerdictOnly(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	cases := callsTask(t, "f", `{"args":[0],"expected":0}`, `{"args":[1],"expected":1}`, `{"args":[2],"expected":2}`)
	slow := "from time import process_time\ndef f(x):\n    end = process_time() + 0.2\n    while process_time() < end: pass\n    return 7 if x == 1 else x\n" // not in one message
	asserts := &benchmark.Task{ID: "t/2", Language: "python", EntryPoint: "f",
		Tests: benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{"assert f(0) == 0", "assert f(1) == 1", "assert f(2) == 2"}, InProcess: true}}
	for name, task := range map[string]*benchmark.Task{"calls": cases, "in process": asserts} {
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: slow, Assembly: assemble.Solution, VerdictOnly: true})
		if want := "passed wrong_answer not_run"; err != nil || statuses(r) != want || r.Verdict != verdicts.WrongAnswer {
			t.Errorf("%s: %s [%s], want [%s]: %v", name, r.Verdict, statuses(r), want, err)
		}
	}
}
