package format

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

// TestAbsent: a request that failed and an answer that is null are missing samples, and the others of the file are
// read.
func TestAbsent(t *testing.T) {
	const failed = "the request failed (APIConnectionError)"
	for _, tt := range []struct {
		name, text   string
		read, absent string
	}{
		{"null", `{"task_id":"a","completion":null}` + "\n" + `{"task_id":"b","completion":"x"}`, "b", "a its completion is null"},
		{"a null answer", `{"task_id":"a","answer":null}` + "\n" + `{"task_id":"b","answer":"x"}`, "b", "a its answer is null"},
		{"null beside a text", `{"task_id":"a","completion":null,"solution":"x"}`, "a", ""},
		{"an error", `{"task_id":"b","completion":"x","error":null}` + "\n" + `{"task_id":"a","error":"openai.APIConnectionError: Connection error."}`, "b", "a " + failed},
		{"an error as an object", `{"task_id":"a","completion":null,"error":{"type":"APIConnectionError","message":"m"}}`, "", "a " + failed},
		{"an error's message", `{"task_id":"a","completion":null,"error":{"message":"no credit left: 402"}}`, "", "a the request failed (no credit left: 402)"},
		{"an error and no text", `{"task_id":"a","completion":"","error":"APIConnectionError('x')"}`, "", "a " + failed},
		{"an error of a program", `{"task_id":"a","completion":"x","error":"AssertionError"}`, "a", ""},
		{"an empty solution", `{"task_id":"a","solution":""}`, "a", ""},
		{"in a list", `[{"question_id":"a","code_list":["x",null]}]`, "a", "a it is null"},
		{"in a list of completions", `{"name":"a","completions":[null,"x"]}`, "a", "a it is null"},
		{"a log of Inspect", `{"eval":{},"samples":[{"id":"a","epoch":1,"error":{"message":"APIConnectionError('Connection error.')"}},{"id":"b","epoch":1,"output":{"completion":"x"}}]}`, "b", "a " + failed},
		{"an error after the answer", `{"eval":{},"samples":[{"id":"a","epoch":1,"error":{"message":"ScoreError('x')"},"output":{"completion":"x"}}]}`, "a", ""},
		{"an answer whose content is null", `{"eval":{},"samples":[{"id":"a","epoch":1,"output":{"choices":[{"message":{"role":"assistant","content":null}}]}}]}`, "", "a its content is null"},
		{"an error of the model", `{"eval":{},"samples":[{"id":"a","epoch":1,"output":{"choices":[],"error":"APIConnectionError: x"}}]}`, "", "a " + failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := OpenSamples(write(t, "s", []byte(tt.text)))
			fatal.If(t, err)
			defer s.Close()
			var read, absent []string
			for {
				sample, err := s.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				fatal.If(t, err)
				read = append(read, sample.TaskID)
			}
			for _, a := range s.Absent() {
				absent = append(absent, a.TaskID+" "+a.Why)
			}
			if strings.Join(read, "|") != tt.read || strings.Join(absent, "|") != tt.absent {
				t.Errorf("read %q, absent %q; want %q, %q", read, absent, tt.read, tt.absent)
			}
		})
	}
}

// TestSpellings: a sample may refer to a task in every spelling that means one task only.
func TestSpellings(t *testing.T) {
	tasks := []benchmark.Task{{ID: "Mbpp/11"}, {ID: "Mbpp/2"}, {ID: "abc301_a"}, {ID: "Python/3"}, {ID: "Go/3"}, {ID: "x/y/5"}, {ID: "7"}}
	for _, tt := range []struct{ name, id, want string }{
		{"itself", `"Mbpp/11"`, "Mbpp/11"},
		{"a number", `11`, "Mbpp/11"},
		{"a number as text", `"11"`, "Mbpp/11"},
		{"in capitals", `"MBPP/11"`, "Mbpp/11"},
		{"with an underscore", `"mbpp_11"`, "Mbpp/11"},
		{"no number of a task", `111`, "111"},
		{"a number of two tasks", `3`, "3"},
		{"another benchmark", `"HumanEval/11"`, "HumanEval/11"},
		{"a number as id", `7`, "7"},
		{"letters and digits", `"abc301_a"`, "abc301_a"},
		{"the number within an id", `301`, "301"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := OpenSamplesAs(write(t, "s", fmt.Appendf(nil, `{"task_id":%s,"completion":"x"}`, tt.id)), "", &benchmark.Benchmark{Tasks: tasks})
			fatal.If(t, err)
			defer s.Close()
			if sample, err := s.Next(); err != nil || sample.TaskID != tt.want {
				t.Errorf("%q, %v; want %q", sample.TaskID, err, tt.want)
			}
		})
	}
}
