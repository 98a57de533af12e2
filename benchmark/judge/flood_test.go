package judge

import (
	"runtime"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestFloodsTakeNoMemory: a sample that writes the largest messages it may, of as many parts
// as they hold, makes the process that judges it hold some times their size, and gets a
// verdict. Memory is counted as it is asked for, whether it is given back or not.
func TestFloodsTakeNoMemory(t *testing.T) {
	j, err := New(Options{Box: newJudge(t).box, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	isolated := checkTask("", "f", returnsOne)
	inProcess := checkTask("", "f", returnsOne)
	inProcess.Tests.InProcess = true
	const full = "fill = lambda head, part, tail, most=16 << 20: frame(head + part * ((most - 200) // len(part)) + tail)\n"
	for _, tt := range []struct {
		name string
		task *benchmark.Task
		code string
	}{
		{"answers", isolated, `fill(b'{"k":"batch","answers":[', b'{},', b'{}]}')`},
		{"answers of a batch", isolated, `fill(b'{"k":"batch","answers":[', b'{},', b'{}]}', 4 << 20)`},
		{"answers within answers", isolated, `fill(b'{"k":"batch","answers":[{"answers":[', b'{},', b'{}]}]}')`},
		{"nested answers", isolated, `frame(b'{"k":"batch","answers":' + b'[{"answers":' * 4000 + b'[]' + b'}]' * 4000 + b'}')`},
		{"bases of a class", isolated, `fill(b'{"k":"load","names":[', b'"",', b'""]}')`},
		{"bases of an exception", isolated, `fill(b'{"k":"batch","answers":[{"k":"raise","names":[', b'"",', b'""]}]}', 4 << 20)`},
		{"the text of an exception", isolated, `fill(b'{"k":"batch","answers":[{"k":"raise","text":"', b'<', b'"}]}', 4 << 20)`},
		{"the value of a batch", isolated, `fill(b'{"k":"batch","answers":[{"k":"value","v":[', b'[],', b'0]}]}', 4 << 20)`},
		{"a text that grows when it is escaped", isolated, `fill(b'{"k":"load","text":"', b'<', b'"}')`},
		{"a value", isolated, `frame(b'{"k":"loaded"}'); fill(b'{"k":"value","id":1,"v":[', b'[],', b'0]}')`},
		{"cases", inProcess, `frame(b'{"k":"loaded"}'); fill(b'{"k":"done","cases":[', b'{},', b'{}]}')`},
		{"a case", inProcess, `frame(b'{"k":"loaded"}'); fill(b'{"k":"done","cases":[{"index":1,"status":"wrong_answer","got":"', b'<', b'"}]}')`},
		{"other keys", inProcess, `fill(b'{"k":"loaded","x":[', b'{"a":[]},', b'0]}')`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := judgeCode(t, j, tt.task, writes()+full+tt.code+"\ndef f(): return 2\n")
			runtime.ReadMemStats(&after)
			took := (after.TotalAlloc - before.TotalAlloc) >> 20
			if r.Verdict != verdicts.RuntimeError && r.Verdict != verdicts.WrongAnswer && r.Verdict != verdicts.OutputLimit && r.Verdict != verdicts.MemoryLimit {
				t.Errorf("%s %q", r.Verdict, r.Message)
			}
			if size := len(r.Message) + len(strings.Join([]string{r.Cases[0].Got, r.Cases[0].Message}, "")); size > 64<<10 {
				t.Errorf("the result has %d bytes", size)
			}
			if t.Logf("%s: %d MB", r.Verdict, took); took > 200 {
				t.Errorf("a message of 16 MB took %d MB", took)
			}
		})
	}
}
