package judge_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// mutations make a wrong program of a right one, most of the time: one that does not compile,
// that computes something else, that fails, or that ends early.
var mutations = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`(?m)\breturn\b`), "retrun"},
	{regexp.MustCompile(`<=?`), ">"},
	{regexp.MustCompile(`\b[01]\b`), "2"},
	{regexp.MustCompile(`\+`), "-"},
}

// every is ASSAY_EVERY, of how many tasks one is taken, or a default.
func every(step int) int {
	if n, err := strconv.Atoi(os.Getenv("ASSAY_EVERY")); err == nil && n > 0 {
		return n
	}
	return step
}

// mutant changes the first place in the reference's own part that a mutation finds.
func mutant(task *benchmark.Task, number int) string {
	m := mutations[number%len(mutations)]
	body := strings.TrimPrefix(task.Reference, task.Prompt)
	at := m.pattern.FindStringIndex(body)
	if at == nil {
		return task.Prompt + strings.Replace(body, ";", "", 1)
	}
	return task.Prompt + body[:at[0]] + m.by + body[at[1]:]
}

// TestSameVerdicts judges HumanEval-X's references and a mutant of each as fast as the judge
// can, and again by the plain commands in boxes of their own: with ASSAY_TESTS=all, all.
func TestSameVerdicts(t *testing.T) {
	t.Parallel()
	dir := shared(t)
	fast, err := judge.New(judge.Options{Workers: 2})
	if err != nil {
		t.Skip(err)
	}
	defer fast.Close()
	box, err := sandbox.NewBubblewrap()
	if err != nil {
		t.Skip(err)
	}
	defer box.Close()
	plain, err := judge.New(judge.Options{Workers: 2, Box: box})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	step := every(120)
	if sampled.All {
		step = 1
	}
	for _, language := range []string{"js", "java", "cpp", "go"} {
		t.Run(language, func(t *testing.T) {
			sampled.Row(t, 2)
			b, _, err := format.LoadAs(filepath.Join(dir, "datasets", "humanevalx_"+language+".jsonl.gz"), "")
			if err != nil {
				t.Fatal(err)
			}
			if err := plain.WithoutShortcuts(&b.Tasks[0]); err != nil {
				t.Skip(err)
			}
			var mu sync.Mutex
			counts := map[verdicts.Verdict]int{}
			var tasks []*benchmark.Task
			for i := 0; i < len(b.Tasks); i += step {
				if b.Tasks[i].ID != "Go/95" { // its reference is right by chance
					tasks = append(tasks, &b.Tasks[i])
				}
			}
			twoAtATime(2*len(tasks), func(i int) {
				task := tasks[i/2]
				code := task.Reference
				if i%2 == 1 {
					code = mutant(task, i/2)
				}
				s := verdicts.Submission{Task: task, Code: code, Assembly: assemble.Program}
				got, err := fast.Judge(t.Context(), s)
				if err != nil {
					t.Error(err)
					return
				}
				want, err := plain.Judge(t.Context(), s)
				if err != nil {
					t.Error(err)
					return
				}
				if want.Verdict == verdicts.TimeLimit { // the limit depends on how fast the machine is then
					got.Message = want.Message
				}
				if got.Verdict != want.Verdict || got.Passed != want.Passed || got.Message != want.Message {
					t.Errorf("%s %d: %s %d %q, and by the plain commands %s %d %q\n%s", task.ID, i%2,
						got.Verdict, got.Passed, got.Message, want.Verdict, want.Passed, want.Message, code)
				}
				if i%2 == 0 && want.Verdict != verdicts.Accepted && !slices.ContainsFunc(datasets, func(d dataset) bool { return d.except[task.ID] != "" }) {
					t.Errorf("the reference of %s: %s %s", task.ID, want.Verdict, want.Message)
				}
				mu.Lock()
				defer mu.Unlock()
				counts[want.Verdict]++
			})
			t.Log(counts)
			if counts[verdicts.Accepted] == 0 || len(counts) < 2 {
				t.Errorf("the samples tell nothing: %v", counts)
			}
		})
	}
}
