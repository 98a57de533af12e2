package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/live"
	"assay/cmd/cli/run"
	"assay/data/fatal"
)

// testerCLI runs `assay run tester` over two small tasks, with models of a configurable server.
type testerCLI struct {
	t     *testing.T
	dir   string
	asked atomic.Int64
	says  func(w http.ResponseWriter, prompt string) string // "" where it wrote the response itself
}

func newTesterCLI(t *testing.T) *testerCLI {
	judgeHere(t)
	c := &testerCLI{t: t, dir: t.TempDir()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer wrong-key" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(401)
			fmt.Fprint(w, `{"error":{"message":"wrong-key is no key"}}`)
			return
		}
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"data":[{"id":"m","max_model_len":5}]}`)
			return
		}
		c.asked.Add(1)
		var body struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
			return
		}
		answer := c.says(w, body.Messages[len(body.Messages)-1].Content)
		if answer == "" {
			return
		}
		piece, _ := json.Marshal(answer)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", piece)
	}))
	t.Cleanup(server.Close)
	model := "[[model]]\nname = %q\nprovider = \"openai\"\nbase_url = %q\nmodel = \"m\"\napi_key_env = %q\n"
	t.Setenv("ASSAY_TEST_RIGHT_KEY", "right-key")
	t.Setenv("ASSAY_TEST_WRONG_KEY", "wrong-key")
	modelsFile(t, fmt.Sprintf(model, "one", server.URL+"/v1", "ASSAY_TEST_RIGHT_KEY")+fmt.Sprintf(model, "two", server.URL+"/v1", "ASSAY_TEST_RIGHT_KEY")+
		fmt.Sprintf(model, "locked", server.URL+"/v1", "ASSAY_TEST_WRONG_KEY"))
	const tasks = `{"assay_benchmark": 1, "name": "small", "tasks": [
{"id": "double", "title": "D", "language": "python", "entry_point": "f", "description": "Return twice n.", "tests": {"style": "calls", "cases": [{"args": [3], "expected": 6}]}},
{"id": "square", "title": "S", "language": "python", "entry_point": "f", "description": "Return n squared.", "tests": {"style": "calls", "cases": [{"args": [3], "expected": 9}]}}]}`
	fatal.If(t, os.WriteFile(filepath.Join(c.dir, "tasks.json"), []byte(tasks), 0o600))
	return c
}

// run runs a command; its results are nil if it printed none.
func (c *testerCLI) run(ctx context.Context, args ...string) (sessions []run.TesterResult, errs string, code int) {
	c.t.Helper()
	var out, err bytes.Buffer
	args = append([]string{"run", "tester", "--store", filepath.Join(c.dir, "assay.db"), "--tasks", filepath.Join(c.dir, "tasks.json"), "--k", "3", "--json"}, args...)
	code = Run(ctx, args, &console.IO{In: strings.NewReader(""), Out: &out, Err: &err, Getenv: os.Getenv})
	var printed struct{ Sessions []run.TesterResult }
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
			c.t.Fatalf("%v in %s", err, out.String())
		}
	}
	return printed.Sessions, err.String(), code
}

const double, square = "```python\ndef f(n):\n    return 2 * n\n```", "```python\ndef f(n):\n    return n * n\n```"

// mends answers doubles correctly, and squares from the second attempt on.
func mends(_ http.ResponseWriter, prompt string) string {
	if strings.Contains(prompt, "corrected code") {
		return square
	}
	return double
}

// Two models in parallel, and a third whose key is rejected: each has a session, and the rejection
// determines the exit code.
func TestBatchTesterModels(t *testing.T) {
	c := newTesterCLI(t)
	c.says = mends
	got, errs, code := c.run(t.Context(), "--model", "one,two,locked", "--feedback", "first-failing")
	if code != console.ExitAuth || len(got) != 3 || !strings.Contains(errs, "locked: ") || strings.Contains(errs, "wrong-key") {
		t.Fatalf("exit code %d, %d sessions\n%s", code, len(got), errs)
	}
	for _, r := range got[:2] {
		if r.Status != "finished" || r.Satisfied.Count != 2 || r.AttemptK.Value != 1.5 || !r.Reveals || r.Within[0] != 0.5 || r.Within[1] != 1 {
			t.Errorf("%+v", r)
		}
	}
	if r := got[2]; r.Status != "open" || r.Stopped == "" || r.Tasks.Unfinished != 1 || r.Errors != 1 {
		t.Errorf("%+v", r)
	}
	if n := strings.Count(errs, "exceeds the model's context of 5 tokens"); n != 2 {
		t.Errorf("%d of two models are said to have a context that is exceeded\n%s", n, errs)
	}
	if n := c.asked.Load(); n != 6 {
		t.Errorf("%d requests, want 3 for each model", n)
	}
}

// Interrupted while the model answers, the command ends with the exit code for calling it again; then it
// continues, and requests no stored answer again.
func TestBatchTesterInterrupted(t *testing.T) {
	c := newTesterCLI(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.says = func(w http.ResponseWriter, prompt string) string {
		if c.asked.Load() == 2 {
			cancel()
			return ""
		}
		return mends(w, prompt)
	}
	got, errs, code := c.run(ctx, "--model", "one")
	if code != console.ExitPartial || len(got) != 1 || got[0].Status != "open" || !strings.Contains(errs, "interrupted: run the same command again") {
		t.Fatalf("exit code %d, %+v\n%s", code, got, errs)
	}
	id := got[0].Session
	c.says = mends
	got, errs, code = c.run(t.Context(), "--model", "one")
	if code != console.ExitOK || len(got) != 1 || got[0].Session != id || got[0].How != "continued" || got[0].Satisfied.Count != 2 || got[0].AttemptK.Value != 1.5 {
		t.Errorf("exit code %d, %+v\n%s", code, got, errs)
	}
	if n := c.asked.Load(); n != 4 {
		t.Errorf("%d requests, want 3 and the one that was interrupted", n)
	}
	if _, errs, code := c.run(t.Context(), "--model", "one"); code != console.ExitOK || c.asked.Load() != 4 || !strings.Contains(errs, "is finished") {
		t.Errorf("exit code %d, %d requests\n%s", code, c.asked.Load(), errs)
	}
}

// Without a sandbox nothing is requested, and no session starts.
func TestBatchTesterNeedsSandbox(t *testing.T) {
	c := newTesterCLI(t)
	t.Setenv("PATH", c.dir)
	got, errs, code := c.run(t.Context(), "--model", "one")
	if code != console.ExitError || len(got) > 0 || c.asked.Load() > 0 || !strings.Contains(errs, "judges by tests") {
		t.Errorf("exit code %d, %+v\n%s", code, got, errs)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "assay.db")); err == nil {
		t.Error("there is a store")
	}
}

// The screens do not continue a session of the automatic tester, and name the command that does.
func TestAutomaticIsNotContinued(t *testing.T) {
	c := newTesterCLI(t)
	got, _, _ := c.run(t.Context(), "--model", "locked")
	l, err := live.Start(&console.IO{Getenv: os.Getenv, Err: io.Discard}, &console.Globals{Store: filepath.Join(c.dir, "assay.db")}, "", judges.Isolation{})
	fatal.If(t, err)
	defer l.Close()
	if _, err := l.Continue(t.Context(), got[0].Session); err == nil || !strings.Contains(err.Error(), "assay run tester") {
		t.Errorf("got %v", err)
	}
	list, err := l.Sessions(t.Context())
	if err != nil || len(list) != 1 || list[0].Automatic == "" {
		t.Errorf("%+v, %v", list, err)
	}
}
