package judge_test

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// TestConformance compares our verdicts with those of every published file of results below $CONFORMANCE, as other
// harnesses and their users publish them: HumanEval's and HumanEval-X's, EvalPlus's, MultiPL-E's, LiveCodeBench's and
// Reflexion's. The tasks are in files beside them, or among the shared data sets. A file without verdicts needs a line
// in EXPECTED.tsv with the number of its samples and of those accepted.
func TestConformance(t *testing.T) {
	dir := os.Getenv("CONFORMANCE")
	if dir == "" {
		t.Skip("CONFORMANCE does not name the directory of published results")
	}
	j, err := judge.Shared()
	if err != nil {
		t.Skip(err)
	}
	files, known, own := publishedIn(t, dir), []*benchmark.Benchmark{}, map[string]*benchmark.Benchmark{}
	for _, path := range append(publishedIn(t, filepath.Join(shared(t), "datasets")), files...) {
		if b, _, err := format.LoadAs(path, ""); err == nil {
			known, own[path] = append(known, b), b
		}
	}
	expected, reasons := table(t, filepath.Join(dir, "EXPECTED.tsv")), table(t, "testdata/conformance.tsv")
	for _, path := range files {
		from := known
		if b := own[path]; b != nil { // a log that has the tasks, too
			from = []*benchmark.Benchmark{b}
		}
		samples := publishedSamples(path, from)
		want := expected[filepath.Base(path)]
		if len(samples) == 0 || samples[0].Passed == nil && want == nil {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			conform(t, j, samples, want, reasons)
		})
	}
}

// publishedIn lists the files below a directory. A folder of MultiPL-E's results counts as one.
func publishedIn(t *testing.T, dir string) (paths []string) {
	t.Helper()
	fatal.If(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			paths = append(paths, path)
			return err
		}
		if results, _ := filepath.Glob(filepath.Join(path, "*.results.json*")); len(results) > 0 {
			paths = append(paths, path)
			return fs.SkipDir
		}
		return nil
	}))
	return paths
}

// table reads lines of fields separated by tabs, by the first field. There need not be a file.
func table(t *testing.T, path string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		fatal.If(t, err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		rows[fields[0]] = fields[1:]
	}
	return rows
}

// elsewhere matches what a published result says of the machine that it was made on: it had no package, an old
// Python, or no time.
var elsewhere = regexp.MustCompile(`no required module provides package [\w./-]+|'type' object is not subscriptable|"result": ?"timed out"`)

// publishedSample is a sample with its task.
type publishedSample struct {
	format.Sample
	task *benchmark.Task
}

// publishedSamples reads the samples of a file with those of the known tasks to which most of them refer.
func publishedSamples(path string, known []*benchmark.Benchmark) (best []publishedSample) {
	for _, b := range known {
		s, err := format.OpenSamplesAs(path, "", b)
		if err != nil {
			return nil
		}
		var found []publishedSample
		for sample, err := s.Next(); err == nil; sample, err = s.Next() {
			if task, err := b.Task(sample.TaskID); err == nil {
				found = append(found, publishedSample{sample, task})
			}
		}
		s.Close()
		if len(found) > len(best) {
			if best = found; s.Format() == format.LiveCodeBenchSamples {
				if format.LiveCodeBenchRules.Apply(b) != nil {
					return nil
				}
			}
		}
	}
	return best
}

// conform judges the samples of a file and tells which verdicts differ, and why.
func conform(t *testing.T, j *judge.Judge, samples []publishedSample, expected []string, reasons map[string][]string) {
	results := make([]verdicts.Result, len(samples))
	var running sync.WaitGroup
	slots := make(chan struct{}, j.Workers())
	for i, s := range samples {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: s.task, Code: s.Text, Assembly: s.Kind.Assembly(), VerdictOnly: true})
			if err != nil {
				t.Error(err)
			}
			results[i] = r
		})
	}
	running.Wait()
	accepted, agree, unjudged, unexplained := 0, 0, 0, 0
	var differ strings.Builder
	for i, s := range samples {
		r := results[i]
		if r.Verdict == verdicts.Accepted {
			accepted++
		}
		switch {
		case s.Passed == nil:
		case r.Verdict == verdicts.NotJudged:
			unjudged++
			fmt.Fprintf(&differ, "\n  %s is not judged: %s", s.TaskID, r.Message)
		case *s.Passed == (r.Verdict == verdicts.Accepted):
			agree++
		default:
			key := fmt.Sprintf("%.4x", sha256.Sum256([]byte(s.Text)))
			why := cmp.Or(elsewhere.FindString(s.Object), strings.Join(reasons[key], ": "))
			if why == "" {
				why = "unexplained: " + cmp.Or(r.Message, r.Why())
				unexplained++
			}
			fmt.Fprintf(&differ, "\n  %s (%s), published as passed %v, is %s here: %s", s.TaskID, key, *s.Passed, r.Verdict, strings.ReplaceAll(why, "\n", " | "))
		}
	}
	if samples[0].Passed == nil {
		if got := []string{strconv.Itoa(len(samples)), strconv.Itoa(accepted)}; !slices.Equal(got, expected) {
			t.Errorf("%s samples of which %s are accepted, published were %s and %s", got[0], got[1], expected[0], expected[1])
		}
		t.Logf("%d of %d accepted", accepted, len(samples))
		return
	}
	t.Logf("%d verdicts: %d agree, %d differ, %d of them unexplained, %d are not judged%s", len(samples), agree, len(samples)-agree-unjudged, unexplained, unjudged, differ.String())
	if unexplained > 0 {
		t.Fail()
	}
}
