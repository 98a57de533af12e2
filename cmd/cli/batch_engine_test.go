package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/console"
	runcmd "assay/cmd/cli/run"
	"assay/data/fatal"
	"assay/session"
	"assay/session/generate"
	"assay/store"
)

// engineCLI runs assay with the first model of a real inference engine, under two names: one with long
// answers, and one whose answers are cut after eight tokens. ASSAY_TEST_ENGINE is the engine's address;
// session/llm/testdata/tinyllama has one.
type engineCLI struct {
	t   *testing.T
	dir string
}

func newEngineCLI(t *testing.T) engineCLI {
	base := strings.TrimRight(os.Getenv("ASSAY_TEST_ENGINE"), "/")
	if base == "" {
		t.Skip("ASSAY_TEST_ENGINE names no engine")
	}
	judgeHere(t)
	res, err := http.Get(base + "/models")
	fatal.If(t, err)
	defer res.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil || len(list.Data) == 0 {
		t.Fatalf("%s/models lists no model: %v", base, err)
	}
	c := engineCLI{t, t.TempDir()}
	model := "[[model]]\nname = %q\nprovider = \"openai\"\nbase_url = %q\nmodel = %q\ntemperature = 0.8\nseed = 100\nmax_tokens = %d\n\n"
	c.write("models.toml", fmt.Sprintf(model, "long", base, list.Data[0].ID, 120)+fmt.Sprintf(model, "short", base, list.Data[0].ID, 8))
	c.write("tasks.json", `{"assay_benchmark": 1, "name": "small", "tasks": [
{"id": "double", "title": "D", "language": "python", "entry_point": "f", "description": "Return twice n.", "tests": {"style": "calls", "cases": [{"args": [3], "expected": 6}]}},
{"id": "square", "title": "S", "language": "python", "entry_point": "f", "description": "Return n squared.", "tests": {"style": "calls", "cases": [{"args": [3], "expected": 9}]}}]}`)
	c.write("batch.toml", "tasks = \"./tasks.json\"\nmodels = [\"*\"]\nmodels_file = \"models.toml\"\nprompts = [\"level-1\"]\nsamples = 3\n")
	return c
}

func (c engineCLI) path(name string) string { return filepath.Join(c.dir, name) }

func (c engineCLI) write(name, text string) {
	c.t.Helper()
	fatal.If(c.t, os.WriteFile(c.path(name), []byte(text), 0o600))
}

// assay runs a command that has to succeed, and returns its output.
func (c engineCLI) assay(args ...string) string {
	c.t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"--models", c.path("models.toml"), "--store", c.path("assay.db")}, args...)
	if code := Run(c.t.Context(), args, &console.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: os.Getenv}); code != console.ExitOK {
		c.t.Fatalf("%v: exit code %d\n%s%s", args, code, &out, &errs)
	}
	return out.String()
}

// A batch with a real engine: at most the allowed number of tokens, a different text for each sample, and
// the same texts in a second batch.
func TestABatchOfAnEngine(t *testing.T) {
	c := newEngineCLI(t)
	t.Log(c.assay("models", "check", "long"))
	texts := map[string]string{} // by the key of the cell
	for _, run := range []string{"first", "second"} {
		out := c.assay("run", "batch", c.path("batch.toml"), "--out", c.path(run))
		seen, answers := map[string]bool{}, 0
		for _, model := range []string{"long", "short"} {
			lines(t, filepath.Join(c.path(run), "answers", model, "level-1.jsonl"), func(line []byte) {
				var a generate.Answer
				fatal.If(t, json.Unmarshal(line, &a))
				answers++
				if seen[a.Model+a.TaskID+a.Text] {
					t.Errorf("%s, %s: two seeds bring the same: %q", a.Model, a.TaskID, a.Text)
				}
				seen[a.Model+a.TaskID+a.Text] = true
				if before, ok := texts[a.Key]; ok && before != a.Text {
					t.Errorf("%s, %s, seed %d brings %q and %q", a.Model, a.TaskID, *a.Seed, before, a.Text)
				}
				texts[a.Key] = a.Text
				cut := len(a.Flags) > 0 && a.Flags[len(a.Flags)-1] == generate.Truncated
				if cut != (a.FinishReason == "length") || a.Model == "short" && (!cut || a.OutputTokens != 8) {
					t.Errorf("%s, %s: %s after %d tokens, with the flags %v", a.Model, a.TaskID, a.FinishReason, a.OutputTokens, a.Flags)
				}
				if a.Seed == nil || *a.Seed != int64(100+a.Sample) || a.InputTokens == 0 || a.ServedBy == "" {
					t.Errorf("%s, %s: %+v", a.Model, a.TaskID, a)
				}
			})
		}
		if answers != 12 || len(texts) != 12 {
			t.Errorf("%d answers to %d cells, want 12", answers, len(texts))
		}
		if run == "first" {
			t.Log(out)
		}
	}
}

// A batch has the tokens that the engine itself counts, those from its cache included, and their cost. An engine that tells no
// counts is passed over; that of testdata/tinyllama does.
func TestAnAccountOfAnEngine(t *testing.T) {
	c := newEngineCLI(t)
	type counts struct{ Answers, Read, Cached, Written int64 }
	count := func() (n counts) {
		res, err := http.Get(strings.TrimSuffix(strings.TrimRight(os.Getenv("ASSAY_TEST_ENGINE"), "/"), "/v1") + "/counts")
		fatal.If(t, err)
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Skip("the engine tells no counts")
		}
		fatal.If(t, json.NewDecoder(res.Body).Decode(&n))
		return n
	}
	c.write("models.toml", strings.ReplaceAll(string(fatal.Read(t, c.path("models.toml"))), "seed = 100", "seed = 100\nprice_in = 2.5\nprice_cached = 0.25\nprice_out = 10.0\ncurrency = \"USD\""))
	before := count()
	var printed struct {
		Runs       []struct{ Account session.Account }
		Generation struct{ Models []struct{ Cost float64 } }
	}
	fatal.If(t, json.Unmarshal([]byte(c.assay("run", "batch", c.path("batch.toml"), "--out", c.path("run"), "--json")), &printed))
	after := count()
	var got session.Account
	for _, r := range printed.Runs {
		got.Add(r.Account)
	}
	cost := 0.0
	for _, m := range printed.Generation.Models {
		cost += m.Cost
	}
	want := counts{after.Answers - before.Answers, after.Read - before.Read, after.Cached - before.Cached, after.Written - before.Written}
	bill := (float64(want.Read)*2.5 + float64(want.Cached)*0.25 + float64(want.Written)*10) / 1e6
	if have := (counts{int64(got.Answers), got.Input - got.Cached, got.Cached, got.Output}); have != want || want.Answers == 0 || math.Abs(cost-bill) > 1e-9 {
		t.Errorf("%+v, cost %v; the engine counted %+v, which cost %v", have, cost, want, bill)
	}
	t.Logf("%+v, %v", want, bill)
}

// A session of the automatic tester with a real engine: both attempts at each task, the
// second with the conversation before it.
func TestASessionWithAnEngine(t *testing.T) {
	c := newEngineCLI(t)
	var printed struct{ Sessions []runcmd.TesterResult }
	fatal.If(t, json.Unmarshal([]byte(c.assay("run", "tester", "--tasks", c.path("tasks.json"), "--model", "long", "--k", "2", "--feedback", "first-failing", "--json")), &printed))
	if len(printed.Sessions) != 1 || printed.Sessions[0].Status != "finished" || printed.Sessions[0].Tasks.Analysed != 2 || printed.Sessions[0].Errors != 0 {
		t.Fatalf("got %+v", printed.Sessions)
	}
	s, err := store.Open(c.path("assay.db"), store.Options{})
	fatal.If(t, err)
	defer s.Close()
	events, err := s.Events(printed.Sessions[0].Session, 1)
	fatal.If(t, err)
	before, second := 0, 0 // tokens of the prompt before, and second attempts
	for _, e := range events {
		a, ok := e.Payload.(session.AnswerReceived)
		if !ok {
			continue
		}
		t.Logf("attempt %d: %d and %d tokens, %s", a.Attempt, a.InputTokens, a.OutputTokens, a.FinishReason)
		if a.Attempt == 2 {
			if second++; a.InputTokens <= before {
				t.Errorf("the second prompt has %d tokens, and the first one %d", a.InputTokens, before)
			}
		}
		before = a.InputTokens
	}
	if satisfied := printed.Sessions[0].Satisfied.Count; second+satisfied < 2 {
		t.Errorf("%d tasks were attempted twice, and %d are solved", second, satisfied)
	}
}
