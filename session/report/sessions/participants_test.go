package sessions

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/session"
	"assay/session/report"
	"assay/session/report/figure"
	"assay/session/report/reporttest"
	"assay/session/simulate"
)

// atPlace is the log of a session of a study that asks for consent and, at the end of the last session, two questions.
func atPlace(t *testing.T, tester, part int, name string) []session.Event {
	t.Helper()
	plan := session.Plan{
		Benchmark: "made-up", K: 2, Context: session.Fresh, Tester: name, Model: session.Model{Name: "m", Provider: "replay"}, Attributes: session.MiahZhuAttributes(),
		Study: &session.InStudy{Name: "s", Version: 1, Hash: "h", Arm: "only", Tester: tester, Part: part, Consent: "What is recorded.", ConsentVersion: "1"},
	}
	for i := range 6 {
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: fmt.Sprintf("%d-%d", part, i)})
	}
	if part == 2 {
		plan.Survey = []session.Question{{ID: "age", Text: "How old are you?", Choices: []string{"young", "old"}}, {ID: "age.2", Text: "And why?"}}
	}
	events, _, err := simulate.Session{ID: fmt.Sprintf("01HZ%011d%011d", tester, part), Plan: plan, Seed: uint64(tester), Wall: 1_700_000_000_000}.Log()
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// ended is the log up to its last event, and then others.
func ended(t *testing.T, log []session.Event, payloads ...session.Payload) []session.Event {
	t.Helper()
	log = slices.Clip(log[:len(log)-1])
	for _, p := range payloads {
		last := log[len(log)-1]
		e, err := session.Event{Seq: last.Seq + 1, Stamp: last.Stamp, Payload: p}.Seal(last.Hash)
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, e)
	}
	return log
}

// Each person counts once, by all of their sessions, in the flow, the survey and the table.
func TestPeople(t *testing.T) {
	withdrawn := func(tester, part int) []session.Event { // as the store leaves it
		return ended(t, atPlace(t, tester, part, "")[:2], session.Closed{Reason: "withdrawn"})
	}
	b := NewBuilder(Options{NoImages: true, Study: &StudyFiles{Places: 12, Waiting: 2}})
	for _, log := range [][]session.Event{
		atPlace(t, 1, 1, "ann"), atPlace(t, 1, 2, "ann"), // finished
		atPlace(t, 2, 1, "ben"), // finished what he began, and has not come to the survey
		ended(t, atPlace(t, 3, 1, "cleo"), session.Flagged{Reason: session.ClosedByOwner + "ill"}, session.Closed{Reason: "abandoned"}),
		ended(t, atPlace(t, 4, 1, "dan")[:2]), // did not consent
		withdrawn(5, 1), withdrawn(5, 2),      // all data are out
		atPlace(t, 6, 1, "fay"), ended(t, atPlace(t, 6, 2, "fay")), // at work, with the survey answered
		atPlace(t, 7, 1, "gus"), withdrawn(7, 2), // one session is out
		ended(t, atPlace(t, 8, 1, "hal"), session.Closed{Reason: "abandoned"}),
	} {
		if err := b.Add(log); err != nil {
			t.Fatal(err)
		}
	}
	r, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	want := Participants{
		Places: 12, Waiting: 2, Began: 8, Withdrew: 1, Asked: 7, Consented: 6, Left: 2, Working: 1, Finished: 3, Analysed: 6,
		Reasons: []report.Count{{Name: "ill", Count: 1}, {Name: "abandoned a session", Count: 1}},
	}
	if !reflect.DeepEqual(r.People, want) {
		t.Errorf("got  %+v\nwant %+v", r.People, want)
	}
	if a := r.Survey[0]; a.People != 7 || a.Answered != 2 || a.Unanswered != 5 || len(a.Choices) != 2 || a.Choices[0].Count+a.Choices[1].Count != 2 {
		t.Errorf("the survey counts %+v", a)
	}
	var rows []string
	for _, table := range r.tables() {
		if table.Name == "participants" {
			for row := range table.Named() {
				rows = append(rows, strings.Join([]string{row.Text("participant"), row.Text("tester"), row.Text("sessions"), row.Text("status"), row.Text("consent"), row.Text("survey_age_2")}, " "))
			}
		}
	}
	if want := []string{"1 ann 2 finished given made up", "2 ben 1 finished given ", "3 cleo 1 abandoned given ", "4 dan 1 not consented not given ",
		"5 fay 2 open given made up", "6 gus 1 finished given ", "7 hal 1 abandoned given "}; !slices.Equal(rows, want) {
		t.Errorf("got  %q\nwant %q", rows, want)
	}
	if all := faults(r.Checks); len(all) > 0 {
		t.Errorf("%v", all)
	}
	drawn := r.flowFigure().Draw(figure.Wide).Alt()
	for _, words := range []string{"places of the study's plan: 12; left: nobody was invited: 2", "testers who were invited: 10; left: have not begun: 2", "withdrew, their data are out: 1; left: did not consent: 1",
		"testers who take part: 6; left: ill: 1; left: abandoned a session: 1; left: still at work: 1", "testers who finished what they began: 3"} {
		if !strings.Contains(drawn, words) {
			t.Errorf("the flow does not show %q: %s", words, drawn)
		}
	}
	dir := t.TempDir()
	if _, err := r.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	reporttest.Repeat(t, dir)
}
