package batch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/irt/adaptive"
)

// adaptiveRun is an adaptive evaluation over forty tasks, whose samples are right on the easier ones.
func adaptiveRun(t *testing.T) (Options, Adaptive) {
	t.Helper()
	var ids, list []string
	a := Adaptive{Items: &adaptive.File{Name: "made"}, Rules: adaptive.Rules{Least: 3, Most: 20, SE: 0.5, Among: 2, Exposure: 1}, Seed: 5}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		id := fmt.Sprintf("t%02d", i)
		ids = append(ids, id)
		a.Items.Items = append(a.Items.Items, adaptive.Item{ID: id, Slope: 1.5, Intercept: 3 - 0.15*float64(i), SlopeSE: 0.2, InterceptSE: 0.3})
		for range 2 {
			verdict := "wrong_answer 0/1"
			if random.Float64() < 1-float64(i)/40 {
				verdict = "accepted 1/1"
			}
			list = append(list, id+" "+verdict)
		}
	}
	a.Items.Items = a.Items.Items[1:] // t00 has no item
	return Options{Samples: samples(t, list...), Benchmark: tasks(ids...), Out: t.TempDir(), Judge: &fakeJudge{}}, a
}

// An evaluation that is interrupted at any choice, or whose last line was cut, ends as one that is not: with the
// same choices and estimates, and no sample judged twice.
func TestAdaptiveGoesOn(t *testing.T) {
	o, a := adaptiveRun(t)
	want, err := EvalAdaptive(t.Context(), o, a)
	fatal.If(t, err)
	if want.End != adaptive.Precise || want.Tasks < 3 || want.Tasks > 19 || want.Samples != 2*want.Tasks || want.NoItem != 1 || want.Pool != 39 {
		t.Fatalf("%+v", want)
	}
	if iv := want.Total.Interval; !(iv.Low < want.Total.Score && want.Total.Score < iv.High) || want.Total.Items != 39 {
		t.Errorf("%+v", want.Total)
	}
	o, a = adaptiveRun(t)
	for range want.Tasks {
		ctx, cancel := context.WithCancel(t.Context())
		first := &fakeJudge{after: func(n int64) {
			if n == 3 {
				cancel()
			}
		}}
		o.Judge = first
		r, err := EvalAdaptive(ctx, o, a)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, ErrInterrupted) || r.End != "" {
			t.Fatalf("%+v, %v", r, err)
		}
		file := filepath.Join(o.Out, ChoicesName)
		text, err := os.ReadFile(file)
		fatal.If(t, err)
		fatal.If(t, os.WriteFile(file, append(text, `{"n":`...), 0o644))
	}
	second := &fakeJudge{}
	o.Judge = second
	got, err := EvalAdaptive(t.Context(), o, a)
	fatal.If(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	rows, err := ReadResults(o.Out)
	fatal.If(t, err)
	if len(rows) != want.Samples {
		t.Errorf("%d results of %d samples", len(rows), want.Samples)
	}
}

// What does not follow from the recorded choices is refused, with the reason.
func TestAdaptiveRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Options, *Adaptive)
		want   string
	}{
		{"another seed", func(_ *Options, a *Adaptive) { a.Seed++ }, "other items, rules, tasks or another seed"},
		{"other rules", func(_ *Options, a *Adaptive) { a.Rules.SE = 0.4 }, "other items, rules, tasks or another seed"},
		{"other items", func(_ *Options, a *Adaptive) { a.Items.Items[3].Slope = 3 }, "other items, rules, tasks or another seed"},
		{"no directory", func(o *Options, _ *Adaptive) { o.Out = "" }, "give a directory"},
		{"no item", func(_ *Options, a *Adaptive) { a.Items.Items = []adaptive.Item{{ID: "other", Slope: 1}} }, "in the file of items"},
		{"other choices", func(o *Options, _ *Adaptive) {
			file := filepath.Join(o.Out, ChoicesName)
			text, err := os.ReadFile(file)
			fatal.If(t, err)
			head, _, _ := strings.Cut(string(text), "\n")
			fatal.If(t, os.WriteFile(file, []byte(head+"\n"+`{"n":1,"task":"t02","item":1}`+"\n"), 0o644))
		}, "have changed"},
		{"no such task", func(o *Options, _ *Adaptive) {
			file := filepath.Join(o.Out, ChoicesName)
			text, err := os.ReadFile(file)
			fatal.If(t, err)
			head, _, _ := strings.Cut(string(text), "\n")
			fatal.If(t, os.WriteFile(file, []byte(head+"\n"+`{"n":1,"task":"x","item":90}`+"\n"), 0o644))
		}, "choices.jsonl:2: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, a := adaptiveRun(t)
			_, err := EvalAdaptive(t.Context(), o, a)
			fatal.If(t, err)
			c.change(&o, &a)
			if _, err = EvalAdaptive(t.Context(), o, a); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
