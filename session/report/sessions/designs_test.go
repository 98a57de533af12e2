package sessions_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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
	unrated               bool
	dealt, order, preset  string
	testers, each, k      int
	points                int
	family, primary, more string
	margin                string
	looks                 string
	come                  int // testers who have worked so far; 0: all
	once                  int // the last ones, who left after their first session
}

// Questions that a design may ask. Attention checks stand among ratings.
const (
	attention = "\n[[attention]]\ntask = 2\ntext = \"Choose 2\"\nscore = 2\n"
	survey    = "\n[[survey]]\nid = \"e\"\ntext = \"Years?\"\nchoices = [\"less\", \"more\"]\n"
	checks    = attention + survey
)

func (d design) file() string {
	text := fmt.Sprintf("name = \"drawn\"\nversion = 1\npreset = %q\n[tasks]\nbenchmark = \"b\"\nsets = %d\nper_set = %d\nstratify = [\"difficulty\"]\n", d.preset, d.arms, d.each)
	for i := range d.arms {
		text += fmt.Sprintf("[[arm]]\nname = \"arm%d\"\nmodel = \"model%d\"\n", i, i%3)
	}
	text += fmt.Sprintf("[design]\narms = %q\norder = %q\ntesters = %d\nseed = 1\n[analysis]\nprimary = %q\nfamily = %q\n[session]\nk = %d\n", d.dealt, d.order, d.testers, d.primary, d.family, d.k)
	if d.margin != "" {
		text = strings.Replace(text, "[session]", "margin = "+d.margin+"\n[session]", 1)
	}
	if d.looks != "" {
		text = strings.Replace(text, "[session]", "looks = "+d.looks+"\n[session]", 1)
	}
	if d.unrated {
		text = "attribute = []\n" + text
	}
	return text + fmt.Sprintf("[scale]\npoints = %d\nlow = \"a\"\nhigh = \"b\"\n", d.points) + d.more
}

// drawn returns a random design.
func drawn(random *rand.Rand) design {
	of := func(values ...string) string { return values[random.IntN(len(values))] }
	d := design{
		arms: 2 + 2*random.IntN(2), dealt: of("within", "between", "crossed"), order: of("latin-square", "random", "fixed"), preset: of("open", "su"),
		testers: 1 + random.IntN(9), each: 1 + random.IntN(4), k: 1 + random.IntN(6), points: 3 + random.IntN(7),
		family: of("holm", "benjamini-hochberg"), primary: of("satisfied", "attempts", "time", "total", "tests"), more: of("", checks),
	}
	if d.preset == "su" { // rates nothing
		d.primary, d.more = strings.Replace(d.primary, "total", "tests", 1), strings.Replace(d.more, attention, "", 1)
	}
	return d
}

// R computes the numbers of simulated studies again, whatever their design.
func TestDesignsInR(t *testing.T) {
	two := design{arms: 2, dealt: "within", order: "latin-square", preset: "open", testers: 8, each: 3, k: 10, points: 5, family: "benjamini-hochberg", primary: "time"}
	four, apart, pair := two, two, two
	four.arms, four.more = 4, checks
	apart.dealt = "between"
	pair.testers = 2 // whose sets cannot be told from the arms
	fixed := design{arms: 4, dealt: "within", order: "fixed", preset: "su", testers: 5, each: 2, k: 2, points: 5, family: "holm", primary: "satisfied"}
	unrated := fixed // whose repeat.R has no rating to read
	unrated.preset, unrated.unrated = "open", true
	crossed := four
	crossed.dealt, crossed.each = "crossed", 1
	one := crossed // whose order cannot be told from the arms
	one.testers, one.arms, one.each = 1, 2, 3
	interim := two
	interim.looks, interim.testers, interim.come = "[0.25, 0.5, 1]", 16, 9 // the mixed model is there, too
	blind := interim
	blind.come = 3
	designs := []design{four, apart, pair, fixed, unrated, crossed, one, interim, blind, drawn(rand.New(rand.NewPCG(1, 1)))}
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
	builder := sessions.NewBuilder(sessions.Options{NoImages: true, Price: func(s *session.State) *session.Price {
		if d.arms == 1 {
			return nil
		}
		return &session.Price{In: 2.5, Cached: 0.25, Out: 10, Currency: "USD", At: "2026-03-01"}
	}})
	n := 0
	for _, a := range s.Assignments("") {
		if d.come > 0 && a.Tester > d.come {
			break
		}
		for part := range a.Sessions {
			if part > 0 && a.Tester > d.testers-d.once {
				break
			}
			plan, _, err := s.Plan(b, "", a.Tester, part+1, fmt.Sprint("tester-", a.Tester), session.Model{Name: s.Arms[a.Sessions[part].Arm].Model, Provider: "simulated"})
			fatal.If(t, err)
			n++
			events, _, err := simulate.Session{ID: fmt.Sprintf("SIM%023d", n), Plan: plan, Seed: uint64(n), Wall: 86_400_000 * int64(n)}.Log()
			fatal.If(t, err)
			for i, e := range events {
				if a, is := e.Payload.(session.AnswerReceived); is && n%5 > 0 { // a fifth of the servers do not count
					a.InputTokens, a.CachedTokens, a.OutputTokens = 1000+i, 10*i, 100+i
					if n%4 == 1 { // an agent's
						a.Steps, a.ToolCalls = 3+i%5, i%7
					}
					if a.PromptCut = n == 2; n%3 == 0 {
						a.FinishReason = []string{"length", "repetition", "stop"}[i%3]
					}
					events[i].Payload = a
				}
			}
			fatal.If(t, builder.Add(events))
		}
	}
	r, err := builder.Report()
	fatal.If(t, err)
	return r
}

func (d design) markdown(t *testing.T) string {
	t.Helper()
	var page strings.Builder
	fatal.If(t, d.report(t).Markdown(&page))
	return page.String()
}

// Page 1 says how many testers give the difference where some have results with one arm alone.
func TestTestersOfTheDifference(t *testing.T) {
	d := design{arms: 2, dealt: studies.Within, order: studies.LatinSquare, preset: "open", testers: 10, each: 6, k: 3, points: 5, family: session.FamilyHolm, primary: "satisfied"}
	for d.once = range 4 {
		page, _, _ := strings.Cut(d.markdown(t), "## Participants")
		want := fmt.Sprintf("from %d testers with results in two sessions; with those in one, who are left out, there are 10 testers, ", 10-d.once)
		if d.once == 0 {
			want = "from 10 testers, "
		}
		if n := strings.Count(strings.ToLower(page), want); n != 2 { // the answer, and below its table
			t.Errorf("%d testers with one session: page 1 has %d times %q:\n%s", d.once, n, want, page)
		}
	}
}

// TestMarginOfAStudy: page 1 calls arms alike where the interval of the primary outcome lies within the declared margin,
// different where it lies outside, and neither elsewhere; without a margin it says nothing of the kind.
func TestMarginOfAStudy(t *testing.T) {
	d := design{arms: 2, dealt: "within", order: "latin-square", preset: "open", testers: 8, each: 5, k: 10, points: 5, family: "holm", primary: "attempts"}
	for margin, want := range map[string]string{
		"9":      "The arms are alike",
		"0.0001": "They are not shown to be alike within",
		"0":      "",
	} {
		d.margin = margin
		page := d.markdown(t)
		if said := strings.Contains(page, "the margin that the plan declared"); said != (want != "") || !strings.Contains(page, want) {
			t.Errorf("margin %s: page 1 does not say %q", margin, want)
		}
	}
	d.primary = "time"
	for margin, want := range map[string]string{"9": "The arms are alike** within a factor of 9.00", "1.001": "They are not shown to be alike within a factor of 1.00"} {
		if d.margin = margin; !strings.Contains(d.markdown(t), want) {
			t.Errorf("margin %s of time: page 1 does not say %q", margin, want)
		}
	}
	for _, primary := range []string{"attempts", "time"} {
		d.arms, d.margin, d.primary = 4, "9", primary
		if page := d.markdown(t); !strings.Contains(page, "These arms are alike") {
			t.Errorf("of four arms none are alike by %s", primary)
		}
	}
	for margin, problem := range map[string]string{"-1": "is not from 0 to", "1e9": "is not from 0 to", "60": "a factor above 1 and at most 10", "0.8": "a factor above 1"} {
		d.margin, d.primary = margin, "attempts"
		if strings.HasPrefix(problem, "a factor") {
			d.primary = "time"
		}
		if _, err := studies.Parse("study.toml", d.file()); err == nil || !strings.Contains(err.Error(), "analysis.margin") || !strings.Contains(err.Error(), problem) {
			t.Errorf("margin %s: %v", margin, err)
		}
	}
}

// TestLooks: page 1 compares the arms where a declared look is due, at the level that is spent, and says whether to stop.
func TestLooks(t *testing.T) {
	d := design{arms: 2, dealt: "within", order: "latin-square", preset: "open", testers: 10, each: 4, k: 10, points: 5, family: "holm", primary: "attempts", looks: "[0.6, 1]"}
	for come, want := range map[int][]string{
		5:  {"**No declared look is due.** 5 of 10 testers ended; the plan compares the arms first at 6."},
		6:  {"Look 1 of 2 that the plan declared: 6 of 10 testers ended, an information fraction of 0.6", "has spent 0.0076 of the level 0.05", "beyond ±2.669", " its interval is at 99.24 %. **Go on: the boundary is not crossed.** The next look is at 10 testers.", "(99.24 % CI"},
		10: {"Look 2 of 2", "has spent 0.0500 of the level 0.05", "**The boundary is not crossed at the last look.**"},
	} {
		d.come = come
		page := d.markdown(t)
		for _, words := range want {
			if !strings.Contains(page, words) {
				t.Errorf("%d testers: the page has no %q:\n%s", come, words, page[:3000])
			}
		}
		if compares := strings.Contains(page, "The arms compared"); compares != (come > 5) {
			t.Errorf("%d testers: the arms are compared: %v", come, compares)
		}
		if byArm := regexp.MustCompile(`(?m)^\|.*\bmodel0 \|.*\n`).FindAllString(page, -1); come <= 5 && len(byArm) > 1 || come > 5 && len(byArm) < 10 {
			t.Errorf("%d testers: results by arm (the prices of the model apart):\n%s", come, strings.Join(byArm, ""))
		}
	}
}

// TestUnratedStudy: a study without ratings reports its labels, and does not say that answers are rated.
func TestUnratedStudy(t *testing.T) {
	d := design{arms: 2, dealt: "within", order: "fixed", preset: "su", testers: 2, each: 2, k: 1, points: 5, family: "holm", primary: "satisfied"}
	page := d.markdown(t)
	for text, want := range map[string]bool{"Nothing is rated": true, "the final answer is rated": false, "Labels of the final answers": true} {
		if strings.Contains(page, text) != want {
			t.Errorf("the page says %q: %v, want %v", text, !want, want)
		}
	}
}

// TestRatingsByArm: each rating has its difference with an interval, and a drawing; the appendix is headed by tester and
// arm, in the order of the testers' numbers, with a row for each.
func TestRatingsByArm(t *testing.T) {
	d := design{arms: 2, dealt: "within", order: "latin-square", preset: "open", testers: 12, each: 6, k: 3, points: 5, family: "holm", primary: "attempts"}
	r := d.report(t)
	p := &r.Arms.Pairs[0]
	if len(p.Ratings) != 8 || r.Arms.Family.Ratings != 8 {
		t.Fatalf("%d ratings are compared, %d in their family, want 8", len(p.Ratings), r.Arms.Family.Ratings)
	}
	total := p.Measures[slices.IndexFunc(p.Measures, func(m sessions.Compared) bool { return m.ID == "total" })]
	sum := 0.0
	for _, m := range p.Ratings {
		sum += float64(m.Difference.Value)
		if iv := m.Difference.Interval; iv == nil || !iv.Holds(float64(m.Difference.Value)) || m.Difference.Method != total.Difference.Method {
			t.Errorf("%s: %v by %q; the total by %q", m.Measure, iv, m.Difference.Method, total.Difference.Method)
		}
	}
	if math.Abs(sum-float64(total.Difference.Value)) > 1e-9 {
		t.Errorf("the ratings' differences add up to %v, that of their total is %v", sum, total.Difference.Value)
	}
	dir := t.TempDir()
	if _, err := r.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	reporttest.Repeat(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, "report.html"))
	fatal.If(t, err)
	page := string(text)
	for _, want := range []string{`id="figure-arm-ratings"`, "The arms compared by each rating"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	_, list, found := strings.Cut(page, `id="table-appendix"`)
	for i := 1; i <= 12 && found; i++ {
		_, list, found = strings.Cut(list, fmt.Sprintf(">tester-%d<", i))
	}
	if !found {
		t.Error("the appendix does not list the testers in their order")
	}
	first, err := os.ReadFile(filepath.Join(dir, "appendix", "SIM00000000000000000000001.html"))
	if fatal.If(t, err); !strings.Contains(string(first), ">tester-1: arm0, model0<") {
		t.Error("a page of the appendix is not headed by tester and arm")
	}
}
