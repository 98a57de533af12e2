package inspectlog

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/benchmark/format"
	"assay/data/fatal"
	"assay/session"
	"assay/session/trajectory"
)

// TestWrite has a log with the tasks that count, whose answers are samples again.
func TestWrite(t *testing.T) {
	text := func(ref session.Ref) ([]byte, error) {
		if ref == "" {
			t.Error("a text without a reference is asked for")
		}
		return []byte(ref), nil
	}
	attempt := func(n int, prompt, answer session.Ref, verdict string) session.Attempt {
		return session.Attempt{N: n, Sent: &session.PromptSent{Prompt: prompt}, Answer: &session.AnswerReceived{Answer: answer},
			Verdict: &session.VerdictRecorded{Verdict: verdict, Passed: 1, Total: 2}}
	}
	plan := func(id string, practice bool) session.PlanTask { return session.PlanTask{ID: id, Practice: practice} }
	s := &session.State{Session: "S1", Plan: session.Plan{Benchmark: "starter", K: 10, Model: session.Model{Name: "fast-horse"}, Study: &session.InStudy{Shown: "Model A"}},
		Tasks: []session.Task{
			{PlanTask: plan("practice", true), Closed: true, Outcome: session.Satisfied, Attempts: []session.Attempt{attempt(1, "p", "a", "accepted")}},
			{PlanTask: plan("two", false), Closed: true, Outcome: session.Satisfied, Ratings: map[string]int{"usefulness": 4},
				Attempts: []session.Attempt{attempt(1, "first", "wrong", "wrong_answer"), attempt(2, "again", "right", "accepted")}},
			{PlanTask: plan("none", false), Closed: true, Outcome: session.GaveUp, Attempts: []session.Attempt{{N: 1}}},
			{PlanTask: plan("unjudged", false), Closed: true, Outcome: session.Exhausted, Attempts: []session.Attempt{attempt(1, "", "", "not_judged")}},
			{PlanTask: plan("skipped", false), Closed: true, Outcome: session.Skipped},
			{PlanTask: plan("open", false), Opened: true},
		}}
	intervals := []session.Interval{{Task: 1, Attempt: 1, Until: 5, MS: 700}, {Task: 1, Attempt: 1, Until: 6, MS: 800, Paused: true}, {Task: 1, Attempt: 2, Until: 9, MS: 1000},
		{Task: 1, Attempt: 2, Until: 11, MS: 90}, {Task: -1, Until: 12, MS: 60}} // the last is after the judgement
	s.Tasks[1].Attempts[1].JudgedSeq = 9
	var out bytes.Buffer
	if err := Write(&out, s, intervals, text); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("fast-horse")) {
		t.Error("a blind study's log names the model")
	}
	var log struct {
		format.InspectLog
		Samples []struct {
			format.InspectSample
			Metadata metadata `json:"metadata"`
		} `json:"samples"`
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if scores := log.Results.Scores; len(scores) != 2 || scores[0].Name != "satisfied" || scores[0].Scored != 3 || scores[1].Name != "tests" || scores[1].Scored != 1 || scores[1].Unscored != 2 || scores[1].Metrics["accuracy"].Value != 1 {
		t.Errorf("%+v", log.Results.Scores)
	}
	if len(log.Samples) != 3 || log.Eval.Model != "Model A" {
		t.Fatalf("%d samples of %s", len(log.Samples), log.Eval.Model)
	}
	two := log.Samples[0]
	if two.ID != "two" || two.Input != "first" || two.Output.Completion != "right" || len(two.Messages) != 4 || two.Messages[2].Content != "again" ||
		two.Scores["satisfied"].Value != format.InspectCorrect || two.Scores["tests"].Value != format.InspectCorrect {
		t.Errorf("%+v", two)
	}
	if about := log.Samples[0].Metadata; about.K != 10 || !slices.Equal(about.Answered, []answered{{0.7, "wrong_answer", 1, 2, nil}, {1, "accepted", 1, 2, nil}}) {
		t.Errorf("%+v", about)
	}
	if none := log.Samples[1]; len(none.Output.Choices) != 0 || none.Scores["satisfied"].Value != format.InspectIncorrect || len(none.Scores) != 1 {
		t.Errorf("%+v", none)
	}
}

// TestAgentSteps: the steps of an agent are messages between the prompt and the answer, and are none of the turns that are
// read back.
func TestAgentSteps(t *testing.T) {
	steps := []trajectory.Step{{Text: "I look.", InputTokens: 100, OutputTokens: 5, CostUSD: 0.5, Calls: []trajectory.Call{{Tool: "bash", Input: "ls \"x\"", Output: "a\n"}, {Tool: "Read", Input: `{"path":"a"}`}}}, {Text: "Done."}}
	stored := map[session.Ref]string{"p": "Correct it.", "a": "the diff", "t": trajectory.Text(steps)}
	text := func(ref session.Ref) ([]byte, error) { return []byte(stored[ref]), nil }
	s := &session.State{Session: "S1", Plan: session.Plan{Benchmark: "starter", K: 1}, Tasks: []session.Task{{PlanTask: session.PlanTask{ID: "one"}, Closed: true, Outcome: session.Satisfied,
		Attempts: []session.Attempt{{N: 1, Sent: &session.PromptSent{Prompt: "p"}, Answer: &session.AnswerReceived{Answer: "a", Trajectory: "t"}}}}}}
	var out bytes.Buffer
	fatal.If(t, Write(&out, s, nil, text))
	var log struct {
		Samples []struct{ Messages, Metadata json.RawMessage }
	}
	fatal.If(t, json.Unmarshal(out.Bytes(), &log))
	var got bytes.Buffer
	fatal.If(t, json.Compact(&got, log.Samples[0].Messages))
	want := `[{"role":"user","content":"Correct it.","source":"input"},` +
		`{"role":"assistant","content":"I look.","source":"generate","tool_calls":[{"id":"call-1-1-1","function":"bash","arguments":{"input":"ls \"x\""},"type":"function"},{"id":"call-1-1-2","function":"Read","arguments":{"path":"a"},"type":"function"}]},` +
		`{"role":"tool","content":"a\n","tool_call_id":"call-1-1-1","function":"bash"},{"role":"tool","content":"","tool_call_id":"call-1-1-2","function":"Read"},` +
		`{"role":"assistant","content":"Done.","source":"generate"},{"role":"assistant","content":"the diff","source":"generate"}]`
	if got.String() != want {
		t.Errorf("%s\nwant %s", got.String(), want)
	}
	var about metadata
	fatal.If(t, json.Unmarshal(log.Samples[0].Metadata, &about))
	if did := about.Answered[0].Did; did == nil || *did != trajectory.Sum(steps) {
		t.Errorf("%+v", did)
	}
	path := t.TempDir() + "/log.json"
	fatal.If(t, os.WriteFile(path, out.Bytes(), 0o600))
	read, err := format.ReadInspect(path)
	fatal.If(t, err)
	if turns := read.Samples[0].Turns; len(turns) != 1 || turns[0] != (format.Turn{Prompt: "Correct it.", Answer: "the diff"}) {
		t.Errorf("%+v", turns)
	}
	stored["t"] = "{"
	if err := Write(&out, s, nil, text); err == nil || !strings.Contains(err.Error(), "task one: the stored steps of an agent cannot be read") {
		t.Errorf("damaged steps: %v", err)
	}
}
