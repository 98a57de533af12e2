package sessions

import (
	"math"
	"strings"
	"testing"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report/figure"
	"assay/session/report/reporttest"
)

// sideBySide are three people and a program on the same tasks.
func sideBySide() reporttest.Study {
	return reporttest.Study{Tasks: 12, K: 3, Testers: []string{"a", "b", "c", "d"}, Models: []string{"m"},
		Feedback: []session.Feedback{"", "", "", session.FeedbackFirst}, Seed: 5}
}

// People and a program are compared task by task, over people; nothing pools them.
func TestPeopleAgainstProgram(t *testing.T) {
	r := reported(t, sideBySide(), 4)
	if r.Pooled || r.Tries.Mean.N != 0 || r.Automatic != 1 || r.Testers != 4 || len(r.Ratings.Attributes) != 8 || r.Ratings.Total.Mean.N != 0 {
		t.Errorf("pooled %v, %d tasks in common numbers, %d automatic of %d testers", r.Pooled, r.Tries.Mean.N, r.Automatic, r.Testers)
	}
	own, people := map[string]float64{}, map[int]map[string]float64{}
	for i := range r.logs {
		f := &r.logs[i]
		for _, x := range f.results() {
			if f.header.automatic() {
				own[x.ID] = float64(x.counted)
				continue
			}
			if people[f.tester] == nil {
				people[f.tester] = map[string]float64{}
			}
			people[f.tester][x.ID] = float64(x.counted)
		}
	}
	var means []float64
	for _, tasks := range people {
		var d []float64
		for id, v := range tasks {
			d = append(d, own[id]-v)
		}
		means = append(means, stats.Mean(d))
	}
	p := r.Arms.Pairs[0]
	if len(r.Arms.Pairs) != 1 || !strings.HasPrefix(p.First, "a program (feedback first-failing): ") || !strings.HasPrefix(p.Second, "people: ") || !p.Paired || p.Tasks != 12 {
		t.Fatalf("the pairs are %+v", r.Arms.Pairs)
	}
	m := p.Measures[1]
	se := stats.SD(means) / math.Sqrt(3)
	low := stats.Mean(means) - stats.TQuantile(0.975, 2)*se
	if m.ID != "attempts" || math.Abs(float64(m.Difference.Value)-stats.Mean(means)) > 1e-12 || m.Difference.N != 3 ||
		m.Difference.Interval == nil || math.Abs(m.Difference.Interval.Low-low) > 1e-9 {
		t.Errorf("%+v, want %v from %v", m, stats.Mean(means), low)
	}
	for _, m := range p.Measures {
		if m.Measure == "total" {
			t.Error("totals are compared with those of a program, which rates nothing")
		}
	}
}

// The curves of both stand in one figure.
func TestCurvesSideBySide(t *testing.T) {
	r := reported(t, sideBySide(), 4)
	for _, m := range r.Marks() {
		if m.Name != "success-by-attempt-arms" {
			continue
		}
		s := m.Mark.(figure.Survival)
		if len(s.Groups) != 2 || len(s.Groups[0].Times) != 12 || len(s.Groups[1].Times) != 36 || s.Groups[0].Name != "1 a program (feedback first-failing): m" || s.Groups[1].Name != "2 people: m" {
			t.Errorf("the groups are %+v", s.Groups)
		}
		return
	}
	t.Error("there is no such figure")
}

// With too few people to speak of others, the interval is over tasks, and says so.
func TestOnePersonAgainstProgram(t *testing.T) {
	study := sideBySide()
	study.Feedback = []session.Feedback{"", session.FeedbackFirst}
	m := reported(t, study, 2).Arms.Pairs[0].Measures[1]
	if m.Difference.Interval == nil || m.Difference.N != 12 || !strings.Contains(m.Difference.Method, "this one person and this program") || m.Scope != scopeTasks {
		t.Errorf("%+v", m)
	}
}

// Whoever calls themself automatic is a human, and no one with the program.
func TestNamedAutomatic(t *testing.T) {
	study := sideBySide()
	study.Testers, study.Feedback = []string{session.AutomaticTester}, []session.Feedback{"", session.FeedbackFirst}
	r := reported(t, study, 2)
	if r.Testers != 2 || r.logs[0].tester == r.logs[1].tester {
		t.Errorf("%d testers", r.Testers)
	}
}

// Exports say who worked.
func TestExportedKinds(t *testing.T) {
	study := sideBySide()
	study.Feedback = []session.Feedback{"", session.FeedbackAll, session.FeedbackReflection}
	var got []string
	reflections := 0.0
	for _, table := range reported(t, study, 3).tables() {
		for row := range table.Named() {
			switch table.Name {
			case "sessions":
				got = append(got, row.Text("tester_kind")+" "+row.Text("feedback")+" "+row.Text("reveals_tests"))
				reflections += row.Number("reflections")
			case "attempts":
				if row.Text("reflection") != "" {
					reflections--
				}
			}
		}
	}
	if want := "human  ,automatic all-failing 1,automatic reflection 0"; strings.Join(got, ",") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if reflections != 0 {
		t.Errorf("%v reflections of the sessions are in no row of the attempts", reflections)
	}
}

// Studies whose sessions rate other things are refused; a program, which rates nothing,
// stands beside any of them.
func TestAlikeButForPrograms(t *testing.T) {
	logs, texts := logsOf(t, sideBySide(), 4)
	b := NewBuilder(Options{Texts: texts})
	for _, i := range []int{3, 0} { // the program's first
		if err := b.Add(logs[i]); err != nil {
			t.Fatal(err)
		}
	}
	r, err := b.Report()
	if err != nil || len(r.Ratings.Attributes) != 8 {
		t.Errorf("%v; %d attributes", err, len(r.Ratings.Attributes))
	}
}
