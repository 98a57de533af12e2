package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	studycmd "assay/cmd/cli/study"
	"assay/session"
	"assay/session/study"
)

// TestBlindToTheEnd: reports on a blind study name no model until the study is unblinded, which requires a
// reason, is recorded, and is shown by watch. The sessions do not contain it.
func TestBlindToTheEnd(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 2, `model = "paste"`, `model = "rehearsal"`)
	file := filepath.Join(dir, "all.db")
	for tester := 1; tester <= 2; tester++ {
		mustKept(t, file, "study", "collect", "--study", path, worked(t, dir, path, tester))
	}
	before, _ := mustKept(t, file, "report", "all")
	if strings.Contains(before, "rehearsal") || !strings.Contains(before, "Model A") || !strings.Contains(before, "Model B") {
		t.Errorf("the report is not blind:\n%.2000s", before)
	}
	if out, said, code := runKept(t, file, "study", "unblind", path); code != 2 || !strings.Contains(said, "--reason") || strings.Contains(out, "rehearsal") {
		t.Errorf("without a reason: %d, %s", code, said)
	}
	if named, _ := mustKept(t, file, "study", "unblind", path, "--reason", "all are finished"); !strings.Contains(named, "Model A  first   rehearsal") {
		t.Errorf("unblind says\n%s", named)
	}
	if watched, _ := mustKept(t, file, "study", "watch"); !strings.Contains(watched, "when 4 of 4 sessions were finished: all are finished") {
		t.Errorf("watch says\n%s", watched)
	}
	mustKept(t, file, "session", "rebuild")
	if after, _ := mustKept(t, file, "report", "all"); !strings.Contains(after, "rehearsal") {
		t.Error("the report is blind still")
	}
	if forced, _ := mustKept(t, file, "report", "--blind", "all"); strings.Contains(forced, "rehearsal") {
		t.Error("--blind names a model")
	}
	mustKept(t, file, "session", "verify")
	other := filepath.Join(dir, "other.db") // of another owner
	mustKept(t, other, "study", "collect", worked(t, t.TempDir(), path, 1))
	if report, _ := mustKept(t, other, "report", "all"); strings.Contains(report, "rehearsal") {
		t.Error("a store where nobody unblinded names the models")
	}
}

// TestSharedStore: testers without codes get places by their pseudonyms, continue where they were, and
// another tester replaces one who left.
func TestSharedStore(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 2, `model = "paste"`, `model = "rehearsal"`)
	l := testLibrary(t, dir)
	join := func(name string) session.InStudy {
		t.Helper()
		eng, err := l.joinStudy(t.Context(), path, "", name)
		if err != nil {
			t.Fatal(err)
		}
		in := *eng.State().Plan.Study
		if name == "left" {
			err = eng.Abandon(t.Context())
		}
		if err := errors.Join(err, eng.Close(t.Context())); err != nil {
			t.Fatal(err)
		}
		return in
	}
	if in := join("ann"); in.Tester != 1 || in.Arm != "first" {
		t.Errorf("ann: %+v", in)
	}
	if in := join("left"); in.Tester != 2 || in.Arm != "second" {
		t.Errorf("left: %+v", in)
	}
	if in := join("ann"); in.Tester != 1 {
		t.Errorf("ann again: %+v", in)
	}
	if in := join("ben"); in.Tester == 2 || in.Arm != "second" {
		t.Errorf("ben takes the place of who left: %+v", in)
	}
	if _, err := l.joinStudy(t.Context(), path, "", "eve"); !errors.Is(err, study.ErrFull) {
		t.Errorf("a third: %v", err)
	}
}

// TestModelDisappears: a model that disappears during a study leads to an error with a remedy, without the
// name of a blinded model, and without loss.
func TestModelDisappears(t *testing.T) {
	dir := t.TempDir()
	l := testLibrary(t, dir, "[[model]]\nname = \"secret-7b\"\nprovider = \"command\"\ncommand = [\"true\"]\n")
	path := frozenStudyOf(t, dir, l, `model = "rehearsal"`, `model = "secret-7b"`, `model = "paste"`, `model = "secret-7b"`)
	eng, err := l.joinStudy(t.Context(), path, "", "ann")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(eng.OpenTask(t.Context()), eng.Edit(t.Context(), "a beginning"), eng.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	l.close()
	l = testLibrary(t, dir, "")
	_, err = l.joinStudy(t.Context(), path, "", "ann")
	if err == nil || strings.Contains(err.Error(), "secret-7b") || !strings.Contains(err.Error(), "owner") {
		t.Errorf("joining without the model: %v", err)
	}
	_, err = l.Continue(t.Context(), eng.State().Session)
	if err == nil || strings.Contains(err.Error(), "secret-7b") || !strings.Contains(err.Error(), "owner") {
		t.Errorf("going on without the model: %v", err)
	}
	alone := eng.State().Plan
	alone.Study, alone.Model.Name = nil, "secret-7b"
	opened := session.Event{Seq: 1, Stamp: session.Stamp{Wall: 1, Process: "p", Boot: "b"}, Payload: session.Opened{Session: "ALONE", Plan: alone}}
	if _, err := l.store.Append(t.Context(), "ALONE", []session.Event{opened}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Continue(t.Context(), "ALONE"); err == nil || !strings.Contains(err.Error(), "cannot continue without its model") || !strings.Contains(err.Error(), "secret-7b") {
		t.Errorf("going on without the model outside of a study: %v", err)
	}
	l.close()
	l = testLibrary(t, dir, "[[model]]\nname = \"secret-7b\"\nprovider = \"command\"\ncommand = [\"true\"]\n")
	again, err := l.joinStudy(t.Context(), path, "", "ann")
	if err != nil || again.State().Task().Draft() != "a beginning" {
		t.Fatalf("when it is back: %v", err)
	}
	_ = again.Close(t.Context())
}

// testLibrary is a library in dir, with these models.
func testLibrary(t *testing.T, dir string, models ...string) *library {
	t.Helper()
	var none bytes.Buffer
	io := &console.IO{In: strings.NewReader(""), Out: &none, Err: &none, Getenv: func(string) string { return "" }}
	g := &console.Globals{Store: filepath.Join(dir, "assay.db"), Models: filepath.Join(dir, "models.toml")}
	if err := os.WriteFile(g.Models, []byte(strings.Join(models, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := startLibrary(io, g, &openOptions{isolation: judges.Isolation{Isolation: judges.IsolationWarm}})
	if err == nil {
		err = l.ready()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.close() })
	return l
}

// frozenStudyOf is frozenStudy with the library's models.
func frozenStudyOf(t *testing.T, dir string, l *library, edits ...string) string {
	t.Helper()
	path := filepath.Join(dir, "study.toml")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(edits...).Replace(study.Example())), 0o600); err != nil {
		t.Fatal(err)
	}
	s, b, err := studycmd.LoadStudy(path)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := s.Lock(b, l.modelNamed)
	if err := errors.Join(err, lock.Write(path)); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSeatsAndCodes: a number assigned by pseudonym cannot be entered by its code.
func TestSeatsAndCodes(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 2, `model = "paste"`, `model = "rehearsal"`)
	l := testLibrary(t, dir)
	eng, err := l.joinStudy(t.Context(), path, "", "bob")
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	code := study.Code(eng.State().Plan.Study.Hash, 1)
	for _, name := range []string{"", "bob"} {
		if _, err := l.joinStudy(t.Context(), path, code, name); err == nil || !strings.Contains(err.Error(), "joined without a code") {
			t.Errorf("with bob's code as %q: %v", name, err)
		}
	}
}

// TestCloseAndAllow: a study's owner ends a session, which frees its place, and allows continuing one after
// too long a pause; both with a recorded reason.
func TestCloseAndAllow(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 2, `model = "paste"`, `model = "rehearsal"`, "resume_hours = 0 ", "resume_hours = 1 ", `late = "flag"`, `late = "refuse"`)
	l := testLibrary(t, dir)
	eng, err := l.joinStudy(t.Context(), path, "", "ann")
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := l.stamp
	l.stamp = func() session.Stamp {
		later := now()
		later.Wall, later.Process = later.Wall+2*3_600_000, "another"
		return later
	}
	if _, err := l.joinStudy(t.Context(), path, "", "ann"); err == nil || !strings.Contains(err.Error(), "assay study allow") {
		t.Errorf("a session that lay too long goes on: %v", err)
	}
	l.close()
	file, id := filepath.Join(dir, "assay.db"), eng.State().Session
	if _, said, code := runKept(t, file, "study", "close", id); code != 2 || !strings.Contains(said, "--reason") {
		t.Errorf("%d, %s", code, said)
	}
	mustKept(t, file, "study", "allow", id, "--reason", "she was ill")
	mustKept(t, file, "study", "close", id, "--reason", "she left")
	if _, said, code := runKept(t, file, "study", "close", id, "--reason", "again"); code != 1 || !strings.Contains(said, "is abandoned already") {
		t.Errorf("%d, %s", code, said)
	}
	mustKept(t, file, "session", "verify", id)
	if out, _ := mustKept(t, file, "study", "watch"); !strings.Contains(out, "allowed by the study's owner: she was ill") || !strings.Contains(out, "closed by the study's owner: she left") {
		t.Errorf("watch says\n%s", out)
	}
	l = testLibrary(t, dir)
	for _, name := range []string{"ben", "cat"} { // one place was never taken, and one is free again
		next, err := l.joinStudy(t.Context(), path, "", name)
		if err != nil {
			t.Fatalf("%s finds no place: %v", name, err)
		}
		_ = next.Close(t.Context())
	}
	if _, err := l.joinStudy(t.Context(), path, "", "eve"); !errors.Is(err, study.ErrFull) {
		t.Errorf("a third place: %v", err)
	}
}
