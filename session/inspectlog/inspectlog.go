// Package inspectlog writes a session as a log of Inspect (inspect_ai), for its viewer and its scanners, and reads
// such a log as a session.
package inspectlog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/trajectory"
)

// The scorers of a session's log.
const (
	satisfied = "satisfied" // the tester's judgement of the task
	tests     = "tests"     // all tests passed on the final answer
)

// metadata is what a sample says of its task beside the conversation.
type metadata struct {
	Title      string               `json:"title"`
	Set        string               `json:"test_set"`
	Type       string               `json:"type"`
	Difficulty benchmark.Difficulty `json:"difficulty"`
	K          int                  `json:"attempts_allowed"`
	Outcome    session.Outcome      `json:"outcome"`
	Attempts   int                  `json:"attempts"`
	Answered   []answered           `json:"answered_attempts"`
	Ratings    map[string]int       `json:"ratings"`
}

// answered is an attempt with an answer, of which the conversation has the texts.
type answered struct {
	Seconds float64 `json:"seconds"`           // from the judgement before, or the task's opening, to its own
	Verdict string  `json:"verdict,omitempty"` // of the tests
	Passed  int     `json:"passed_tests,omitempty"`
	Total   int     `json:"total_tests,omitempty"`

	Did *trajectory.Total `json:"agent,omitempty"` // what an agent did and used, as far as it tells
}

// Write writes the tasks that a session has closed, each as one sample: the conversation over all attempts, the final
// answer, whether it satisfied the tester, and whether it passed the tests. Practice is left out, and so are skipped
// tasks. In a blind study the model has its shown name. text returns the stored text of a reference.
func Write(out io.Writer, s *session.State, intervals []session.Interval, text func(session.Ref) ([]byte, error)) error {
	spent := spentOn(s, intervals)
	var samples []format.InspectSample
	var ids []string
	shares := map[string][]float64{}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if !t.Closed || t.Practice || t.Outcome == session.Skipped {
			continue
		}
		sample, err := conversation(s, i, spent, text)
		if err != nil {
			return fmt.Errorf("task %s: %w", t.ID, err)
		}
		for _, scorer := range []string{satisfied, tests} {
			if score, scored := sample.Scores[scorer]; scored {
				share := 0.0
				if score.Value == format.InspectCorrect {
					share = 1
				}
				shares[scorer] = append(shares[scorer], share)
			}
		}
		samples, ids = append(samples, sample), append(ids, t.ID)
	}
	log := format.InspectLog{
		Eval: format.InspectEval{EvalID: s.Session, RunID: s.Session, Task: s.Plan.Benchmark, TaskID: s.Session, Model: s.Plan.ModelShown(),
			Dataset: format.InspectDataset{Name: s.Plan.Benchmark, Samples: len(ids), SampleIDs: ids}, Config: format.InspectConfig{Epochs: 1}},
		Results: format.InspectResults{Total: len(ids), Completed: len(ids), Scores: []format.InspectScore{}}}
	for _, scorer := range []string{satisfied, tests} {
		if n := len(shares[scorer]); n > 0 {
			log.Results.Scores = append(log.Results.Scores, format.NewInspectScore(scorer, n, len(ids)-n, shares[scorer]))
		}
	}
	return format.WriteInspect(out, log, s.First.Time(), func(add func(format.InspectSample) error) error {
		for _, sample := range samples {
			if err := add(sample); err != nil {
				return err
			}
		}
		return nil
	})
}

// attempt names an attempt: the index of its task, and its number.
type attempt struct{ task, n int }

// spentOn returns the milliseconds of each attempt that count.
func spentOn(s *session.State, intervals []session.Interval) map[attempt]int64 {
	inForce := make([]uint64, len(s.Tasks)) // each task's last judgement
	for i := range s.Tasks {
		for _, a := range s.Tasks[i].Attempts {
			inForce[i] = max(inForce[i], a.JudgedSeq)
		}
	}
	spent := map[attempt]int64{}
	for _, iv := range intervals {
		if iv.Task >= 0 && iv.Until <= inForce[iv.Task] && !iv.Paused && !iv.Unobserved {
			spent[attempt{iv.Task, iv.Attempt}] += iv.MS
		}
	}
	return spent
}

// conversation returns task i as a sample.
func conversation(s *session.State, i int, spent map[attempt]int64, text func(session.Ref) ([]byte, error)) (format.InspectSample, error) {
	t := &s.Tasks[i]
	sample := format.InspectSample{ID: t.ID, Epoch: 1, Messages: []format.InspectMessage{}}
	about := metadata{Title: t.Title, Set: t.Set, Type: t.Type, Difficulty: t.Difficulty, K: s.Plan.K, Outcome: t.Outcome,
		Attempts: len(t.Attempts), Answered: []answered{}, Ratings: t.Ratings}
	var final *session.Attempt
	say := func(role, source string, ref session.Ref) (string, error) {
		var content []byte
		var err error
		if ref != "" { // imported sessions have no texts
			content, err = text(ref)
		}
		sample.Messages = append(sample.Messages, format.InspectMessage{Role: role, Content: string(content), Source: source})
		return string(content), err
	}
	for n := range t.Attempts {
		a := &t.Attempts[n]
		if a.Sent == nil || a.Answer == nil {
			continue
		}
		prompt, err := say("user", "input", a.Sent.Asked())
		if err != nil {
			return sample, err
		}
		sample.Input = cmp.Or(sample.Input, prompt)
		steps, err := stepsOf(a.Answer.Trajectory, text)
		if err != nil {
			return sample, err
		}
		sample.Messages = append(sample.Messages, agentMessages(n, steps)...)
		if sample.Output.Completion, err = say("assistant", "generate", a.Answer.Answer); err != nil {
			return sample, err
		}
		final = a
		made := answered{Seconds: float64(spent[attempt{i, a.N}]) / 1000}
		if len(steps) > 0 {
			did := trajectory.Sum(steps)
			made.Did = &did
		}
		if a.Verdict != nil {
			made.Verdict, made.Passed, made.Total = a.Verdict.Verdict, a.Verdict.Passed, a.Verdict.Total
		}
		about.Answered = append(about.Answered, made)
	}
	sample.Metadata = about
	sample.Output.Model, sample.Output.Choices = s.Plan.ModelShown(), []format.InspectChoice{}
	sample.Scores = map[string]format.InspectValue{satisfied: {Value: value(t.Outcome == session.Satisfied), Answer: sample.Output.Completion,
		Explanation: string(t.Outcome)}}
	if final == nil {
		return sample, nil
	}
	sample.Output.Choices = []format.InspectChoice{{Message: sample.Messages[len(sample.Messages)-1], Stop: "stop"}}
	if v := final.Verdict; v != nil && v.Verdict != string(verdicts.NotJudged) && v.Verdict != string(verdicts.SandboxError) {
		sample.Scores[tests] = format.InspectValue{Value: value(v.Verdict == string(verdicts.Accepted)), Answer: sample.Output.Completion, Explanation: v.Message,
			Metadata: map[string]any{"verdict": v.Verdict, "passed_tests": v.Passed, "total_tests": v.Total}}
		sample.TotalTime = float64(v.WallMS) / 1000
	}
	return sample, nil
}

// stepsOf reads an agent's steps; none if nothing is stored.
func stepsOf(ref session.Ref, text func(session.Ref) ([]byte, error)) ([]trajectory.Step, error) {
	if ref == "" {
		return nil, nil
	}
	stored, err := text(ref)
	if err != nil {
		return nil, err
	}
	return trajectory.Parse(string(stored))
}

// agentMessages returns an agent's steps in an attempt as messages of the model and of its tools.
func agentMessages(attempt int, steps []trajectory.Step) (messages []format.InspectMessage) {
	for i, s := range steps {
		said := format.InspectMessage{Role: "assistant", Content: s.Text, Source: "generate"}
		var results []format.InspectMessage
		for j, c := range s.Calls {
			id := fmt.Sprintf("call-%d-%d-%d", attempt+1, i+1, j+1)
			var object map[string]json.RawMessage
			arguments := json.RawMessage(c.Input)
			if json.Unmarshal(arguments, &object) != nil || object == nil {
				arguments, _ = json.Marshal(map[string]string{"input": c.Input}) // texts always have a JSON form
			}
			said.ToolCalls = append(said.ToolCalls, format.InspectToolCall{ID: id, Function: c.Tool, Arguments: arguments, Type: "function"})
			results = append(results, format.InspectMessage{Role: "tool", Content: c.Output, ToolCallID: id, Function: c.Tool})
		}
		messages = append(append(messages, said), results...)
	}
	return messages
}

func value(correct bool) string {
	if correct {
		return format.InspectCorrect
	}
	return format.InspectIncorrect
}
