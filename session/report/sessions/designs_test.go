package sessions_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/report/reporttest"
	"assay/session/report/sessions"
	"assay/session/simulate"
	studies "assay/session/study"
)

// design is a study file in which keys that change a report's numbers were chosen.
type design struct {
	arms                  int
	dealt, order, preset  string
	testers, each, k      int
	points                int
	family, primary, more string
}

const checks = "\n[[attention]]\ntask = 2\ntext = \"Choose 2\"\nscore = 2\n[[survey]]\nid = \"e\"\ntext = \"Years?\"\nchoices = [\"less\", \"more\"]\n"

func (d design) file() string {
	text := fmt.Sprintf("name = \"drawn\"\nversion = 1\npreset = %q\n[tasks]\nbenchmark = \"b\"\nsets = %d\nper_set = %d\nstratify = [\"difficulty\"]\n", d.preset, d.arms, d.each)
	for i := range d.arms {
		text += fmt.Sprintf("[[arm]]\nname = \"arm%d\"\nmodel = \"model%d\"\n", i, i%3)
	}
	text += fmt.Sprintf("[design]\narms = %q\norder = %q\ntesters = %d\nseed = 1\n[analysis]\nprimary = %q\nfamily = %q\n[session]\nk = %d\n", d.dealt, d.order, d.testers, d.primary, d.family, d.k)
	return text + fmt.Sprintf("[scale]\npoints = %d\nlow = \"a\"\nhigh = \"b\"\n", d.points) + d.more
}

// drawn returns a random design.
func drawn(random *rand.Rand) design {
	of := func(values ...string) string { return values[random.IntN(len(values))] }
	return design{
		arms: 2 + 2*random.IntN(2), dealt: of("within", "between"), order: of("latin-square", "random", "fixed"), preset: of("open", "su"),
		testers: 1 + random.IntN(9), each: 1 + random.IntN(4), k: 1 + random.IntN(6), points: 3 + random.IntN(7),
		family: of("holm", "benjamini-hochberg"), primary: of("satisfied", "attempts", "time", "total", "tests"), more: of("", checks),
	}
}

// R computes the numbers of simulated studies again, whatever their design.
func TestDesignsInR(t *testing.T) {
	two := design{arms: 2, dealt: "within", order: "latin-square", preset: "open", testers: 8, each: 3, k: 10, points: 5, family: "benjamini-hochberg", primary: "time"}
	four, apart, pair := two, two, two
	four.arms, four.more = 4, checks
	apart.dealt = "between"
	pair.testers = 2 // whose sets cannot be told from the arms
	fixed := design{arms: 4, dealt: "within", order: "fixed", preset: "su", testers: 5, each: 2, k: 2, points: 5, family: "holm", primary: "satisfied"}
	designs := []design{four, apart, pair, fixed, drawn(rand.New(rand.NewPCG(1, 1)))}
	for i, d := range designs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			dir := t.TempDir()
			_, err := d.report(t).WriteDir(dir)
			fatal.If(t, err)
			if reporttest.Repeat(t, dir); t.Failed() {
				t.Log(d.file())
			}
		})
	}
}

// report simulates the study and returns its report.
func (d design) report(t *testing.T) *sessions.Report {
	t.Helper()
	b := &benchmark.Benchmark{Name: "b"}
	for i := range 20 {
		b.Tasks = append(b.Tasks, benchmark.Task{
			ID: fmt.Sprint("task", i), Title: fmt.Sprint("Task ", i), Description: fmt.Sprint("The ", i), EntryPoint: "f",
			Difficulty: benchmark.Difficulties[i%3], Type: fmt.Sprint("type", i%2),
		})
	}
	s, err := studies.Parse("study.toml", d.file())
	fatal.If(t, err)
	builder := sessions.NewBuilder(sessions.Options{NoImages: true})
	n := 0
	for _, a := range s.Assignments("") {
		for part := range a.Sessions {
			plan, _, err := s.Plan(b, "", a.Tester, part+1, fmt.Sprint("tester-", a.Tester), session.Model{Name: s.Arms[a.Sessions[part].Arm].Model, Provider: "simulated"})
			fatal.If(t, err)
			n++
			events, _, err := simulate.Session{ID: fmt.Sprintf("SIM%023d", n), Plan: plan, Seed: uint64(n), Wall: 86_400_000 * int64(n)}.Log()
			fatal.If(t, err)
			fatal.If(t, builder.Add(events))
		}
	}
	r, err := builder.Report()
	fatal.If(t, err)
	return r
}
