package study

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/llm"
)

// small is a blind study of two tasks, with its benchmark, frozen.
func small(t *testing.T) (*Study, *benchmark.Benchmark, Lock) {
	t.Helper()
	s, err := Parse("study.toml", `name = "s"
[tasks]
benchmark = "b"
[[arm]]
name = "first"
model = "careful"
shown = "Model A"
[[arm]]
name = "second"
model = "hasty"
shown = "Model B"
[design]
testers = 4
`)
	fatal.If(t, err)
	b := &benchmark.Benchmark{Name: "b", Tasks: []benchmark.Task{{ID: "one", Language: "python"}, {ID: "two", Language: "python"}}}
	lock, err := s.Lock(b, func(name string) (session.Model, error) {
		return session.Model{Name: name, Provider: "paste", Definition: name[:1] + "123"}, nil
	})
	fatal.If(t, err)
	return s, b, lock
}

// TestPacked: a packed study has the study's plan and lock; no text in it can be read, and no byte altered.
func TestPacked(t *testing.T) {
	s, b, lock := small(t)
	p, err := s.Pack(b, lock, []llm.Portable{{}, {}}, 3)
	fatal.If(t, err)
	var file bytes.Buffer
	fatal.If(t, p.Write(&file))
	for _, word := range []string{"careful", "hasty", "python", "arm"} {
		if bytes.Contains(file.Bytes(), []byte(word)) {
			t.Errorf("%q can be read", word)
		}
	}
	read, err := ReadPacked(file.Bytes())
	fatal.If(t, err)
	again, models, err := read.Unpack("place.study", t.TempDir())
	if err != nil || len(models) != 2 || read.Tester != 3 || read.Code != Code(lock.Hash, 3) || read.Parts != 1 {
		t.Fatalf("%+v, %v", read.Ticket, err)
	}
	m := session.Model{Name: "careful", Provider: "openai", Model: "careful-7b", Definition: "x"}
	want, _, err := s.Plan(b, lock.Hash, 3, 1, "ann", m)
	fatal.If(t, err)
	got, _, err := again.Plan(&read.Benchmark, lock.Hash, 3, 1, "ann", m)
	wanted, _ := json.Marshal(want)
	if text, _ := json.Marshal(got); err != nil || !bytes.Equal(text, wanted) {
		t.Errorf("the plan is\n%s, not\n%s: %v", text, wanted, err)
	}
	for i := range file.Len() {
		altered := bytes.Clone(file.Bytes())
		altered[i] ^= 1
		if _, err := ReadPacked(altered); err == nil {
			t.Fatalf("byte %d can be altered", i)
		}
	}
	for _, cut := range []int{0, 1, bytes.IndexByte(file.Bytes(), '\n') + 3, file.Len() - 1} {
		if _, err := ReadPacked(file.Bytes()[:cut]); err == nil {
			t.Errorf("it can be cut after %d bytes", cut)
		}
	}
}

// TestBlindLogs: the plan of a blind study names no model, and the lock reveals it for the report.
func TestBlindLogs(t *testing.T) {
	s, b, lock := small(t)
	secret := session.Model{Name: "careful", Provider: "openai", Model: "careful-7b", Definition: "c123"}
	plan, _, err := s.Plan(b, lock.Hash, 1, 1, "ann", secret)
	fatal.If(t, err)
	text, _ := json.Marshal(plan)
	if strings.Contains(string(text), `"careful`) || strings.Contains(string(text), "openai") || plan.Model.Definition != secret.Definition {
		t.Errorf("the plan reveals its model: %s", text)
	}
	if err := lock.Of(plan); err != nil {
		t.Error(err)
	}
	log := []session.Event{{Seq: 1, Payload: session.Opened{Session: "S", Plan: plan}}}
	lock.Arms[0].Provider, lock.Arms[0].ModelID = "openai", "careful-7b"
	record := Unblinding{At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Hash: plan.Study.Hash, Reason: "all are done", Planned: 8, Sessions: 5, Finished: 4, Arms: lock.Arms}
	seen := Reveal([]Unblinding{{Hash: "another"}, record}, log)[0].Payload.(session.Opened).Plan
	if m := seen.Model; m != secret {
		t.Errorf("revealed as %+v", m)
	}
	if want := "unblinded on 2026-01-02, when 4 of 8 sessions were finished: all are done"; seen.Study.Unblinded != want {
		t.Errorf("it tells %q, want %q", seen.Study.Unblinded, want)
	}
	if was := log[0].Payload.(session.Opened).Plan; was.Model.Name != "Model A" || was.Study.Unblinded != "" {
		t.Error("revealing changes the log")
	}
	for name, change := range map[string]func(*session.Plan){
		"another study": func(p *session.Plan) { p.Study.Hash = "other" },
		"another model": func(p *session.Plan) { p.Model.Definition = "other" },
		"another arm":   func(p *session.Plan) { p.Study.Arm = "third" },
		"another task":  func(p *session.Plan) { p.Tasks[0].Content = "other" },
	} {
		p, _, err := s.Plan(b, lock.Hash, 1, 1, "ann", secret)
		fatal.If(t, err)
		if change(&p); lock.Of(p) == nil {
			t.Errorf("%s is taken for the frozen one", name)
		}
	}
	file, published, err := s.Publish(lock, true)
	if err != nil || strings.Contains(string(file)+string(published), "careful") || !strings.Contains(string(published), lock.Hash) {
		t.Errorf("published blind: %s\n%s\n%v", file, published, err)
	}
}
