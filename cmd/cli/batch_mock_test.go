package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/session/generate"
	"assay/session/llm"
)

// mockBatch is a batch with three models of an independent server, one for each protocol.
type mockBatch struct {
	base    string // of the server
	run     string // what tells this run of the test from others at the server
	dir     string
	tasks   []string
	samples int
}

// TestABatchAgainstAMockServer runs a batch with a server that speaks the three protocols, such as
// @copilotkit/aimock, rejects requests, cuts streams and connections, and sends invalid answers; the batch
// is interrupted and continued. By the server's count each cell is answered once. ASSAY_TEST_MOCK is the
// server's address; CONTRIBUTING.md describes how to start one.
func TestABatchAgainstAMockServer(t *testing.T) {
	base := strings.TrimRight(os.Getenv("ASSAY_TEST_MOCK"), "/")
	if base == "" {
		t.Skip("ASSAY_TEST_MOCK names no server")
	}
	b := mockBatch{base: base, run: fmt.Sprint(time.Now().UnixNano()), dir: t.TempDir(),
		tasks: []string{"right", "wrong", "short", "sorry", "busy", "cut"}, samples: 3}
	target, err := url.Parse(base)
	if err != nil || target.Host == "" {
		t.Fatalf("ASSAY_TEST_MOCK is %q: it must be an address such as http://127.0.0.1:4010", base)
	}
	cells := len(mockProviders()) * len(b.tasks) * b.samples

	// A proxy between the two counts responses, for interrupting in the middle.
	var responses atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1
	proxy.ModifyResponse = func(*http.Response) error {
		if responses.Add(1) == int64(cells/3) {
			cancel()
		}
		return nil
	}
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) } // no connection for no connection
	between := httptest.NewServer(proxy)
	defer between.Close()
	b.write(t, between.URL)
	for _, provider := range mockProviders() {
		b.post(t, provider, "/__aimock/chaos", `{"rateLimitRate": 0.05, "dropRate": 0.1, "disconnectRate": 0.1, "malformedRate": 0.05}`)
	}

	code, _, errs := b.assay(ctx)
	first := len(b.answers(t))
	if code != console.ExitPartial || first == 0 || first >= cells {
		t.Fatalf("interrupted: exit code %d with %d of %d cells\n%s", code, first, cells, errs)
	}
	var out string
	for range 4 { // a server that fails so often may fail one cell for good
		if code, out, errs = b.assay(t.Context()); code == console.ExitOK {
			break
		}
	}
	if code != console.ExitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	t.Logf("%d cells, %d of them before the interruption\n%s", cells, first, out)
	b.checkAnswers(t, cells)
	b.checkServer(t)
	b.checkReport(t)
}

func mockProviders() []string {
	return []string{llm.ProviderOpenAI, llm.ProviderAnthropic, llm.ProviderOllama}
}

// id identifies the requests of a provider for the server.
func (b mockBatch) id(provider string) string { return "batch-" + b.run + "-" + provider }

// write writes models, tasks and the batch file.
func (b mockBatch) write(t *testing.T, server string) {
	t.Helper()
	write := func(name, text string) {
		fatal.If(t, os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600))
	}
	var models strings.Builder
	for _, provider := range mockProviders() {
		base, seed := server, "seed = 40\n"
		switch provider {
		case llm.ProviderOpenAI:
			base += "/v1"
		case llm.ProviderAnthropic:
			seed = "" // the protocol has none
		}
		fmt.Fprintf(&models, "[[model]]\nname = %q\nprovider = %q\nbase_url = %q\nmodel = \"batch-model\"\ntemperature = 0.8\napi_key_env = \"BATCH_KEY\"\nheaders = { \"X-Test-Id\" = %q }\n%s\n",
			provider, provider, base, b.id(provider), seed)
	}
	write("models.toml", models.String())
	tasks := &benchmark.Benchmark{Name: "made"}
	for _, name := range b.tasks {
		tasks.Tasks = append(tasks.Tasks, benchmark.Task{ID: name, Title: name, Language: "python", EntryPoint: "f",
			Description: "Task " + name + ": write f, which returns the next number.",
			Tests:       benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{"assert f(1) == 2", "assert f(-1) == 0"}}})
	}
	var text bytes.Buffer
	fatal.If(t, format.WriteTasks(&text, tasks, format.Assay, false))
	write("tasks.json", text.String())
	write("batch.toml", fmt.Sprintf("name = \"made\"\ntasks = \"./tasks.json\"\nmodels = [\"*\"]\nmodels_file = \"models.toml\"\nprompts = [\"level-1\"]\nsamples = %d\n", b.samples))
}

// post configures the server for the requests of a provider.
func (b mockBatch) post(t *testing.T, provider, path, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.base+path, strings.NewReader(body))
	fatal.If(t, err)
	req.Header.Set("X-Test-Id", b.id(provider))
	res, err := http.DefaultClient.Do(req)
	fatal.If(t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, res.Status)
	}
}

// assay runs the batch.
func (b mockBatch) assay(ctx context.Context) (code int, out, errs string) {
	var o, e bytes.Buffer
	getenv := func(name string) string {
		if name == "BATCH_KEY" {
			return batchKey
		}
		return os.Getenv(name)
	}
	code = Run(ctx, []string{"--models", filepath.Join(b.dir, "models.toml"), "run", "batch", filepath.Join(b.dir, "batch.toml"), "--out", filepath.Join(b.dir, "run")}, &console.IO{Out: &o, Err: &e, Getenv: getenv})
	return code, o.String(), e.String()
}

// answers reads all stored answers; a duplicate cell is an error.
func (b mockBatch) answers(t *testing.T) []generate.Answer {
	t.Helper()
	var all []generate.Answer
	keys := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(b.dir, "run", "answers", "*", "*.jsonl"))
	for _, path := range files {
		lines(t, path, func(line []byte) {
			var a generate.Answer
			if err := json.Unmarshal(line, &a); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if keys[a.Key] {
				t.Errorf("%s, %s, sample %d is stored twice", a.Model, a.TaskID, a.Sample)
			}
			keys[a.Key] = true
			all = append(all, a)
		})
	}
	return all
}

// checkAnswers checks the stored fields of each answer.
func (b mockBatch) checkAnswers(t *testing.T, cells int) {
	t.Helper()
	all := b.answers(t)
	if len(all) != cells {
		t.Errorf("%d cells are stored, want %d", len(all), cells)
	}
	for _, a := range all {
		finish, flags := "stop", []generate.Flag(nil)
		switch {
		case a.TaskID == "short" && a.Model != llm.ProviderOllama: // whose server always says stop
			finish, flags = "length", []generate.Flag{generate.Truncated}
		case a.TaskID == "sorry":
			flags = []generate.Flag{generate.NoCode, generate.Refusal}
		}
		if a.FinishReason != finish || !slices.Equal(a.Flags, flags) {
			t.Errorf("%s, %s: %q, %v, want %q, %v", a.Model, a.TaskID, a.FinishReason, a.Flags, finish, flags)
		}
		if whole := strings.HasSuffix(strings.TrimSpace(a.Text), "```"); whole == (a.TaskID == "short" || a.TaskID == "sorry") {
			t.Errorf("%s, %s: the answer is %q", a.Model, a.TaskID, a.Text)
		}
		in, out := 31, 17
		if a.Model == llm.ProviderOllama { // whose server counts none
			in, out = 0, 0
		}
		if a.InputTokens != in || a.OutputTokens != out {
			t.Errorf("%s, %s: %d and %d tokens, want %d and %d", a.Model, a.TaskID, a.InputTokens, a.OutputTokens, in, out)
		}
		if seeded := a.Model != llm.ProviderAnthropic; seeded != (a.Seed != nil) || seeded && *a.Seed != int64(40+a.Sample) {
			t.Errorf("%s, %s, sample %d has the seed %v", a.Model, a.TaskID, a.Sample, a.Seed)
		}
	}
}

// checkServer compares with the server's journal: it misbehaved in every way, and answered each cell once.
func (b mockBatch) checkServer(t *testing.T) {
	t.Helper()
	for _, provider := range mockProviders() {
		res, err := http.Get(b.base + "/__aimock/journal?testId=" + b.id(provider))
		fatal.If(t, err)
		defer res.Body.Close()
		var entries []struct {
			Body struct {
				Messages []struct{ Content string }
			}
			Response struct {
				Status      int
				Interrupted bool
				ChaosAction string
			}
		}
		fatal.If(t, json.NewDecoder(res.Body).Decode(&entries))
		answered, had := map[string]int{}, map[string]int{}
		for _, e := range entries {
			switch r := e.Response; {
			case r.ChaosAction != "":
				had["chaos: "+r.ChaosAction]++
			case r.Interrupted:
				had["cut"]++
			case r.Status != http.StatusOK:
				had[fmt.Sprint(r.Status)]++
			case len(e.Body.Messages) > 0:
				words := strings.Fields(e.Body.Messages[len(e.Body.Messages)-1].Content)
				if at := slices.Index(words, "Task"); at >= 0 {
					answered[strings.TrimSuffix(words[at+1], ":")]++
				}
			}
		}
		for _, task := range b.tasks {
			if answered[task] != b.samples {
				t.Errorf("%s: the server answered %q %d times, want %d", provider, task, answered[task], b.samples)
			}
		}
		if had["429"] == 0 || had["cut"] == 0 {
			t.Errorf("%s: the server refused %d requests and cut %d streams", provider, had["429"], had["cut"])
		}
		t.Logf("%s: %d requests, %v", provider, len(entries), had)
	}
}

// checkReport checks the verdicts of the sandbox.
func (b mockBatch) checkReport(t *testing.T) {
	t.Helper()
	accepted := acceptedByModel(t, filepath.Join(b.dir, "run"))
	if len(accepted) != len(mockProviders()) {
		t.Errorf("%d models are reported", len(accepted))
	}
	for model, n := range accepted {
		if want := 3 * b.samples; n != want { // right, busy and cut
			t.Errorf("%s: %d are accepted, want %d", model, n, want)
		}
	}
	noKey(t, b.dir)
}
