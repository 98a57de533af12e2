package live

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/cmd/cli/clitest"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	sessioncmd "assay/cmd/cli/session"
	studycmd "assay/cmd/cli/study"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/study"
)

// verbs are those that the tests run beside the library.
var verbs = clitest.Verbs(studycmd.New, sessioncmd.New)

// testLibrary is a library in dir, with these models.
func testLibrary(t *testing.T, dir string, models ...string) *Library {
	t.Helper()
	var none bytes.Buffer
	io := &console.IO{In: strings.NewReader(""), Out: &none, Err: &none, Getenv: func(string) string { return "" }}
	g := &console.Globals{Store: filepath.Join(dir, "assay.db"), Models: filepath.Join(dir, "models.toml")}
	fatal.If(t, os.WriteFile(g.Models, []byte(strings.Join(models, "")), 0o600))
	l, err := Start(io, g, "", judges.Isolation{Isolation: judges.IsolationWarm})
	if err == nil {
		err = l.Ready()
	}
	fatal.If(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// TestJoining: codes lead to the tester's own sessions, one after the other.
func TestJoining(t *testing.T) {
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 4, clitest.Models(), `model = "paste"`, `model = "rehearsal"`)
	s, b, err := studycmd.LoadStudy(path)
	fatal.If(t, err)
	lock, err := s.Frozen(b, clitest.Models())
	fatal.If(t, err)
	l := testLibrary(t, dir)
	code := study.Code(lock.Hash, 2)
	first, err := l.Join(t.Context(), path, strings.ToLower(code), "ann")
	fatal.If(t, err)
	p := first.State().Plan
	if p.Study == nil || p.Study.Tester != 2 || p.Study.Part != 1 || p.Study.Hash != lock.Hash || p.ModelShown() != p.Study.Shown || p.Tester != "ann" {
		t.Errorf("%+v", p.Study)
	}
	id := first.State().Session
	if next, err := l.Next(t.Context()); next != nil || err != nil {
		t.Errorf("next is %+v while a session is open: %v", next, err)
	}
	since := time.UnixMilli(first.State().Last.Wall).Add(-time.Second)
	_ = first.Close(t.Context())
	var out strings.Builder
	l.Farewell(&console.IO{Out: &out}, &console.Globals{}, since)
	if text := out.String(); !strings.Contains(text, ": practice, not counted. Paused.\nKept in ") || !strings.Contains(text, l.Store.Path()) || !strings.Contains(text, "the command that you began with") {
		t.Errorf("leaving says %q", text)
	}
	l.joined = nil
	out.Reset()
	if l.Farewell(&console.IO{Out: &out}, &console.Globals{Store: "mine.db"}, since); !strings.Contains(out.String(), "'assay --store mine.db' lists it") {
		t.Errorf("leaving says %q", out.String())
	}
	out.Reset()
	if l.Farewell(&console.IO{Out: &out}, &console.Globals{}, since.Add(24*time.Hour)); out.String() != "" {
		t.Errorf("leaving without having worked says %q", out.String())
	}
	again, err := l.Join(t.Context(), path, code, "")
	if err != nil || again.State().Session != id {
		t.Errorf("the open session is not gone on with: %v", err)
	}
	fatal.If(t, again.Close(t.Context()))
	err = engine.Amend(t.Context(), l.Store, id, func(s *session.State) ([]session.Payload, error) {
		return append(engine.Interrupted(s), session.Closed{Reason: "abandoned"}), nil
	})
	fatal.If(t, err)
	next, err := l.Next(t.Context())
	if err != nil || next == nil || next.Study != s.Name || next.Part != 2 || next.Last != len(s.Assign(2)) {
		t.Fatalf("next is %+v: %v", next, err)
	}
	second, err := next.Begin(t.Context())
	if err != nil || second.State().Plan.Study.Part != 2 {
		t.Fatalf("the next session does not begin: %v", err)
	}
	fatal.If(t, second.Close(t.Context()))
	for want, call := range map[string]func() error{
		"--join CODE":                func() error { _, err := l.Join(t.Context(), path, "", ""); return err },
		`this code belongs to "ann"`: func() error { _, err := l.Join(t.Context(), path, code, "ben"); return err },
		"is not a valid join code":   func() error { _, err := l.Join(t.Context(), path, "BRB6-J002-W8", ""); return err },
		"planned for 4":              func() error { _, err := l.Join(t.Context(), path, study.Code(lock.Hash, 5), ""); return err },
		"for another study": func() error {
			_, err := l.Join(t.Context(), path, study.Code(strings.Repeat("ab", 32), 1), "")
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	fatal.If(t, l.Close())
	if out, _ := verbs.Must(t, filepath.Join(dir, "assay.db"), "session", "show", id); !strings.Contains(out, "tester 2, session 1\n") {
		t.Errorf("session show calls the tester's first session\n%s", out)
	}
}

// TestSharedStore: testers without codes get places by their pseudonyms, continue where they were, and
// another tester replaces one who left.
func TestSharedStore(t *testing.T) {
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 2, clitest.Models(), `model = "paste"`, `model = "rehearsal"`)
	l := testLibrary(t, dir)
	join := func(name string) session.InStudy {
		t.Helper()
		eng, err := l.Join(t.Context(), path, "", name)
		fatal.If(t, err)
		in := *eng.State().Plan.Study
		if name == "left" {
			err = eng.Abandon(t.Context())
		}
		fatal.If(t, errors.Join(err, eng.Close(t.Context())))
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
	if _, err := l.Join(t.Context(), path, "", "eve"); !errors.Is(err, study.ErrFull) {
		t.Errorf("a third: %v", err)
	}
}

// TestOnePlaceEach: who works with a code gets no second place by the same pseudonym, and who finds none is told
// which places are kept for others.
func TestOnePlaceEach(t *testing.T) {
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 2, clitest.Models(), `model = "paste"`, `model = "rehearsal"`)
	l := testLibrary(t, dir)
	s, err := l.Frozen(path)
	fatal.If(t, err)
	eng, err := l.Join(t.Context(), path, study.Code(s.Hash, 1), "ann")
	fatal.If(t, errors.Join(err, eng.Close(t.Context())))
	if _, err := l.Join(t.Context(), path, "", "ann"); err == nil || !strings.Contains(err.Error(), `"ann" has place 1 of this study, with a code`) {
		t.Errorf("a second place: %v", err)
	}
	fatal.If(t, s.ChangeReserved(s.Hash, func(list []study.Reserved) ([]study.Reserved, error) {
		return append(list, study.Reserved{Tester: 2, Packed: true}), nil
	}))
	if _, err := l.Join(t.Context(), path, "", "eve"); !errors.Is(err, study.ErrFull) || !strings.Contains(err.Error(), "PLACE --release") {
		t.Errorf("full: %v", err)
	}
}

// TestModelDisappears: a model that disappears during a study leads to an error with a remedy, without the
// name of a blinded model, and without loss.
func TestModelDisappears(t *testing.T) {
	dir := t.TempDir()
	l := testLibrary(t, dir, "[[model]]\nname = \"secret-7b\"\nprovider = \"command\"\ncommand = [\"true\"]\n")
	path := clitest.FrozenStudy(t, dir, 8, l.ModelNamed, `model = "rehearsal"`, `model = "secret-7b"`, `model = "paste"`, `model = "secret-7b"`)
	eng, err := l.Join(t.Context(), path, "", "ann")
	fatal.If(t, err)
	fatal.If(t, errors.Join(eng.OpenTask(t.Context()), eng.Edit(t.Context(), "a beginning"), eng.Close(t.Context())))
	l.Close()
	l = testLibrary(t, dir, "")
	_, err = l.Join(t.Context(), path, "", "ann")
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
	if _, err := l.Store.Append(t.Context(), "ALONE", []session.Event{opened}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Continue(t.Context(), "ALONE"); err == nil || !strings.Contains(err.Error(), "cannot continue without its model") || !strings.Contains(err.Error(), "secret-7b") {
		t.Errorf("going on without the model outside of a study: %v", err)
	}
	l.Close()
	l = testLibrary(t, dir, "[[model]]\nname = \"secret-7b\"\nprovider = \"command\"\ncommand = [\"true\"]\n")
	again, err := l.Join(t.Context(), path, "", "ann")
	if err != nil || again.State().Task().Draft() != "a beginning" {
		t.Fatalf("when it is back: %v", err)
	}
	_ = again.Close(t.Context())
}

// TestSeatsAndCodes: a number assigned by pseudonym cannot be entered by its code.
func TestSeatsAndCodes(t *testing.T) {
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 2, clitest.Models(), `model = "paste"`, `model = "rehearsal"`)
	l := testLibrary(t, dir)
	eng, err := l.Join(t.Context(), path, "", "bob")
	fatal.If(t, err)
	fatal.If(t, eng.Close(t.Context()))
	code := study.Code(eng.State().Plan.Study.Hash, 1)
	for _, name := range []string{"", "bob"} {
		if _, err := l.Join(t.Context(), path, code, name); err == nil || !strings.Contains(err.Error(), "joined without a code") {
			t.Errorf("with bob's code as %q: %v", name, err)
		}
	}
}

// TestCloseAndAllow: a study's owner ends a session, which frees its place, and allows continuing one after
// too long a pause; both with a recorded reason.
func TestCloseAndAllow(t *testing.T) {
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 2, clitest.Models(), `model = "paste"`, `model = "rehearsal"`, "resume_hours = 0 ", "resume_hours = 1 ", `late = "flag"`, `late = "refuse"`)
	l := testLibrary(t, dir)
	eng, err := l.Join(t.Context(), path, "", "ann")
	fatal.If(t, err)
	fatal.If(t, eng.Close(t.Context()))
	now := l.Stamp
	l.Stamp = func() session.Stamp {
		later := now()
		later.Wall, later.Process = later.Wall+2*3_600_000, "another"
		return later
	}
	if _, err := l.Join(t.Context(), path, "", "ann"); err == nil || !strings.Contains(err.Error(), "assay study allow") {
		t.Errorf("a session that lay too long goes on: %v", err)
	}
	l.Close()
	file, id := filepath.Join(dir, "assay.db"), eng.State().Session
	if _, said, code := verbs.On(t, file, "study", "close", id); code != 2 || !strings.Contains(said, "--reason") {
		t.Errorf("%d, %s", code, said)
	}
	verbs.Must(t, file, "study", "allow", id, "--reason", "she was ill")
	verbs.Must(t, file, "study", "close", id, "--reason", "she left")
	if _, said, code := verbs.On(t, file, "study", "close", id, "--reason", "again"); code != 1 || !strings.Contains(said, "is abandoned already") {
		t.Errorf("%d, %s", code, said)
	}
	verbs.Must(t, file, "session", "verify", id)
	if out, _ := verbs.Must(t, file, "study", "watch"); !strings.Contains(out, "allowed by the study's owner: she was ill") || !strings.Contains(out, "closed by the study's owner: she left") {
		t.Errorf("watch says\n%s", out)
	}
	l = testLibrary(t, dir)
	for _, name := range []string{"ben", "cat"} { // one place was never taken, and one is free again
		next, err := l.Join(t.Context(), path, "", name)
		if err != nil {
			t.Fatalf("%s finds no place: %v", name, err)
		}
		_ = next.Close(t.Context())
	}
	if _, err := l.Join(t.Context(), path, "", "eve"); !errors.Is(err, study.ErrFull) {
		t.Errorf("a third place: %v", err)
	}
}
