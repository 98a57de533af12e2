package inspectlog

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/importer"
)

// A session that is written and read again is the same, texts and times too.
func TestRoundTrip(t *testing.T) {
	miahZhu := session.MiahZhuAttributes()
	want := importer.Study{K: 2, Began: 1_700_000_000_000, Attributes: []session.Attribute{miahZhu[0], {ID: "elegance", Name: "elegance"}}, Tasks: []importer.Task{
		{ID: "a", Title: "A", Set: "T0", Type: "numerical", Difficulty: "hard", Satisfied: true, Ratings: map[string]int{"elegance": 2, miahZhu[0].ID: 5},
			Attempts: []importer.Attempt{{MS: 1500, Prompt: "p", Answer: "wrong", Verdict: "wrong_answer", Passed: 1, Total: 2}, {MS: 2501, Prompt: "q", Answer: "right", Verdict: "accepted", Passed: 2, Total: 2}}},
		{ID: "b", Ratings: map[string]int{"elegance": 1, miahZhu[0].ID: 1}, Attempts: []importer.Attempt{{MS: 7, Prompt: "p", Answer: "no"}}},
	}}
	events, texts := want.Events(importer.As{Session: "S", Benchmark: "bench", Model: "m"})
	s, intervals, err := session.Fold(events)
	fatal.If(t, err)
	var out bytes.Buffer
	fatal.If(t, Write(&out, s, intervals, func(ref session.Ref) ([]byte, error) { return texts[ref], nil }))
	log, err := Read(file(t, out.String()), How{Epoch: 1})
	fatal.If(t, err)
	if log.Task != "bench" || log.Model != "m" || !reflect.DeepEqual(log.Study, want) {
		t.Errorf("%s %s\n%+v\nwant\n%+v", log.Task, log.Model, log.Study, want)
	}
}

func file(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "log.json")
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// foreign is a log as an agent of Inspect leaves it, with two epochs.
const foreign = `{"version": 2, "status": "success", "eval": {"task": "bugs", "model": "openai/gpt-4o", "created": "2025-05-12T20:28:13-04:00"}, "samples": [
{"id": 7, "epoch": 1, "total_time": 6, "messages": [{"role": "system", "content": "You are."}, {"role": "user", "content": [{"type": "text", "text": "Fix "}, {"type": "image", "image": "x"}, {"type": "text", "text": "it"}]},
 {"role": "assistant", "content": "", "tool_calls": []}, {"role": "tool", "content": "ran"}, {"role": "assistant", "content": "first"},
 {"role": "user", "content": "Incorrect."}, {"role": "user", "content": "attachment://1f"}, {"role": "assistant", "content": "second"}],
 "output": {"completion": "second", "choices": []}, "attachments": {"1f": "Again."}, "scores": {"includes": {"value": "C"}, "cost": {"value": 0.25}}, "metadata": {"title": 3}},
{"id": "late", "epoch": 1, "messages": [{"role": "user", "content": "Do"}], "output": {"choices": []}, "error": {"message": "no quota"}},
{"id": "old", "epoch": 1, "messages": [], "output": {"completion": "x"}, "scores": {"includes": {"value": "I"}, "cost": {"value": 1}},
 "events": [{"timestamp": "2025-05-12T20:28:13.5-04:00"}, {"timestamp": "2025-05-12T20:28:15-04:00"}]},
{"id": "old", "epoch": 2, "messages": [], "output": {"completion": "y"}, "scores": {"includes": {"value": true}}}]}`

// A log of another program has the prompts of its user, one time for a sample, and several scorers.
func TestReadForeign(t *testing.T) {
	path := file(t, foreign)
	log, err := Read(path, How{Epoch: 1, Scorer: "includes"})
	fatal.If(t, err)
	want := []importer.Task{
		{ID: "7", Satisfied: true, Attempts: []importer.Attempt{{MS: 3000, Prompt: "Fix it", Answer: "first"}, {MS: 3000, Prompt: "Incorrect.\n\nAgain.", Answer: "second"}}},
		{ID: "late"},
		{ID: "old", Attempts: []importer.Attempt{{MS: 1500, Answer: "x"}}},
	}
	if log.Task != "bugs" || log.Model != "openai/gpt-4o" || log.K != session.DefaultK || log.Began != 1747096093000 || !reflect.DeepEqual(log.Tasks, want) {
		t.Errorf("%+v", log)
	}
	if got := strings.Join(log.Warnings, "\n"); got != "sample 7 has one time, which its 2 attempts share equally\nsample late ended with an error and counts as skipped: no quota" {
		t.Error(got)
	}
	if log, err = Read(path, How{Epoch: 2}); err != nil || len(log.Tasks) != 1 || !log.Tasks[0].Satisfied || len(log.Warnings) != 1 || !strings.Contains(log.Warnings[0], "count as 0 s") {
		t.Errorf("%+v %v", log, err)
	}
	if log, err = Read(path, How{Epoch: 1, Scorer: "cost"}); err != nil || log.Tasks[0].Satisfied || !log.Tasks[2].Satisfied {
		t.Errorf("%+v %v", log, err)
	}
}

// An error names the sample and what to do.
func TestReadErrors(t *testing.T) {
	for _, tt := range []struct {
		old, new string // in the log
		how      How
		want     string
	}{
		{"", "", How{Epoch: 3}, "has no epoch 3: its last is 2"},
		{"", "", How{Epoch: 1}, `sample 7, epoch 1: it has no score "satisfied"; --scorer chooses one of cost, includes`},
		{"", "", How{Epoch: 1, Scorer: "includes", K: 1}, "sample 7 has 2 answers, more than the attempts allowed (1); --k"},
		{`"value": "C"`, `"value": {"a": 1}`, How{Epoch: 1, Scorer: "includes"}, `the value of its score "includes" is not`},
		{`"late", "epoch": 1`, `"old", "epoch": 1`, How{Epoch: 1, Scorer: "includes"}, "sample old, epoch 1: the log has the sample twice"},
		{`"scores": {"includes": {"value": true}}`, `"scores": {}`, How{Epoch: 2}, "it has no score, so that it is not known"},
		{`"total_time": 6`, `"total_time": -6`, How{Epoch: 1, Scorer: "includes"}, `sample 7, epoch 1: field "total_time": -6 s is no time`},
		{`"metadata": {"title": 3}`, `"metadata": {"answered_attempts": [{"seconds": 1}, {"seconds": 1e300}]}`, How{Epoch: 1, Scorer: "includes"}, `"metadata.answered_attempts.seconds": 1e+300 s is no time`},
		{"attachment://1f", "attachment://2f", How{Epoch: 1}, "lacks the attachment 2f"},
	} {
		if _, err := Read(file(t, strings.Replace(foreign, tt.old, tt.new, 1)), tt.how); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(foreign)
	f.Fuzz(func(t *testing.T, text string) {
		log, err := Read(file(t, text), How{Epoch: 1, Scorer: "includes"})
		if err != nil {
			return
		}
		events, _ := log.Events(importer.As{Session: "S"})
		if _, err := session.Replay(events); err != nil && !strings.Contains(err.Error(), "score") {
			t.Errorf("the log is accepted but does not fold: %v", err)
		}
	})
}
