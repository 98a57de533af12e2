package sessions_test

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/engine/enginetest"
	"assay/session/report/reporttest"
	"assay/session/report/sessions"
)

// merged reports on a session of repository tasks.
func merged(t *testing.T) *sessions.Report {
	t.Helper()
	r := enginetest.RepositorySession(t)
	events, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	made, err := sessions.Build(events)
	fatal.If(t, err)
	fatal.If(t, enginetest.Verify(events)) // the report changes nothing of them
	return made
}

// Answers about merging stand against the tests, with an interval for accepted answers that are not mergeable.
func TestMerge(t *testing.T) {
	r := merged(t)
	m := r.Merge
	if m == nil || m.Answered != 2 || m.Accepted != (sessions.MergeAnswers{No: 1}) || m.Failed != (sessions.MergeAnswers{Changes: 1}) || m.OwnWords != 1 {
		t.Fatalf("%+v", m)
	}
	if m.NotMergeable.Count != 1 || m.NotMergeable.N != 1 || m.NotMergeable.Interval == nil || m.Rejected.Count != 1 {
		t.Errorf("%+v", m)
	}
	if len(m.Reasons) != 2 || m.Reasons[1].Count != 2 {
		t.Errorf("%+v", m.Reasons)
	}
	if d := r.Mended; d == nil || d.Answers != 1 || d.Lines.Value != 2 || d.Seconds.Value != 3 || d.Before != 0 || d.After != 0 || d.Judged != 1 {
		t.Errorf("%+v", d)
	}
	if r.Tests.Accepted.Count != 1 {
		t.Errorf("an edit by hand changed the tests' results: %+v", r.Tests.Accepted)
	}
	for _, c := range r.Checks {
		if len(c.Faults) > 0 {
			t.Errorf("%s: %q", c.Name, c.Faults)
		}
	}
	dir := t.TempDir()
	_, err := r.WriteDir(dir)
	fatal.If(t, err)
	reporttest.Repeat(t, dir)
	var text strings.Builder
	fatal.If(t, r.Document().Markdown(&text, false))
	for _, want := range []string{"Would the testers merge the answers?", "Accepted by the tests and not mergeable: 1 of 1", "not in the project's style", "edited by hand"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report does not have %q", want)
		}
	}
}
