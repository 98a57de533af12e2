package judge_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// dataset is a published set of tasks.
type dataset struct {
	file   string
	tasks  int
	step   int // by default, to keep the run short, only each so many; 0: none, since TestSameVerdicts judges some
	except map[string]string
}

// datasets are judged with their own reference solutions, all of which must be accepted but for those whose
// failure is the dataset's doing.
var datasets = []dataset{
	{"HumanEval.jsonl.gz", 164, 40, nil},
	{"codet_mbpp_sanitized.jsonl", 427, 60, nil},
	{"evalplus_MbppPlus_20231114.jsonl.gz", 420, 200, map[string]string{
		"Mbpp/255": "the combinations that it wants of one input fill the memory of the tests",
		"Mbpp/599": "its reference loops over numbers so large that the tests' time is used up",
	}},
	{"leetcode_v0.3.1_test.jsonl.gz", 228, 40, map[string]string{
		"find-x-sum-of-all-k-long-subarrays-i":               needsSortedList,
		"find-x-sum-of-all-k-long-subarrays-ii":              needsSortedList,
		"zero-array-transformation-iii":                      needsSortedList,
		"minimum-operations-to-make-subarray-elements-equal": needsSortedList,
		"maximize-profit-from-task-assignment":               needsSortedList,
		"longest-common-prefix-of-k-strings-after-removal":   needsSortedList,
	}},
	{"humanevalx_python.jsonl.gz", 164, 40, nil},
	{"humanevalx_js.jsonl.gz", 164, 40, map[string]string{
		"JavaScript/112": "its solution returns (z, true), which is true in JavaScript, where a pair was meant",
		"JavaScript/155": "its solution returns [0, 0] for 0, and its test wants [1, 0]",
		"JavaScript/162": "its solution needs the package js-md5, which is not part of Node",
	}},
	{"humanevalx_go.jsonl.gz", 164, 0, map[string]string{
		"Go/95": sometimes + "its solution stops at the second key of a map, and Go walks maps in a new order each time",
	}},
	{"humanevalx_cpp.jsonl.gz", 164, 0, map[string]string{
		"CPP/22":  sometimes + "its solution needs Boost, which is not part of C++",
		"CPP/137": sometimes + "its solution needs Boost, which is not part of C++",
	}},
	{"humanevalx_java.jsonl.gz", 164, 0, nil},
}

// sometimes marks references that are accepted in one run or on one machine and not
// in the next.
const sometimes = "sometimes: "

const needsSortedList = "its solution needs the package sortedcontainers, which is not part of Python"

// TestReferences judges every reference solution with ASSAY_TESTS=all.
func TestReferences(t *testing.T) {
	t.Parallel()
	dir := shared(t)
	j, err := judge.Shared()
	if err != nil {
		t.Skip(err)
	}
	for _, d := range datasets {
		t.Run(d.file, func(t *testing.T) {
			sampled.Row(t, 6)
			b, _, err := format.LoadAs(filepath.Join(dir, "datasets", d.file), "")
			if os.IsNotExist(err) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Tasks) != d.tasks {
				t.Errorf("%d tasks, want %d", len(b.Tasks), d.tasks)
			}
			if err := j.Ready(&b.Tasks[0]); err != nil {
				t.Skip(err)
			}
			step := d.step
			if sampled.All {
				step = 1
			}
			if step == 0 {
				return
			}
			judgeReferences(t, j, b, step, d.except)
		})
	}
}

func judgeReferences(t *testing.T, j *judge.Judge, b *benchmark.Benchmark, step int, except map[string]string) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, j.Workers())
	for i := 0; i < len(b.Tasks); i += step {
		task := &b.Tasks[i]
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: task.Reference, Assembly: assemble.Program})
			if err != nil {
				t.Error(err)
				return
			}
			why, excepted := except[task.ID]
			switch {
			case strings.HasPrefix(why, sometimes):
			case excepted && r.Verdict == verdicts.Accepted:
				t.Errorf("%s is accepted, although %s", task.ID, why)
			case !excepted && r.Verdict != verdicts.Accepted:
				t.Errorf("%s: %s %d/%d %s", task.ID, r.Verdict, r.Passed, r.Total, r.Message)
			case !excepted && r.Isolation == "in_process" && !task.Tests.InProcess && task.Tests.Style != benchmark.Script:
				t.Errorf("%s: its reference is right in one process with its tests, and not apart from them", task.ID)
			case task.Language == "python" && (task.Tests.Style == benchmark.Check || task.Tests.Style == benchmark.Asserts):
				one := *task
				one.Tests.InProcess = true
				if o, err := j.Judge(t.Context(), verdicts.Submission{Task: &one, Code: task.Reference, Assembly: assemble.Program}); err != nil || o.Verdict != r.Verdict {
					t.Errorf("%s: %s, and in one process with its tests %s %s (%v)", task.ID, r.Verdict, o.Verdict, o.Message, err)
				}
			}
		})
	}
	wg.Wait()
}

// published loads tasks in another tool's format, and makes a judge for them.
func published(t *testing.T, file string) (*benchmark.Benchmark, *judge.Judge) {
	t.Helper()
	b, _, err := format.LoadAs(filepath.Join("..", "format", "testdata", file), "")
	if err != nil {
		t.Fatal(err)
	}
	j, err := judge.Shared()
	if err != nil {
		t.Skip(err)
	}
	return b, j
}
