package judge_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/judge"
)

// reflexionDifferences explains by task where a verdict differs from the recorded one.
var reflexionDifferences = map[string]string{}

// TestReflexion compares verdicts on recorded answers in Rust with the published ones. $ASSAY_REFLEXION has files of
// github.com/noahshinn/reflexion, programming_runs/root/*/*_rs.jsonl, with HumanEval and MBPP of MultiPL-E.
func TestReflexion(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("ASSAY_REFLEXION"), "*.jsonl"))
	if os.Getenv("ASSAY_REFLEXION") == "" || len(files) == 0 {
		t.Skip("ASSAY_REFLEXION does not name the directory of recorded answers in Rust")
	}
	j, err := judge.New(judge.Options{})
	if err != nil {
		t.Skip(err)
	}
	defer j.Close()
	if err := j.Ready(&benchmark.Task{Language: "rust", Tests: benchmark.Tests{Style: benchmark.Script}}); err != nil {
		t.Skip(err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var running sync.WaitGroup
		answers, agree, solved := 0, 0, 0
		slots := make(chan struct{}, j.Workers())
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 8<<20)
		for lines.Scan() {
			var answer struct {
				Name, Solution, Test string
				IsSolved             bool `json:"is_solved"`
			}
			if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
				t.Fatal(err)
			}
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots }()
				task := &benchmark.Task{ID: answer.Name, Language: "rust", Tests: benchmark.Tests{Style: benchmark.Script, Script: answer.Test}}
				r, err := j.Judge(t.Context(), judge.Submission{Task: task, Code: answer.Solution, Assembly: judge.Program})
				mu.Lock()
				defer mu.Unlock()
				answers++
				if answer.IsSolved {
					solved++
				}
				switch {
				case err != nil:
					t.Error(err)
				case (r.Verdict == judge.Accepted) == answer.IsSolved:
					agree++
				case reflexionDifferences[answer.Name] == "":
					t.Errorf("%s: %s is %s, recorded solved %v: %s", filepath.Base(path), answer.Name, r.Verdict, answer.IsSolved, strings.ReplaceAll(r.Message, "\n", " | "))
				}
			})
		}
		running.Wait()
		f.Close()
		t.Logf("%s: %d answers, %d solved as recorded, %d verdicts agree", filepath.Base(path), answers, solved, agree)
	}
}
