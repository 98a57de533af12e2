package study_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/session"
	"assay/session/report/sessions"
	"assay/session/simulate"
	"assay/session/study"
)

// tasks are twelve for two sets.
func tasks() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "made-up"}
	for i := range 12 {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("t%02d", i), Title: "T", Difficulty: benchmark.Difficulties[i%3]})
	}
	return b
}

// example is the study of `assay study init`, with six tasks in a set and without practice.
func example(t *testing.T, edits ...string) *study.Study {
	t.Helper()
	edits = append(edits, "per_set = 3", "per_set = 6", "practice = true", "practice = false")
	s, err := study.Parse("study.toml", strings.NewReplacer(edits...).Replace(study.Example()))
	fatal.If(t, err)
	return s
}

// studied is the report of a complete made-up study that follows its plan: sets 1.5 logits apart, and
// testers who improve by 0.4 from the first session to the second.
func studied(t *testing.T, s *study.Study, testers int, random *rand.Rand, name func(tester, part int) string) *sessions.Report {
	t.Helper()
	b := tasks()
	builder := sessions.NewBuilder(sessions.Options{})
	for tester := 1; tester <= testers; tester++ {
		ability := 0.3 + 0.7*random.NormFloat64()
		for part := range s.Assign(tester) {
			plan, _, err := s.Plan(b, "", tester, part+1, name(tester, part+1), session.Model{Name: s.Arms[s.Assign(tester)[part].Arm].Model})
			fatal.If(t, err)
			events, _, err := simulate.Session{
				ID: fmt.Sprintf("S%03d-%d", tester, part), Plan: plan, Seed: random.Uint64(), Wall: int64(tester*10+part) * 1_000_000,
				Effects: &simulate.Effects{Ability: ability + 0.4*float64(part), Sets: map[string]float64{"T1": -1.5}},
			}.Log()
			fatal.If(t, err)
			fatal.If(t, builder.Add(events))
		}
	}
	r, err := builder.Report()
	fatal.If(t, err)
	return r
}

func alone(tester, _ int) string { return fmt.Sprintf("p%d", tester) }

// TestCalibrateReportedArms: the report of the study of `assay study init` about two equal arms: biased by
// less than 0.05 attempts, and significant about five times in a hundred, or withheld.
func TestCalibrateReportedArms(t *testing.T) {
	s := example(t)
	for _, testers := range []int{3, 4, 5, 8} {
		var differences []float64
		setting := fmt.Sprintf("report of assay study init's study, %d testers, sets 1.5 logits apart", testers)
		calibrate.TypeI("difference of arms, attempts", setting, 12).Check(t, func(random *rand.Rand) calibrate.Outcome {
			r := studied(t, s, testers, random, alone)
			m := r.Arms.Pairs[0].Measures[1]
			if m.ID != "attempts" {
				t.Fatalf("%+v", m)
			}
			differences = append(differences, float64(m.Difference.Value))
			if m.Difference.Interval == nil {
				if !math.IsNaN(float64(m.P)) && (m.P <= 0.05 || !(m.Floor > 0.05)) {
					t.Errorf("%d testers: a test without an interval: %+v", testers, m)
				}
				return calibrate.Withheld
			}
			iv := m.Difference.Interval
			if (m.P <= 0.05) != (iv.Low > 0 || iv.High < 0) {
				t.Errorf("p = %v beside %+v", m.P, iv)
			}
			if m.P <= 0.05 {
				return calibrate.Hit
			}
			return calibrate.Miss
		})
		sum, squares, n := 0.0, 0.0, float64(len(differences))
		for _, d := range differences {
			sum, squares = sum+d, squares+d*d
		}
		if bias, se := sum/n, math.Sqrt(squares)/n; math.Abs(bias) > 0.05+4*se {
			t.Errorf("%d testers: equal arms differ by %.3f attempts", testers, bias)
		}
	}
}

// TestReportedDesign: the report states the comparison, its design and measures, and puts the declared
// outcome first.
func TestReportedDesign(t *testing.T) {
	r := studied(t, example(t), 12, rand.New(rand.NewPCG(1, 1)), alone)
	a := r.Arms
	if a.Analysis == nil || a.Analysis.Primary != "satisfied" || a.Family.Primary != 1 || a.Family.Size != 5 {
		t.Fatalf("%+v, %+v", a.Analysis, a.Family)
	}
	m := a.Pairs[0].Measures
	if !m[0].Primary || m[0].Corrected != m[0].P || m[1].Primary || m[1].Corrected < m[1].P {
		t.Errorf("%+v", m[:2])
	}
	if m[1].Testers != 12 || m[1].Tasks != 12 || m[1].Results != 144 || m[1].Effect == nil || m[1].General == nil || m[0].Effect != nil {
		t.Errorf("%+v", m[1])
	}
	if got := float64(m[1].First.Value - m[1].Second.Value); math.Abs(got-float64(m[1].Difference.Value)) > 1e-9 {
		t.Errorf("the means differ by %v, the difference is %v", got, m[1].Difference.Value)
	}
	// Half of the testers did T1 first: the order is not the set.
	o := r.Order[0]
	if !o.Adjust || len(o.Periods) != 2 || len(o.Sets) != 2 || !(o.Change.Value < 0) || !(o.Sets[1].Value > o.Sets[0].Value) {
		t.Errorf("%+v", o)
	}
}

// TestTooFewTestersSaySo: the report states what a test cannot detect.
func TestTooFewTestersSaySo(t *testing.T) {
	for testers, want := range map[int]string{2: "with 2 testers, set, period and arm cannot be told apart", 3: "with 3 testers, nothing is left to estimate the error from", 4: "1.0 degrees of freedom are too few"} {
		m := studied(t, example(t), testers, rand.New(rand.NewPCG(2, 2)), alone).Arms.Pairs[0].Measures[1]
		if m.Difference.Interval != nil || !strings.Contains(m.Difference.Method, want) {
			t.Errorf("%d testers: %+v", testers, m)
		}
		if testers == 4 && (m.Floor != 0.5 || !strings.Contains(m.Test, "with 4 testers p cannot be below 0.5")) {
			t.Errorf("%+v", m)
		}
	}
}

// TestSharedPlace: two pseudonyms in one place are two people, and named.
func TestSharedPlace(t *testing.T) {
	r := studied(t, example(t), 6, rand.New(rand.NewPCG(3, 3)), func(tester, part int) string {
		if tester == 2 && part == 2 {
			return "somebody else"
		}
		return alone(tester, part)
	})
	if r.Testers != 7 || len(r.Shared) != 1 || r.Shared[0].Tester != 2 || strings.Join(r.Shared[0].Names, ",") != "p2,somebody else" {
		t.Errorf("%d testers, %+v", r.Testers, r.Shared)
	}
	var page strings.Builder
	fatal.If(t, r.Document().Markdown(&page, false))
	if !strings.Contains(page.String(), "held by several pseudonyms: p2, somebody else") || !strings.Contains(page.String(), "2 testers with one session left out") {
		t.Error("the report does not name them")
	}
}
