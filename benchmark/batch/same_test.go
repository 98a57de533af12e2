package batch

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
)

// TestOneEvaluationInADirectory: after any evaluations into one directory, its results are those of the samples that
// the last one counted. One that would drop most of them is refused, and changes nothing.
func TestOneEvaluationInADirectory(t *testing.T) {
	rounds := 60
	if n, err := strconv.Atoi(os.Getenv("ASSAY_SEQUENCES")); err == nil {
		rounds = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	names := []string{"a", "b", "c", "d"}
	refused, dropped := 0, 0
	for range rounds {
		out, before, all := t.TempDir(), []Row(nil), []string(nil)
		for range 4 {
			switch random.IntN(4) { // another file, or the last one with lines added, left out or changed
			case 0:
				all = nil
				fallthrough
			case 1:
				for range 1 + random.IntN(8) {
					all = append(all, fmt.Sprintf("%s accepted 1/1 %d", names[random.IntN(4)], random.IntN(3)))
				}
			case 2:
				if len(all) > 1 {
					all = slices.Delete(slices.Clone(all), 0, 1)
				}
			case 3:
				if len(all) > 0 {
					all = slices.Clone(all)
					all[random.IntN(len(all))] = "a wrong_answer 0/1 " + strconv.Itoa(random.IntN(100))
				}
			}
			if len(all) == 0 {
				continue
			}
			said := 0
			o := Options{Samples: samples(t, all...), Benchmark: tasks(names...), Out: out, Judge: &fakeJudge{}, Say: func(string) { said++ }, Replace: random.IntN(4) == 0}
			if random.IntN(5) == 0 {
				o.Benchmark.Tasks[0].Description += "changed"
			}
			s, err := Eval(t.Context(), o)
			rows, readErr := ReadResults(out)
			if err != nil {
				if refused++; o.Replace || readErr != nil || !reflect.DeepEqual(rows, before) || !strings.Contains(err.Error(), "drop them with --replace") {
					t.Fatalf("%v, %v", err, readErr)
				}
				break
			}
			dropped += said
			kept := Summarize(rows, o.Benchmark, nil)
			if readErr != nil || len(rows) != s.Samples || s.Samples != len(all) || !maps.Equal(kept.Verdicts, s.Verdicts) || s.Reused > len(before) {
				t.Fatalf("%d samples, %d counted %v, and the directory has %d %v: %v", len(all), s.Samples, s.Verdicts, len(rows), kept.Verdicts, readErr)
			}
			before = rows
		}
	}
	if refused == 0 || dropped == 0 {
		t.Errorf("%d evaluations were refused, and %d dropped results", refused, dropped)
	}
}

// Results of an adaptive evaluation and of a whole one are not in one directory, unless the later replaces the earlier.
func TestAdaptiveAndWholeEvaluationsApart(t *testing.T) {
	o, a := adaptiveRun(t)
	whole := func(o Options) error { _, err := Eval(t.Context(), o); return err }
	chosen := func(o Options) error { _, err := EvalAdaptive(t.Context(), o, a); return err }
	for name, both := range map[string][2]func(Options) error{"adaptive last": {whole, chosen}, "whole last": {chosen, whole}} {
		o.Out, o.Replace = t.TempDir(), false
		fatal.If(t, both[0](o))
		before, err := ReadResults(o.Out)
		fatal.If(t, err)
		if err := both[1](o); err == nil || !strings.Contains(err.Error(), "drop it with --replace") {
			t.Errorf("%s: %v", name, err)
		}
		after, err := ReadResults(o.Out)
		if err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s: a refused evaluation changed results: %v", name, err)
		}
		o.Replace = true
		fatal.If(t, both[1](o))
		alone := o
		alone.Out = t.TempDir()
		fatal.If(t, both[1](alone))
		got, _ := ReadResults(o.Out)
		if want, err := ReadResults(alone.Out); err != nil || len(got) != len(want) {
			t.Errorf("%s: %d results after a replacement, want %d: %v", name, len(got), len(want), err)
		}
	}
}
