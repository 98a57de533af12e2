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

// TestArenaOfAStudy: an arm with two models is frozen, packed, blinded and revealed with both, and testers' sides are their
// own.
func TestArenaOfAStudy(t *testing.T) {
	const file = `name = "s"
[tasks]
benchmark = "b"
[[arm]]
name = "both"
model = "careful"
against = "hasty"
shown = "Models X"
[design]
testers = 4
`
	s, err := Parse("study.toml", file)
	fatal.If(t, err)
	b := &benchmark.Benchmark{Name: "b", Tasks: []benchmark.Task{{ID: "one", Language: "python"}, {ID: "two", Language: "python"}}}
	find := func(name string) (session.Model, error) {
		return session.Model{Name: name, Provider: "openai", Model: name + "-7b", Definition: name[:1] + "123"}, nil
	}
	lock, err := s.Lock(b, find)
	fatal.If(t, err)
	models, err := s.Arms[0].Models(find)
	fatal.If(t, err)
	plan, _, err := s.Plan(b, lock.Hash, 1, 1, "ann", models...)
	fatal.If(t, err)
	text, _ := json.Marshal(plan)
	for _, name := range []string{"careful", "hasty", "openai"} {
		if strings.Contains(string(text), name) {
			t.Errorf("the plan reveals %q: %s", name, text)
		}
	}
	if plan.ModelShown() != "Models X" || plan.Model.Name != "Models X" || plan.Arena.Models[1].Definition != "h123" {
		t.Errorf("%+v, %+v", plan.Model, plan.Arena)
	}
	fatal.If(t, lock.Of(plan))
	other, _, err := s.Plan(b, lock.Hash, 2, 1, "ben", models...)
	fatal.If(t, err)
	if other.Arena.Seed == plan.Arena.Seed {
		t.Error("two testers have the same draws of sides")
	}
	log := []session.Event{{Seq: 1, Payload: session.Opened{Session: "S", Plan: plan}}}
	seen := Reveal([]Unblinding{{At: time.Unix(1, 0), Hash: lock.Hash, Arms: lock.Arms}}, log)[0].Payload.(session.Opened).Plan
	if seen.Arena.Models != [2]session.Model{models[0], models[1]} || seen.Model.Name != "careful + hasty" || plan.Arena.Models[0].Name != "Models X, first" {
		t.Errorf("revealed as %+v", seen.Arena)
	}
	swapped := plan
	swapped.Arena = &session.Arena{Models: [2]session.Model{plan.Arena.Models[1], plan.Arena.Models[0]}}
	if lock.Of(swapped) == nil {
		t.Error("other models are taken for the frozen ones")
	}
	text2, published, err := s.Publish(lock, true)
	if err != nil || strings.Contains(string(text2)+string(published), "hasty") {
		t.Errorf("published blind: %s\n%s\n%v", text2, published, err)
	}
	p, err := s.Pack(b, lock, []llm.Portable{{}, {}}, 3)
	fatal.If(t, err)
	var packed bytes.Buffer
	fatal.If(t, p.Write(&packed))
	read, err := ReadPacked(packed.Bytes())
	fatal.If(t, err)
	if _, models, err := read.Unpack("place.study", t.TempDir()); err != nil || len(models) != 2 {
		t.Errorf("%d models, %v", len(models), err)
	}
	if _, _, err := s.Plan(b, lock.Hash, 1, 1, "ann", models[0]); err == nil {
		t.Error("a session of two models is planned with one")
	}
	for _, bad := range []struct{ old, new, want string }{
		{`against = "hasty"`, `against = "careful"`, "arm.0.against: a model cannot be compared with itself"},
		{`shown = "Models X"`, `shown = "Hasty"`, `reveals the model "hasty"`},
		{`testers = 4`, "testers = 4\norder = \"adaptive\"", "an adaptive test measures work with one model"},
	} {
		if _, err := Parse("study.toml", strings.Replace(file, bad.old, bad.new, 1)); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: %v", bad.new, err)
		}
	}
	paste := func(name string) (session.Model, error) { return session.Model{Name: name, Provider: "paste"}, nil }
	if _, err := s.Lock(b, paste); err == nil || !strings.Contains(err.Error(), "answers that are pasted come one by one") {
		t.Errorf("%v", err)
	}
}
