package fleet

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"assay/benchmark/judge"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

func TestMain(m *testing.M) {
	sandbox.Reexec()
	role(m)
}

// Every machine that judges correctly passes its self-test.
func TestSelfTest(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("there is no bwrap here to judge samples with")
	}
	j, err := judge.New(judge.Options{})
	if err != nil {
		t.Skip("no sandbox here: ", err)
	}
	defer j.Close()
	n, err := selfTest(t.Context(), j, []string{"python", "bash"})
	if err != nil || n < 11 {
		t.Errorf("%d samples: %v", n, err)
	}
}

// A machine that accepts everything does not.
func TestSelfTestFails(t *testing.T) {
	_, err := selfTest(t.Context(), lenient{}, []string{"python"})
	if err == nil {
		t.Fatal("a judge that accepts everything passed")
	}
	for _, want := range []string{"7 of 9 samples", "a function without end is accepted, not time_limit", "a result that equals everything", "takes no work"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

type lenient struct{}

func (lenient) Workers() int { return 2 }

func (lenient) Judge(context.Context, verdicts.Submission) (verdicts.Result, error) {
	return verdicts.Result{Verdict: verdicts.Accepted}, nil
}
