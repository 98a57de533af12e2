package judge_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// shared finds the folder with the recorded samples, or skips.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "samples", "EXPECTED.tsv")); err != nil {
		t.Skipf("the recorded samples are not here (%v): set ASSAY_SHARED to their folder", err)
	}
	return dir
}

// shortList is judged by default, to keep the run short; ASSAY_TESTS=all judges every file. A batch of
// cmd/cli judges two further ones (TestRecordedModelsInOneBatch).
var shortList = map[string]bool{
	"gpt4_oneshot_humaneval.jsonl":                                      true,
	"togethercomputer_RedPajama-INCITE-Instruct-3B-v1_Q_A_MEDIUM.jsonl": true,
}

// rejectedOnPurpose are samples that openai/human-eval accepts and assay does
// not. There is one kind: the test of HumanEval/38 checks decode_cyclic against
// the prompt's own encode_cyclic, and the sample redefines that helper as the
// identity. In one process the test then uses the sample's helper and proves
// nothing; the checker uses the prompt's.
var rejectedOnPurpose = map[string]string{
	"Aeala_VicUnlocked-alpaca-65b-4bit_ALPACA_MD_RECALC.jsonl": "HumanEval/38",
}

// TestExpectedVerdicts compares the number of accepted samples with that of
// openai/human-eval's own execution (samples/EXPECTED.tsv).
func TestExpectedVerdicts(t *testing.T) {
	t.Parallel()
	dir := shared(t)
	b, _, err := format.LoadAs(filepath.Join(dir, "datasets", "HumanEval.jsonl.gz"), "")
	if err != nil {
		t.Fatal(err)
	}
	j, err := judge.Shared()
	if err != nil {
		t.Skip(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "samples", "EXPECTED.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if !sampled.All {
		for i := range b.Tasks {
			b.Tasks[i].Limits.CPUSeconds = 1 // what is accepted needs less, and what never ends takes all of it
		}
	}
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if len(row) != 3 || row[0] == "file" || !sampled.All && !shortList[row[0]] {
			continue
		}
		t.Run(strings.TrimSuffix(row[0], ".jsonl"), func(t *testing.T) {
			path := filepath.Join(dir, "samples", row[0])
			if _, err := os.Stat(path); err != nil {
				path = filepath.Join(dir, "samples", "models", row[0])
			}
			accepted, total := judgeFile(t, j, b, path)
			if id := rejectedOnPurpose[row[0]]; id != "" {
				if slices.Contains(accepted, id) {
					t.Errorf("%s was accepted, although it redefines the helper of its test", id)
				}
				accepted = append(accepted, id)
			}
			if strconv.Itoa(total) != row[1] || strconv.Itoa(len(accepted)) != row[2] {
				t.Errorf("%d of %d accepted, want %s of %s", len(accepted), total, row[2], row[1])
			}
			if out := os.Getenv("ASSAY_ACCEPTED_DIR"); out != "" {
				sort.Strings(accepted)
				os.WriteFile(filepath.Join(out, row[0]), []byte(strings.Join(accepted, "\n")+"\n"), 0o644)
			}
		})
	}
}

func judgeFile(t *testing.T, j *judge.Judge, b *benchmark.Benchmark, path string) (accepted []string, total int) {
	t.Helper()
	samples, err := format.OpenSamples(path)
	if err != nil {
		t.Fatal(err)
	}
	defer samples.Close()
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, j.Workers())
	for {
		s, err := samples.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		task, err := b.Task(s.TaskID)
		if err != nil {
			t.Fatal(err)
		}
		total++
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: s.Text, Assembly: s.Kind.Assembly()})
			if err != nil {
				t.Error(err)
			}
			if r.Verdict == verdicts.SandboxError || r.Verdict == verdicts.NotJudged {
				t.Errorf("%s: %s %s", s.TaskID, r.Verdict, r.Message)
			}
			mu.Lock()
			defer mu.Unlock()
			if r.Verdict == verdicts.Accepted {
				accepted = append(accepted, s.TaskID)
			}
		})
	}
	wg.Wait()
	return accepted, total
}
