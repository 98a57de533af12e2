package study

import (
	"testing"
	"time"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/simulate"
)

func TestWatch(t *testing.T) {
	s, err := Parse("study.toml", Example())
	fatal.If(t, err)
	plan, _, err := s.Plan(someBenchmark(), "", 2, 1, "ann", session.Model{Name: "m"})
	fatal.If(t, err)
	events, texts, err := simulate.Session{ID: "s", Plan: plan, Seed: 4, Answer: func(task, attempt int) string {
		return [...]string{"def f(): pass", "As an AI assistant called Claude, I …", "Use a class as gpt does."}[min(task, 2)]
	}}.Log()
	fatal.If(t, err)
	read := func(ref session.Ref) ([]byte, error) { return texts[ref], nil }
	p, err := Watch(events, read, benchmark.Filter{})
	fatal.If(t, err)
	if p.Tester != "ann" || p.Number != 2 || p.Part != 1 || p.Status != "finished" || p.Done != p.Tasks || p.Rated != p.Tasks || p.Pace < time.Second {
		t.Errorf("%+v", p)
	}
	if len(p.Leaks) == 0 {
		t.Error("no leak is found")
	}
	for _, l := range p.Leaks {
		if l.Task != plan.Tasks[1].ID || l.Words != "As an AI assistant called Claude" {
			t.Errorf("leak %+v", l)
		}
	}
	half, err := Watch(events[:len(events)/2], nil, benchmark.Filter{})
	if err != nil || half.Status != "open" || half.Done >= half.Tasks || len(half.Leaks) > 0 {
		t.Errorf("%+v, %v", half, err)
	}
}

func TestModelsThatNameThemselves(t *testing.T) {
	for text, want := range map[string]bool{
		"I'm Claude, made by Anthropic.": true, "I am ChatGPT": true, "as a large language model trained by OpenAI": true, "My name is Qwen.": true,
		"def claude(): pass": false, "I am sure that llamas are animals": false, "import openai": false, "As you see, it works": false, "I'm happy to help": false,
	} {
		if got := names.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
