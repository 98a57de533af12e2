package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/session"
	"assay/session/report"
	"assay/session/report/document"
	"assay/session/report/reporttest"
	"assay/session/simulate"
)

// edgeStudy is a study with what its page says, and what it does not.
type edgeStudy struct {
	study    reporttest.Study
	sessions int
	says     []string
	silent   []string
}

// edgeStudies are studies at the edges.
func edgeStudies() map[string]edgeStudy {
	hostile := `</pre><script>alert(1)</script><img src=x onerror=alert(2)> &amp; ` + "\x1b[31m\u202e=cmd|' /C calc'!A0"
	return map[string]edgeStudy{
		"one tester": {reporttest.Study{Tasks: 12, K: 3, Testers: []string{"ann"}, Models: []string{"m"}, Seed: 1}, 1,
			[]string{"One tester worked here", "Cronbach"}, []string{"Agreement between"}},
		"one task": {reporttest.Study{Tasks: 1, K: 3, Models: []string{"m"}, Seed: 1}, 1, []string{"fewer than two values"}, []string{">few<", "1 testers", "seeds"}},
		"every task given up": {reporttest.Study{Tasks: 8, K: 3, Models: []string{"m"}, Hopeless: true, Seed: 1}, 1,
			[]string{"given up"}, nil},
		"every task given up by several": {reporttest.Study{Tasks: 8, K: 3, Testers: []string{"a", "b"}, Models: []string{"m"}, Hopeless: true, Seed: 1}, 4, nil, nil},
		"nothing finished":               {reporttest.Study{Tasks: 6, K: 3, Models: []string{"m"}, Unrated: true, Seed: 1}, 1, []string{"No task has a result yet"}, []string{"Kaplan"}},
		"several testers": {reporttest.Study{Tasks: 20, K: 3, Testers: []string{"a", "b", "c"}, Models: []string{"m"}, Seed: 1}, 3,
			[]string{"linearised as a ratio", "no two of them rated the same answer", "score on the scale, at least 95 %, over 3 testers", "Results completed within a time", "A task is counted once for every tester", "not tested, since tasks of one tester are alike"}, []string{"Greenwood", "Tasks completed within a time", "pass@1 with one"}},
		"the same answers": {reporttest.Study{Tasks: 20, K: 1, Testers: []string{"a", "b", "c"}, Models: []string{"m"}, Seed: 1, Answer: func(task, _ int) string { return fmt.Sprint(task) }}, 3,
			[]string{"Krippendorff"}, []string{"no two of them"}},
		"two models": {reporttest.Study{Tasks: 20, K: 3, Testers: []string{"a", "a", "b", "b"}, Models: []string{"m1", "m2"}, Seed: 1}, 4,
			[]string{"m1;&nbsp;m2", "asks that both arms have", "too few testers to tell the arms from the testers", "linearised as a ratio"}, []string{"signed-rank", "One tester worked here", "Corrections:"}},
		"two models, many testers": {reporttest.Study{Tasks: 6, K: 3, Testers: []string{"a", "a", "b", "b", "c", "c", "d", "d", "e", "e"}, Models: []string{"m1", "m2"}, Seed: 1}, 10,
			[]string{"m1;&nbsp;m2", "paired t over 5 testers, not adjusted for the order of the arms", "of all measures and all pairs of arms form one family", "No plan declared a primary outcome"}, nil},
		"two levels": {reporttest.Study{Tasks: 20, K: 3, Testers: []string{"a"}, Models: []string{"m"}, Levels: []int{0, 1}, Seed: 1}, 2,
			[]string{"None of these is pooled", "m, level", "paired t over"}, []string{"Success by attempt"}},
		"an automatic tester": {reporttest.Study{Tasks: 12, K: 3, Models: []string{"m"}, Feedback: []session.Feedback{session.FeedbackFirst}, Seed: 1}, 1,
			[]string{"first-failing", "showed test cases to the model", "an automatic tester has no opinion", "other tasks like these, and this program", "Kaplan-Meier"},
			[]string{"Cronbach", "One tester worked here", "total quality", "People", ">total<", "what the model said was wrong"}},
		"an automatic tester that lets the model reflect": {reporttest.Study{Tasks: 12, K: 3, Models: []string{"m"}, Feedback: []session.Feedback{session.FeedbackReflection}, Seed: 1}, 1,
			[]string{"Answers in which the model said what was wrong"}, []string{"showed test cases"}},
		"an automatic tester with two models": {reporttest.Study{Tasks: 12, K: 3, Models: []string{"m1", "m2"}, Feedback: []session.Feedback{session.FeedbackVerdict}, Seed: 1}, 2,
			[]string{"a program (feedback verdict): m1; ", "tasks, of one tester", "arm by arm", "Success by attempt"}, []string{"too few testers", "showed test cases", "Agreement"}},
		"two policies": {reporttest.Study{Tasks: 12, K: 3, Models: []string{"m"}, Feedback: []session.Feedback{session.FeedbackNone, session.FeedbackAll}, Seed: 1}, 2,
			[]string{"a program (feedback all-failing): m; a program (feedback none): m", "tasks like these, by these testers", "None of these is pooled"}, []string{"Success by attempt"}},
		"a person and a program": {reporttest.Study{Tasks: 12, K: 3, Testers: []string{"a"}, Models: []string{"m"}, Feedback: []session.Feedback{"", session.FeedbackVerdict}, Seed: 1}, 2,
			[]string{"a program (feedback verdict): m; people: m", "tasks, of this one person and this program", "None of these is pooled", "arm by arm"}, []string{"Success by attempt", "Cronbach"}},
		"people and a program": {reporttest.Study{Tasks: 12, K: 3, Testers: []string{"a", "b", "c", "d"}, Models: []string{"m"}, Feedback: []session.Feedback{"", "", "", session.FeedbackVerdict}, Seed: 1}, 4,
			[]string{"paired t over 3 testers, against the program as it was"}, []string{"Success by attempt", "too few testers to tell"}},
		"names": {reporttest.Study{Tasks: 10, K: 2, Testers: []string{"שרה", "李雷", "👩‍🔬"}, Models: []string{"模型"}, Types: []string{"עברית", "字符串"}, Seed: 1}, 3,
			[]string{"שרה", "李雷", "👩‍🔬", "字符串"}, nil},
		"hostile texts": {reporttest.Study{Tasks: 3, K: 2, Testers: []string{hostile}, Models: []string{hostile}, Types: []string{hostile, "-1+1"}, Seed: 1,
			Prompt: func(int, int) string { return hostile }, Answer: func(int, int) string { return hostile }}, 1,
			[]string{"&lt;script&gt;", "⟨U+202E⟩"}, []string{"<script", "<img", "\x1b"}},
	}
}

// TestEdgeStudies: studies at the edges are reported, hold, and say what they are.
func TestEdgeStudies(t *testing.T) {
	for name, c := range edgeStudies() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := reported(t, c.study, c.sessions).WriteDir(dir); err != nil {
				t.Fatal(err)
			}
			_, checks, err := CheckFiles(os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			if all := faults(checks); len(all) > 0 {
				t.Errorf("%s", strings.Join(all, "\n"))
			}
			data, err := os.ReadFile(filepath.Join(dir, "report.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := valid(t, string(data)); err != nil {
				t.Errorf("report.json is not as its schema says: %v", err)
			}
			page, err := os.ReadFile(filepath.Join(dir, "report.html"))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.says {
				if !bytes.Contains(page, []byte(want)) {
					t.Errorf("the page does not say %q", want)
				}
			}
			shown, _, _ := bytes.Cut(page, []byte(document.ScriptTag))
			for _, not := range append(c.silent, "NaN") {
				if bytes.Contains(shown, []byte(not)) {
					t.Errorf("the page says %q", not)
				}
			}
			reporttest.Repeat(t, dir)
			wellFormed(t, page)
			reachable(t, page)
			codebook, err := os.ReadFile(filepath.Join(dir, "dataset", "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			if at := bytes.IndexByte(codebook, '<'); at >= 0 {
				t.Errorf("the dataset's README has HTML: %.60s", codebook[at:])
			}
		})
	}
}

// wellFormed reports whether every element is closed where it should be.
func wellFormed(t *testing.T, page []byte) {
	t.Helper()
	void := map[string]bool{"meta": true, "br": true, "img": true, "link": true}
	var open []string
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("left open: %v", open)
			}
			return
		case html.StartTagToken:
			if name, _ := z.TagName(); !void[string(name)] {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Fatalf("</%s> closes %v", name, open)
			}
			open = open[:len(open)-1]
		}
	}
}

// TestSameInputSameBytes: whatever the order in which the sessions come.
func TestSameInputSameBytes(t *testing.T) {
	study := someStudy()
	study.Models = []string{"m1", "m2"}
	study.Answer = func(task, _ int) string { return fmt.Sprint(task) }
	logs, texts := logsOf(t, study, 4)
	write := func(order ...int) string {
		b := NewBuilder(Options{Texts: texts})
		for _, i := range order {
			if err := b.Add(logs[i]); err != nil {
				t.Fatal(err)
			}
		}
		r, err := b.Report()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := r.WriteDir(dir); err != nil {
			t.Fatal(err)
		}
		sums, err := os.ReadFile(filepath.Join(dir, report.SumsFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(sums)
	}
	if a, b := write(0, 1, 2, 3), write(3, 1, 0, 2); a != b {
		t.Errorf("%s\nand\n%s", a, b)
	}
}

// TestWithdrawnSessionsLeaveTheHouseUncounted: of a withdrawn session only that it was
// there is told.
func TestWithdrawnSessionsLeaveTheHouseUncounted(t *testing.T) {
	logs, _ := logsOf(t, someStudy(), 2)
	last := logs[1][len(logs[1])-2]
	closed, err := session.Event{Seq: last.Seq + 1, Stamp: last.Stamp, Payload: session.Closed{Reason: "withdrawn"}}.Seal(last.Hash)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Build(logs[0], append(logs[1][:len(logs[1])-1:len(logs[1])-1], closed))
	if err != nil {
		t.Fatal(err)
	}
	if r.Counts.Withdrawn != 24 || r.Counts.Analysed != 24 || r.Number != 2 || r.Testers != 1 {
		t.Errorf("%+v", r.Counts)
	}
	if all := faults(r.Checks); len(all) > 0 {
		t.Errorf("%v", all)
	}
	dir := t.TempDir()
	if _, err := r.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"tasks", "attempts", "ratings", "labels"} {
		text, err := os.ReadFile(filepath.Join(dir, report.DatasetFile(table)))
		if err != nil || bytes.Contains(text, []byte(logs[1][0].Payload.(session.Opened).Session)) {
			t.Errorf("%s has rows of the withdrawn session (%v)", table, err)
		}
	}
}

// A withdrawn session answers no question, has no page in the appendix and takes no period.
func TestWithdrawnSessionsAnswerNothing(t *testing.T) {
	plan := session.Plan{Tasks: []session.PlanTask{{ID: "1"}}, Rules: session.Rules{Survey: []session.Question{{ID: "q", Text: "Which?", Choices: []string{"a", "b"}}}}}
	one := folded{state: &session.State{Plan: plan, Tasks: []session.Task{{PlanTask: plan.Tasks[0]}}, Answers: map[string]string{"q": "a"}}}
	gone := folded{tester: 1, state: &session.State{Plan: plan, Tasks: []session.Task{{PlanTask: plan.Tasks[0]}}, Answers: map[string]string{"q": "b"}, Closed: "withdrawn"}}
	if asked := surveyOf([]folded{one, gone}); len(asked) != 1 || asked[0].People != 1 || asked[0].Answered != 1 || asked[0].Choices[1].Count != 0 {
		t.Errorf("the survey counts %+v", asked)
	}
	if p := placesOf([]folded{gone, one}); len(p.period) != 1 || p.arm[&gone] != 0 || len(p.arm) != 1 {
		t.Errorf("a withdrawn session is placed: %+v", p)
	}
	large := someStudy()
	large.Tasks = 200
	logs, texts := logsOf(t, large, 2)
	last := logs[1][len(logs[1])-2]
	closed, err := session.Event{Seq: last.Seq + 1, Stamp: last.Stamp, Payload: session.Closed{Reason: "withdrawn"}}.Seal(last.Hash)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	b := NewBuilder(Options{Texts: texts, NoImages: true})
	if err := errors.Join(b.Add(logs[0]), b.Add(append(logs[1][:len(logs[1])-1:len(logs[1])-1], closed))); err != nil {
		t.Fatal(err)
	}
	r, err := b.Report()
	if err == nil {
		_, err = r.WriteDir(dir)
	}
	if pages, _ := filepath.Glob(filepath.Join(dir, "appendix", "*.html")); err != nil || len(pages) != 1 {
		t.Errorf("the appendix has the pages %q, of one session that counts (%v)", pages, err)
	}
}

// TestSessionsThatCannotStandTogether are refused with the reason.
func TestSessionsThatCannotStandTogether(t *testing.T) {
	a, b := someStudy(), someStudy()
	b.K = 7
	first, _ := logsOf(t, a, 2)
	second, _ := logsOf(t, b, 2)
	if _, err := Build(first[0], second[1]); err == nil || !strings.Contains(err.Error(), "report them apart") {
		t.Errorf("different k: %v", err)
	}
	wider := slices.Clone(first[1])
	opened := wider[0].Payload.(session.Opened)
	opened.Plan.Attributes = slices.Clone(opened.Plan.Attributes)
	for i := range opened.Plan.Attributes {
		opened.Plan.Attributes[i].Points = 7
	}
	wider[0].Payload = opened
	if _, err := Build(first[0], wider); err == nil || !strings.Contains(err.Error(), "different attributes, or on different scales") {
		t.Errorf("different scales: %v", err)
	}
	if _, err := Build(first[0], first[0]); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("a session twice: %v", err)
	}
}

// TestStaleFilesGo: files of an earlier report go, and what a killed program left of one; those
// that somebody changed stay.
func TestStaleFilesGo(t *testing.T) {
	dir := t.TempDir()
	if _, err := reported(t, someStudy(), 3).WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(dir, "figures", "results-by-type.csv")
	own := filepath.Join(dir, "figures", "mine.txt")
	half := filepath.Join(dir, ".report.md5431608877678328871")
	for _, name := range []string{changed, own, half} {
		if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	small := someStudy()
	small.Tasks = 2
	if _, err := reported(t, small, 1).WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "figures", "results-by-type.svg")); err == nil {
		t.Error("a figure of the earlier report is left")
	}
	if _, err := os.Stat(half); err == nil {
		t.Errorf("%s is left", half)
	}
	for _, name := range []string{changed, own} {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("a file that somebody wrote is gone: %v", err)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "a b c", 3}, {"a b c", "", 3}, {"a b c", "a b c", 0}, {"a b c", "a x c", 1}, {"a b c d", "a c d", 1},
		{"k i t t e n", "s i t t i n g", 3}, {"a b", "b a", 2}, {"s a t u r d a y", "s u n d a y", 3},
	} {
		if got := editDistance(strings.Fields(c.a), strings.Fields(c.b)); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestBlindReports: whoever still works in a blind study does not read the model's name.
func TestBlindReports(t *testing.T) {
	plan := session.Plan{
		Benchmark: "b", K: 2, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "the-model", Provider: "p", Model: "the-id"},
		Tasks: []session.PlanTask{{ID: "a"}, {ID: "b"}}, Study: &session.InStudy{Name: "s", Arm: "first", Tester: 1, Part: 1, Shown: "Model A"},
	}
	events, _, err := simulate.Session{ID: "x", Plan: plan}.Log()
	if err != nil {
		t.Fatal(err)
	}
	for _, blind := range []bool{true, false} {
		b := NewBuilder(Options{Blind: blind})
		if err := b.Add(events); err != nil {
			t.Fatal(err)
		}
		r, err := b.Report()
		if err != nil {
			t.Fatal(err)
		}
		var page, js, md bytes.Buffer
		for _, err := range []error{r.HTML(&page), r.JSON(&js), r.Markdown(&md)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, text := range []string{strings.ReplaceAll(page.String(), "&nbsp;", " "), js.String(), md.String()} {
			if told := strings.Contains(text, "the-model") || strings.Contains(text, "the-id") || strings.Contains(text, "made-up-1"); told == blind || blind && !strings.Contains(text, "Model A") {
				t.Errorf("blind %v, but told %v", blind, told)
			}
		}
	}
}
