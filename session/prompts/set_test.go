package prompts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/session/llm"
)

func noon() time.Time { return time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC) }

// made is a new file for prompts.
func made(t testing.TB, reviewers int) *Set {
	t.Helper()
	s, err := Create(filepath.Join(t.TempDir(), "prompts.jsonl"), Header{Benchmark: "b", Author: Author{Name: "writer"}, Reviewers: reviewers})
	fatal.If(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// propose keeps a candidate for the task median.
func propose(t testing.TB, s *Set, level, wording int, text string) {
	t.Helper()
	fatal.If(t, s.Propose(Candidate{Task: "median", Basis: Basis(median()), Level: level, Wording: wording, Text: text, At: noon()}))
}

func decide(t testing.TB, s *Set, who string, level, wording int, v Verdict, text string, change ...func(*Decision)) {
	t.Helper()
	d := Decision{Task: "median", Level: level, Wording: wording, Reviewer: who, Verdict: v, Text: text, At: noon()}
	for _, c := range change {
		c(&d)
	}
	fatal.If(t, s.Decide(d))
}

// used formats usable prompts as name:review:text.
func used(s *Set, unreviewed bool) string {
	var list []string
	for _, p := range s.For(median(), unreviewed) {
		text, rest, _ := strings.Cut(p.Text, "\n")
		if rest != "\nWrite it in Python with this signature:\n\n    median(xs: list)\n" {
			rest = "without its interface"
			text += rest
		}
		list = append(list, fmt.Sprintf("%s:%s:%s", strings.TrimPrefix(p.Name, "context-"), p.Review, text))
	}
	return strings.Join(list, " ")
}

// reopened is the set as read from the file again.
func reopened(t testing.TB, s *Set) *Set {
	t.Helper()
	again, err := Open(s.Path)
	fatal.If(t, err)
	return again
}

func TestOneReviewer(t *testing.T) {
	s := made(t, 1)
	for i, text := range []string{"a", "b", "c", "d"} {
		propose(t, s, 1, i+1, text)
	}
	if got := used(s, false); got != "" {
		t.Errorf("before any review %q may be used", got)
	}
	decide(t, s, "ann", 1, 1, Accept, "")
	decide(t, s, "ann", 1, 2, Edit, "B")
	decide(t, s, "ann", 1, 3, Reject, "", func(d *Decision) { d.Reason = "wrong" })
	for _, set := range []*Set{s, reopened(t, s)} {
		if got, want := used(set, false), "1.1:accepted:a 1.2:edited:B"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got, want := used(set, true), "1.1:accepted:a 1.2:edited:B 1.4:unreviewed:d"; got != want {
			t.Errorf("with those not decided on %q, want %q", got, want)
		}
	}
	// A changed decision is undone.
	decide(t, s, "ann", 1, 2, Reject, "")
	decide(t, s, "ann", 1, 1, Undone, "")
	if got := used(s, true); got != "1.1:unreviewed:a 1.4:unreviewed:d" {
		t.Errorf("%q", got)
	}
	decide(t, s, "ann", 1, 2, Undone, "")
	if got := used(reopened(t, s), false); got != "1.2:edited:B" {
		t.Errorf("%q", got)
	}
	if err := s.Decide(Decision{Task: "median", Level: 1, Wording: 4, Reviewer: "ann", Verdict: Undone}); err == nil {
		t.Error("what was not decided is taken back")
	}
	// Another candidate is unreviewed; if it is dropped, the previous one counts again.
	propose(t, s, 1, 2, "second")
	if got := used(s, true); !strings.Contains(got, "1.2:unreviewed:second") {
		t.Errorf("%q", got)
	}
	fatal.If(t, s.Drop(s.Entries(median(), "")[1], "ann", noon()))
	if got := used(reopened(t, s), false); got != "1.2:edited:B" {
		t.Errorf("%q", got)
	}
	propose(t, s, 1, 2, "third")
	if got := used(reopened(t, s), true); !strings.Contains(got, "1.2:unreviewed:third") {
		t.Errorf("%q", got)
	}
	// A task with another statement has other prompts; one with other tests does not.
	changed := median()
	changed.Tests.Check = "def check(f): pass"
	if s.Stale(changed) != 0 {
		t.Error("tests make prompts stale")
	}
	changed.Description += " Quickly."
	if len(s.For(changed, true)) != 0 || s.Stale(changed) != 4 {
		t.Errorf("%v may be used, %d are stale", s.For(changed, true), s.Stale(changed))
	}
}

// A draft is private to its reviewer, is saved, and ends with the decision.
func TestDrafts(t *testing.T) {
	s := made(t, 2)
	propose(t, s, 1, 1, "a")
	d := Draft{Task: "median", Level: 1, Wording: 1, Number: 1, Reviewer: "ann", Text: "ab", At: noon()}
	fatal.If(t, s.KeepDraft(d))
	again := reopened(t, s)
	for who, want := range map[string]string{"ann": "ab", "bob": "", "": ""} {
		if got := again.Entries(median(), who)[0]; got.Draft != want || got.Text != "a" || got.Review != Unreviewed {
			t.Errorf("%q sees %+v", who, got)
		}
	}
	decide(t, s, "bob", 1, 1, Accept, "")
	if got := s.Entries(median(), "ann")[0].Draft; got != "ab" {
		t.Errorf("another's decision leaves the draft %q", got)
	}
	decide(t, s, "ann", 1, 1, Edit, "abc")
	if got := reopened(t, s).Entries(median(), "ann")[0].Draft; got != "" {
		t.Errorf("after the decision the draft is %q", got)
	}
	if d.Number = 2; s.KeepDraft(d) == nil {
		t.Error("a draft of a candidate that there is not")
	}
}

// Two reviewers: neither sees the other's decision before deciding; prompts they disagree on are not used
// until settled.
func TestTwoReviewers(t *testing.T) {
	s := made(t, 2)
	for i := range 5 {
		propose(t, s, 2, i+1, string(rune('a'+i)))
	}
	decide(t, s, "ann", 2, 1, Accept, "")
	decide(t, s, "ann", 2, 2, Accept, "")
	decide(t, s, "ann", 2, 3, Edit, "C")
	decide(t, s, "ann", 2, 4, Reject, "")
	if got := used(s, false); got != "" {
		t.Errorf("after one of two reviewers %q may be used", got)
	}
	if got := used(s, true); got != "2.1:unreviewed:a 2.2:unreviewed:b 2.3:unreviewed:C 2.5:unreviewed:e" {
		t.Errorf("unreviewed: %q", got)
	}
	for _, e := range s.Entries(median(), "bob") {
		if e.Review != Unreviewed || len(e.Decisions) != 0 || e.Text != e.Candidate.Text {
			t.Errorf("bob sees of %s: %s, %q, %v", e.Name, e.Review, e.Text, e.Decisions)
		}
	}
	if got := s.Entries(median(), "ann")[2]; got.Review != Edited || got.Text != "C" {
		t.Errorf("ann sees of her own %s, %q", got.Review, got.Text)
	}
	decide(t, s, "bob", 2, 1, Accept, "")
	decide(t, s, "bob", 2, 2, Reject, "")
	decide(t, s, "bob", 2, 3, Edit, "c!")
	if got := used(s, false); got != "2.1:accepted:a" {
		t.Errorf("%q", got)
	}
	for _, e := range s.Entries(median(), "bob")[1:3] {
		if e.Review != Disputed || len(e.Decisions) != 2 {
			t.Errorf("%s: %s, %v", e.Name, e.Review, e.Decisions)
		}
	}
	if got := used(s, true); got != "2.1:accepted:a 2.5:unreviewed:e" {
		t.Errorf("with those not decided on %q", got)
	}
	settle := func(d *Decision) { d.Resolution = true }
	decide(t, s, "ann", 2, 2, Reject, "", settle)
	decide(t, s, "ann", 2, 3, Edit, "both", settle)
	if got := used(reopened(t, s), false); got != "2.1:accepted:a 2.3:edited:both" {
		t.Errorf("%q", got)
	}
	decide(t, s, "ann", 2, 3, Undone, "")
	if got := s.Entries(median(), "")[2].Review; got != Disputed {
		t.Errorf("with the resolution taken back it is %s", got)
	}
	if got := CountAll(s); got.States[Disputed] != 1 || got.By["ann"] != 4 || got.By["bob"] != 3 {
		t.Errorf("%+v", got)
	}
	if got := Count(s, median()); got.States[Disputed] != 1 || got.States[Rejected] != 1 || got.States[Unreviewed] != 2 || len(got.Disputes) != 1 || len(got.Disputes[0].Decisions) != 2 {
		t.Errorf("%+v", got)
	}
}

// A line cut off by a crash is ignored, one that lacks only its line break is read; when the file is
// changed, the first is removed, the second is terminated, and new lines follow on a separate line.
func TestTornLine(t *testing.T) {
	s := made(t, 1)
	propose(t, s, 1, 1, "a")
	propose(t, s, 1, 2, "b")
	fatal.If(t, s.Close())
	whole := fatal.Read(t, s.Path)
	first := strings.Index(string(whole), "\n") + 1
	second := first + strings.Index(string(whole)[first:], "\n") + 1
	for cut := 1; cut < len(whole); cut++ {
		fatal.If(t, os.WriteFile(s.Path, whole[:cut], 0o600))
		again, err := Change(s.Path)
		if cut < first-1 {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("cut at %d in the first line: %v", cut, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		want := ""
		if cut >= second-1 {
			want = "1.1:unreviewed:a"
		}
		if cut == len(whole)-1 {
			want += " 1.2:unreviewed:b"
		}
		if got := used(again, true); got != want {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
		propose(t, again, 1, 3, "c")
		fatal.If(t, again.Close())
		if got := used(reopened(t, again), true); got != strings.TrimSpace(want+" 1.3:unreviewed:c") {
			t.Fatalf("cut at %d, then one more: %q", cut, got)
		}
	}
}

// The error about an invalid line names it.
func TestBadLines(t *testing.T) {
	s := made(t, 1)
	propose(t, s, 1, 1, "a")
	good := fatal.Read(t, s.Path)
	for _, tc := range []struct{ line, want string }{
		{"no JSON", "not a line of a file of prompts"},
		{`{"candidat":{}}`, "unknown field"},
		{`{}`, "not a candidate or a decision"},
		{`{"candidate":{"task":"median","level":4,"wording":1,"number":1,"text":"x"}}`, "no level 4"},
		{`{"candidate":{"task":"median","level":1,"wording":1,"number":1,"text":"x"}}`, "already exists"},
		{`{"candidate":{"task":"median","level":1,"wording":2,"number":1,"text":" "}}`, "no text"},
		{`{"decision":{"task":"median","level":1,"wording":2,"number":1,"reviewer":"x","verdict":"accept"}}`, "no candidate 1"},
		{`{"decision":{"task":"median","level":1,"wording":1,"number":1,"verdict":"accept"}}`, "no reviewer"},
		{`{"decision":{"task":"median","level":1,"wording":1,"number":1,"reviewer":"x","verdict":"good"}}`, "not a verdict"},
		{`{"decision":{"task":"median","level":1,"wording":1,"number":1,"reviewer":"x","verdict":"edit"}}`, "no text"},
		{`{"dropped":{"task":"median","level":1,"wording":1,"number":1}}`, "not the last of several"},
		{`{"candidate":null} {}`, "data after the object"},
	} {
		path := filepath.Join(t.TempDir(), "p.jsonl")
		fatal.If(t, os.WriteFile(path, append(append([]byte{}, good...), tc.line+"\n"...), 0o600))
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path+":3: ") || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "fix or delete") {
			t.Errorf("%s: %v, want %q", tc.line, err, tc.want)
		}
	}
	path := filepath.Join(t.TempDir(), "p.jsonl")
	fatal.If(t, os.WriteFile(path, []byte("{\"assay_prompts\":9}\n"), 0o600))
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "p.jsonl:1: ") || !strings.Contains(err.Error(), "is 9") {
		t.Errorf("another version: %v", err)
	}
	if _, err := Open(path + "x"); err == nil || !strings.Contains(err.Error(), "assay prompts write") {
		t.Errorf("no file: %v", err)
	}
}

// An open file is locked for others, and a read-only file is not changed.
func TestOneAtATime(t *testing.T) {
	s := made(t, 1)
	if _, err := Change(s.Path); err == nil || !strings.Contains(err.Error(), "another assay") {
		t.Errorf("a second writer: %v", err)
	}
	if err := reopened(t, s).Propose(Candidate{Task: "x", Level: 1, Wording: 1, Text: "x"}); !errors.Is(err, errReadOnly) {
		t.Errorf("a reader writes: %v", err)
	}
	if _, err := Create(s.Path, Header{}); err == nil {
		t.Error("a file is written over")
	}
}

// For random reviews, the file agrees with memory, and no rejected or disputed prompt is used.
func TestAnyReview(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		s, err := Create(filepath.Join(dir, fmt.Sprint(n)), Header{Reviewers: rapid.IntRange(1, 2).Draw(rt, "reviewers")})
		fatal.If(rt, err)
		for range rapid.IntRange(1, 25).Draw(rt, "events") {
			level, wording := rapid.IntRange(1, 3).Draw(rt, "level"), rapid.IntRange(1, 2).Draw(rt, "wording")
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0, 1:
				propose(t, s, level, wording, rapid.StringMatching("[a-c]").Draw(rt, "text"))
			case 2:
				if list := s.Entries(median(), ""); len(list) > 0 {
					_ = s.Drop(list[0], "ann", noon()) // refused where it is the only one
				}
			default:
				_ = s.Decide(Decision{ // refused where there is nothing to decide
					Task: "median", Level: level, Wording: wording, Reviewer: rapid.SampledFrom([]string{"ann", "bob"}).Draw(rt, "who"),
					Verdict: rapid.SampledFrom([]Verdict{Accept, Edit, Reject, Undone}).Draw(rt, "verdict"), Text: "edited", Resolution: rapid.Bool().Draw(rt, "resolution"),
				})
			}
		}
		if a, b := used(s, true), used(reopened(t, s), true); a != b {
			rt.Fatalf("%q in memory, %q in the file", a, b)
		}
		for _, p := range s.For(median(), true) {
			if p.Review == Rejected || p.Review == Disputed {
				rt.Fatalf("%+v may be used", p)
			}
		}
		fatal.If(rt, s.Close())
	})
}

func TestSameModel(t *testing.T) {
	a := AuthorOf(llm.Model{Name: "w", Provider: "openai", Model: "Qwen/Qwen2.5-Coder-7B", BaseURL: "http://a/v1"})
	for _, tc := range []struct {
		m    llm.Model
		want bool
	}{
		{llm.Model{Name: "w", Provider: "openai", Model: "other"}, true},
		{llm.Model{Name: "x", Provider: "ollama", Model: "qwen2.5-coder-7b:latest"}, true},
		{llm.Model{Name: "x", Provider: "openai", Model: "qwen2.5-coder-32b"}, false},
		{llm.Model{Name: "x", Provider: "command", Command: []string{"a"}}, false},
	} {
		if got := a.Same(tc.m); got != tc.want {
			t.Errorf("%+v: %v", tc.m, got)
		}
	}
}

// Naming lists the used prompts that contain the reference's identifiers: in their reviewed wording,
// without the interface that is sent with them.
func TestNaming(t *testing.T) {
	s := made(t, 1)
	propose(t, s, 1, 1, "Call half_way.")
	propose(t, s, 2, 1, "Call half_way.")
	propose(t, s, 2, 2, "Take the middle.")
	propose(t, s, 2, 3, "Take the highEnd.")
	propose(t, s, 2, 4, "Keep idx.")
	propose(t, s, 3, 1, "Call half_way.")
	decide(t, s, "ann", 2, 1, Accept, "")
	decide(t, s, "ann", 2, 3, Reject, "")
	for unreviewed, want := range map[bool]string{false: "context-2.1", true: "context-2.1 context-2.4"} {
		if got := strings.Join(s.Naming(median(), unreviewed), " "); got != want {
			t.Errorf("with those not reviewed %v: %q, want %q", unreviewed, got, want)
		}
	}
	decide(t, s, "ann", 2, 1, Edit, "Take the middle of two.")
	decide(t, s, "ann", 2, 4, Edit, "Keep `count`.")
	if got := strings.Join(s.Naming(median(), false), " "); got != "context-2.4" {
		t.Errorf("after edits: %q", got)
	}
	task := median()
	task.Reference = ""
	if got := s.Naming(task, true); len(got) != 0 {
		t.Errorf("without a reference: %q", got)
	}
}
