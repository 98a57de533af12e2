package sessions

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/session"
	"assay/session/overlap"
	"assay/session/report/reporttest"
)

// reRated is the analysis of ratings by two people, of whom the second gives one point more
// and on the first answer four, with one score settled; and the logs that the answers are from.
func reRated(t *testing.T) (*overlap.Analysis, [][]session.Event, Texts) {
	t.Helper()
	logs, texts := logsOf(t, someStudy(), 8)
	pool := overlap.NewPool()
	for _, events := range logs {
		if err := pool.Add(events, texts, ""); err != nil {
			t.Fatal(err)
		}
	}
	h, err := overlap.Make(pool, overlap.Setup{Raters: []string{"ann", "bob"}, Overlap: 2, Seed: 1, PerRater: 36})
	if err != nil {
		t.Fatal(err)
	}
	s := overlap.NewSet(h)
	at := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	add := func(ev overlap.Event) {
		t.Helper()
		if err := s.Apply(ev); err != nil {
			t.Fatal(err)
		}
	}
	for r, who := range h.Raters {
		add(overlap.Event{Opened: &overlap.Opened{Rater: who, At: at}})
		for i, it := range h.Items {
			for _, a := range h.Attributes {
				score := 5 - (i%5)/2 + (i+r)%7/6 - (i%11)/10
				score = min(score, 5)
				if i == 0 {
					score = 1 + 4*r
				}
				add(overlap.Event{Rated: &overlap.Rated{Rater: who, Item: it.ID, Attribute: a.ID, Score: score, At: at}})
			}
		}
	}
	add(overlap.Event{Noted: &overlap.Noted{Rater: "ann", Item: h.Items[0].ID, Text: "it <b>fails</b> for 0", At: at}})
	add(overlap.Event{Closed: &overlap.Closed{By: "eve", At: at, Missing: s.Missing()}})
	add(overlap.Event{Settled: &overlap.Settled{By: "eve", Item: h.Items[0].ID, Attribute: h.Attributes[0].ID, Score: 2, Reason: "ran it by hand", At: at}})
	a, err := overlap.Analyse(s, overlap.Apart)
	if err != nil {
		t.Fatal(err)
	}
	if a.Attributes[0].Ordinal.Range == nil || a.Attributes[0].ICC.MeanRange == nil || a.Attributes[0].Kappas[0].Range == nil || a.Attributes[0].Gwet.Range == nil {
		t.Fatalf("%d answers have no intervals: %+v", a.Items, a.Attributes[0])
	}
	return a, logs, texts
}

// The report has a section of the ratings, whose numbers are those of the analysis and trace
// to report.json; written, it holds.
func TestOverlapRatings(t *testing.T) {
	a, logs, texts := reRated(t)
	b := NewBuilder(Options{Texts: texts, Overlap: a, NoImages: true})
	for _, events := range logs {
		if err := b.Add(events); err != nil {
			t.Fatal(err)
		}
	}
	r, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	var md bytes.Buffer
	if err := r.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Overlap ratings", "Krippendorff", "linear weights", "A, B", "ran it by hand", "A 1, B 5", "eve, 2026-03-09", "As settled", "as one more rater", "Labels that depend"} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	dir := t.TempDir()
	if _, err := r.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	reporttest.Repeat(t, dir)
	again, checks, err := CheckFiles(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if list := faults(checks); len(list) > 0 {
		t.Errorf("the written report does not hold: %q", list)
	}
	if !reflect.DeepEqual(again.Overlap, a) {
		t.Error("the ratings are others when they are read again")
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(`"overlap_ratings":{"name":`)) {
		t.Error("report.json has no overlap ratings")
	}
}

// Ratings of other sessions are refused.
func TestOverlapOfOtherSessions(t *testing.T) {
	a, logs, texts := reRated(t)
	other := *a
	other.Sessions = []string{"another"}
	b := NewBuilder(Options{Texts: texts, Overlap: &other})
	if err := b.Add(logs[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Report(); err == nil || !strings.Contains(err.Error(), "of other sessions") {
		t.Errorf("%v", err)
	}
}
