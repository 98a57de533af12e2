package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/cmd/cli/console"
	studycmd "assay/cmd/cli/study"
	"assay/session"
	"assay/session/report/sessions"
	"assay/session/simulate"
	"assay/session/study"
	"assay/store"
)

// frozenStudy writes and freezes a study for a number of testers.
func frozenStudy(t *testing.T, dir string, testers int, edits ...string) string {
	t.Helper()
	text := strings.Replace(study.Example(), "testers = 8 ", fmt.Sprintf("testers = %d ", testers), 1)
	text = strings.NewReplacer(edits...).Replace(text)
	path := filepath.Join(dir, "study.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	mustKept(t, filepath.Join(dir, "none.db"), "study", "freeze", path)
	return path
}

// testModels are the built-in models.
func testModels() study.Model {
	return studycmd.NamedModel(&console.IO{Getenv: func(string) string { return "" }}, &console.Globals{})
}

// worked creates the sessions of a tester in a separate store, and packs them.
func worked(t *testing.T, dir, path string, tester int) string {
	t.Helper()
	return workedAs(t, dir, path, tester, "01J")
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// workedAs is worked with a prefix for session ids.
func workedAs(t *testing.T, dir, path string, tester int, begin string) string {
	t.Helper()
	s, b, err := studycmd.LoadStudy(path)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := s.Frozen(b, testModels())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, fmt.Sprintf("tester-%d.db", tester))
	kept, err := store.Open(file, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for part := range s.Assign(tester) {
		arm := s.Arms[s.Assign(tester)[part].Arm]
		plan, tasks, err := s.Plan(b, lock.Hash, tester, part+1, fmt.Sprintf("T%02d", tester), session.Model{Name: arm.Model, Provider: "made up"})
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("%s%021d%02d", begin, tester, part)
		events, texts, err := simulate.Session{ID: id, Plan: plan, Seed: uint64(tester*10 + part), Wall: 1_700_000_000_000}.Log()
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			ref, text := session.TaskContent(task)
			texts[ref] = text
		}
		if _, err := kept.Append(context.Background(), id, events, texts); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, fmt.Sprintf("tester-%d.assay", tester))
	mustKept(t, file, "session", "export", "--bundle", out, "all")
	return out
}

// TestTwentyTestersAreCollected: twenty testers with twenty stores become one report; files of others are
// rejected by name, without side effects.
func TestTwentyTestersAreCollected(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 20)
	var files []string
	for tester := 1; tester <= 20; tester++ {
		files = append(files, worked(t, dir, path, tester))
	}
	all := filepath.Join(dir, "all.db")
	out, _ := mustKept(t, all, append([]string{"study", "collect", "--study", path}, files...)...)
	if strings.Count(out, "collected session") != 40 {
		t.Errorf("collect says\n%s", out)
	}
	out, _ = mustKept(t, all, "report", "all", "--json")
	var r sessions.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Number != 40 || r.Testers != 20 || r.Arms == nil || len(r.Arms.Arms) != 2 || len(r.Arms.Pairs) != 1 || !r.Arms.Pairs[0].Paired || r.Arms.Pairs[0].Tasks != 6 {
		t.Errorf("%d sessions, %d testers, arms %+v", r.Number, r.Testers, r.Arms)
	}

	refused := func(want string, args ...string) {
		t.Helper()
		before, _ := mustKept(t, all, "session", "verify", "--json")
		_, errs, code := runKept(t, all, append([]string{"study", "collect"}, args...)...)
		if code != console.ExitError || !strings.Contains(errs, want) {
			t.Errorf("collect %v: %d, %s; want %s", args, code, errs, want)
		}
		if after, _ := mustKept(t, all, "session", "verify", "--json"); after != before {
			t.Errorf("collect %v left a trace", args)
		}
	}
	stored, _ := mustKept(t, all, "session", "verify", "--json")
	if out, _ := mustKept(t, all, "study", "collect", "--study", path, files[3]); !strings.Contains(out, "nothing new: the store already has all of session 01J00000000000000000000400") {
		t.Errorf("collecting a file twice says %q", out)
	}
	if again, _ := mustKept(t, all, "session", "verify", "--json"); again != stored {
		t.Error("collecting a file twice changes the store")
	}
	again := t.TempDir()
	if err := os.WriteFile(filepath.Join(again, "study.toml"), mustRead(t, path), 0o600); err != nil {
		t.Fatal(err)
	}
	mustKept(t, filepath.Join(again, "none.db"), "study", "freeze", filepath.Join(again, "study.toml"))
	refused("two people may have used one join code", "--study", path, workedAs(t, again, filepath.Join(again, "study.toml"), 7, "01K"))

	tampered := filepath.Join(dir, "tampered.assay")
	text, err := os.ReadFile(files[4])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(tampered, text, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("refused "+tampered, tampered)

	later := t.TempDir()
	next := worked(t, later, frozenStudy(t, later, 20, "version = 1 ", "version = 2 "), 1)
	refused(`version 2, frozen as`, "--study", path, next)

	// A tester's submission leaves out rehearsals, and a collection leaves out sessions of other studies.
	mixed, both := filepath.Join(dir, "mixed.db"), filepath.Join(dir, "mixed.assay")
	mustKept(t, mixed, "study", "collect", files[0])
	mustKept(t, mixed, append([]string{"session", "import", "--name", "rehearsal"}, keptStudy(t)...)...)
	mustKept(t, mixed, "session", "export", "--bundle", both, "--study", path)
	out, _ = mustKept(t, filepath.Join(dir, "fresh.db"), "study", "collect", "--study", path, both)
	if strings.Count(out, "collected session") != 2 || strings.Contains(out, "left out") {
		t.Errorf("what was packed of the study is collected: %s", out)
	}
	two := filepath.Join(dir, "two.db")
	mustKept(t, two, "study", "collect", files[1])
	mustKept(t, two, "study", "collect", "--study", filepath.Join(later, "study.toml"), next)
	mustKept(t, two, "session", "export", "--bundle", both, "--force", "all")
	out, _ = mustKept(t, filepath.Join(dir, "third.db"), "study", "collect", "--study", path, both)
	if strings.Count(out, "collected session") != 2 || strings.Count(out, "left out: session ") != 2 {
		t.Errorf("of sessions of two studies those of the one are collected: %s", out)
	}
	refused("another frozen version", files[0], next)

	// The same session with other events.
	forged := t.TempDir()
	same := frozenStudy(t, forged, 20)
	other := filepath.Join(forged, "other.db")
	kept, err := store.Open(other, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, b, err := studycmd.LoadStudy(same)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := s.Frozen(b, testModels())
	if err != nil {
		t.Fatal(err)
	}
	plan, tasks, err := s.Plan(b, lock.Hash, 1, 1, "T01", session.Model{Name: "rehearsal"})
	if err != nil {
		t.Fatal(err)
	}
	events, texts, err := simulate.Session{ID: "01J00000000000000000000100", Plan: plan, Seed: 99}.Log()
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		ref, text := session.TaskContent(task)
		texts[ref] = text
	}
	if _, err := kept.Append(context.Background(), "01J00000000000000000000100", events, texts); err != nil {
		t.Fatal(err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(forged, "copy.assay")
	mustKept(t, other, "session", "export", "--bundle", copied, "all")
	refused("a different copy of session", "--study", path, copied)
}

// TestJoining: codes lead to the tester's own sessions, one after the other.
func TestJoining(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 4, `model = "paste"`, `model = "rehearsal"`)
	s, b, err := studycmd.LoadStudy(path)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := s.Frozen(b, testModels())
	if err != nil {
		t.Fatal(err)
	}
	l := testLibrary(t, dir)
	code := study.Code(lock.Hash, 2)
	first, err := l.joinStudy(t.Context(), path, strings.ToLower(code), "ann")
	if err != nil {
		t.Fatal(err)
	}
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
	l.farewell(&console.IO{Out: &out}, &console.Globals{}, since)
	if text := out.String(); !strings.Contains(text, ": practice, not counted. Paused, and kept in ") || !strings.Contains(text, l.store.Path()) || !strings.Contains(text, "the command that you began with") {
		t.Errorf("leaving says %q", text)
	}
	l.joined = nil
	out.Reset()
	if l.farewell(&console.IO{Out: &out}, &console.Globals{Store: "mine.db"}, since); !strings.Contains(out.String(), "'assay --store mine.db' lists it") {
		t.Errorf("leaving says %q", out.String())
	}
	out.Reset()
	if l.farewell(&console.IO{Out: &out}, &console.Globals{}, since.Add(24*time.Hour)); out.String() != "" {
		t.Errorf("leaving without having worked says %q", out.String())
	}
	again, err := l.joinStudy(t.Context(), path, code, "")
	if err != nil || again.State().Session != id {
		t.Errorf("the open session is not gone on with: %v", err)
	}
	if err := again.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = studycmd.Record(t.Context(), l.store, id, func(s *session.State) ([]session.Payload, error) {
		return append(studycmd.Interrupted(s), session.Closed{Reason: "abandoned"}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	next, err := l.Next(t.Context())
	if err != nil || next == nil || next.Study != s.Name || next.Part != 2 || next.Last != len(s.Assign(2)) {
		t.Fatalf("next is %+v: %v", next, err)
	}
	second, err := next.Begin(t.Context())
	if err != nil || second.State().Plan.Study.Part != 2 {
		t.Fatalf("the next session does not begin: %v", err)
	}
	if err := second.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func() error{
		"--join CODE":                func() error { _, err := l.joinStudy(t.Context(), path, "", ""); return err },
		`this code belongs to "ann"`: func() error { _, err := l.joinStudy(t.Context(), path, code, "ben"); return err },
		"is not a valid join code":   func() error { _, err := l.joinStudy(t.Context(), path, "BRB6-J002-W8", ""); return err },
		"planned for 4":              func() error { _, err := l.joinStudy(t.Context(), path, study.Code(lock.Hash, 5), ""); return err },
		"for another study": func() error {
			_, err := l.joinStudy(t.Context(), path, study.Code(strings.Repeat("ab", 32), 1), "")
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	if out, _ := mustKept(t, filepath.Join(dir, "assay.db"), "session", "show", id); !strings.Contains(out, "tester 2, session 1\n") {
		t.Errorf("session show calls the tester's first session\n%s", out)
	}
}
