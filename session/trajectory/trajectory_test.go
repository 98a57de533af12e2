package trajectory_test

import (
	"reflect"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/trajectory"
)

func TestSteps(t *testing.T) {
	one := 1
	steps := []trajectory.Step{
		{Text: "a", InputTokens: 10, CachedTokens: 4, OutputTokens: 1, CostUSD: 0.5, Calls: []trajectory.Call{{Tool: "bash", Input: "ls", Output: "x\x1b[2J", Exit: &one}, {ID: "2", Tool: "read"}}},
		{Thinking: "b", InputTokens: 20, OutputTokens: 2, CostUSD: 0.25},
	}
	want := trajectory.Total{Steps: 2, ToolCalls: 2, InputTokens: 30, CachedTokens: 4, OutputTokens: 3, CostUSD: 0.75}
	if got := trajectory.Sum(steps); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	got, err := trajectory.Parse(trajectory.Text(steps))
	fatal.If(t, err)
	if !reflect.DeepEqual(got, steps) {
		t.Errorf("%+v, want %+v", got, steps)
	}
	if none, err := trajectory.Parse(trajectory.Text(nil)); none != nil || err != nil {
		t.Errorf("%v, %v", none, err)
	}
	for _, text := range []string{"{", `{"text":1}`, `[{"calls":[1]}]`} {
		if _, err := trajectory.Parse(text); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

func TestClip(t *testing.T) {
	if got := trajectory.Clip("a\xff"); got != "a\uFFFD" {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("é", 40_000)
	if got := trajectory.Clip("x" + long); !strings.HasSuffix(got, "é\n… 14465 more bytes") {
		t.Errorf("it ends with %q", got[len(got)-40:])
	}
}
