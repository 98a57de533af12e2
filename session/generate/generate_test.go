package generate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/data/fatal"
	"assay/session/llm"
)

// server is a model's server behind a transport. Its answers depend only on the request, and it counts
// them.
type server struct {
	mu       sync.Mutex
	asked    map[string]int // by prompt and seed
	answered map[string]int // those that got a whole answer
	latency  time.Duration
	fault    func(n int) string // of the n-th request, from 1; "": it is answered
	text     func(what string) string
}

func newServer() *server { return &server{asked: map[string]int{}, answered: map[string]int{}} }

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	var body struct {
		Messages []struct{ Content string }
		Seed     int
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%s#%d", body.Messages[len(body.Messages)-1].Content, body.Seed)
	s.mu.Lock()
	s.asked[what]++
	n := 0
	for _, times := range s.asked {
		n += times
	}
	fault := ""
	if s.fault != nil {
		fault = s.fault(n)
	}
	if fault == "" {
		s.answered[what]++
	}
	s.mu.Unlock()
	select {
	case <-time.After(s.latency):
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	answer := "```python\ndef f():\n    return " + fmt.Sprintf("%q", what) + "\n```\n"
	if s.text != nil {
		answer = s.text(what)
	}
	respond := func(status int, kind, text string, headers ...string) (*http.Response, error) {
		res := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(text)), Request: req}
		for i := 0; i+1 < len(headers); i += 2 {
			res.Header.Set(headers[i], headers[i+1])
		}
		return res, nil
	}
	quoted, _ := json.Marshal(answer)
	half := fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", quoted)
	switch fault {
	case "429":
		return respond(429, "application/json", `{"error":{"message":"slow down"}}`)
	case "429 after":
		return respond(429, "application/json", `{"error":{"message":"slow down"}}`, "Retry-After", "3")
	case "500":
		return respond(500, "application/json", `{"error":{"message":"oops"}}`)
	case "401":
		return respond(401, "application/json", `{"error":{"message":"who are you"}}`)
	case "403":
		return respond(403, "application/json", `{"error":{"message":"not this"}}`)
	case "400":
		return respond(400, "application/json", `{"error":{"message":"no such thing"}}`)
	case "quota":
		return respond(429, "application/json", `{"error":{"message":"pay","code":"insufficient_quota"}}`)
	case "page":
		return respond(200, "text/html", "<title>Sign in</title>")
	case "cut":
		return respond(200, "text/event-stream", half)
	}
	return respond(200, "text/event-stream", half+`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`+"\n\n"+
		`data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":20}}`+"\n\ndata: [DONE]\n\n")
}

// trouble makes a server fail often, in every way, from a fixed seed.
func trouble(seed uint64) func(int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	kinds := []string{"429", "429 after", "500", "page", "cut"}
	return func(int) string {
		if r.Float64() < 0.3 {
			return kinds[r.IntN(len(kinds))]
		}
		return ""
	}
}

func benchmarkOf(n int) *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "some"}
	for i := range n {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("t/%d", i), Title: "a task", Language: "python", Description: fmt.Sprintf("Write f%d.", i)})
	}
	return b
}

func wordings(names ...string) func(*benchmark.Task) []Prompt {
	return func(t *benchmark.Task) []Prompt {
		var all []Prompt
		for _, name := range names {
			all = append(all, Prompt{Name: name, Text: t.Description + " In the way of " + name + "."})
		}
		return all
	}
}

func model(name string) llm.Model {
	seed, in, out := int64(0), 100.0, 200.0
	return llm.Model{Name: name, Provider: llm.ProviderOpenAI, BaseURL: "http://" + name + ".test/v1", Model: name, Seed: &seed,
		PriceIn: &in, PriceOut: &out, Currency: "USD"}
}

func options(t *testing.T, s *server) Options {
	return Options{Plan: Plan{Benchmark: benchmarkOf(4), Models: []llm.Model{model("m")}, Prompts: wordings("level-1", "level-2"), N: 3},
		Dir: filepath.Join(t.TempDir(), "run"), Deps: llm.Deps{Transport: s, Getenv: func(string) string { return "" }}}
}

// run opens, generates and closes.
func run(ctx context.Context, t *testing.T, o Options) (Summary, error) {
	t.Helper()
	r, err := Open(o)
	fatal.If(t, err)
	err = r.Generate(ctx)
	s := r.Summary()
	fatal.If(t, r.Close())
	return s, err
}

// stored reads the answers of a directory as text by cell; it fails if a cell has two.
func stored(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(dir, answersName, "*", "*.jsonl"))
	for _, path := range files {
		j, err := openJournal(path, true, func(_ int, a Answer) error {
			cell := fmt.Sprintf("%s %s %s %d", a.Model, a.TaskID, a.Prompt, a.Sample)
			if _, twice := all[cell]; twice {
				t.Errorf("%s is stored twice", cell)
			}
			all[cell] = a.Text
			return nil
		})
		fatal.If(t, err)
		j.close()
	}
	return all
}

func TestEveryCellIsAnsweredOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quiet := newServer()
		calm := options(t, quiet)
		if s, err := run(t.Context(), t, calm); err != nil || !s.Complete() || s.Cells != 24 || s.Failed != 0 {
			t.Fatalf("got %+v, %v", s, err)
		}
		want := stored(t, calm.Dir)
		if len(want) != 24 {
			t.Fatalf("%d answers are stored, want 24", len(want))
		}
		troubled := newServer()
		troubled.fault = trouble(3)
		o := options(t, troubled)
		s, err := run(t.Context(), t, o)
		if err != nil || !s.Complete() || s.Models[0].Retries == 0 {
			t.Fatalf("got %+v, %v", s, err)
		}
		if got := stored(t, o.Dir); !maps.Equal(got, want) {
			t.Errorf("a server in trouble gives other answers:\n%v\n%v", got, want)
		}
		for what, times := range troubled.answered {
			if times != 1 {
				t.Errorf("%s was answered %d times", what, times)
			}
		}
		if s.Spent < 24*(10*100+20*200)/1e6 {
			t.Errorf("24 answers are said to cost %v", s.Spent)
		}
		// Nothing is missing, and nothing is requested again.
		troubled.fault = func(int) string { t.Error("asked again"); return "" }
		if again, err := run(t.Context(), t, o); err != nil || again.Before != 24 {
			t.Errorf("the second time: %+v, %v", again, err)
		}
	})
}

// A request that waits for its turn is not in flight, and its time has not begun.
func TestWaitingForATurnIsNoRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.latency = 9 * time.Second // less than a connection may take
		o := options(t, s)
		first, second := model("m"), model("other")
		second.BaseURL = first.BaseURL // two models of one server
		atOnce := 2
		first.MaxConcurrent = &atOnce
		o.Plan.Models = []llm.Model{first, second}
		most := 0
		o.Progress = func(p Progress) { most = max(most, p.InFlight) }
		if got, err := run(t.Context(), t, o); err != nil || got.Stored != 48 {
			t.Fatalf("got %+v, %v", got, err)
		}
		if most != 2 {
			t.Errorf("%d requests are said to be in flight, and 2 are allowed", most)
		}
		files, _ := filepath.Glob(filepath.Join(o.Dir, answersName, "*", "*.jsonl"))
		for _, path := range files {
			j, err := openJournal(path, true, func(_ int, a Answer) error {
				if a.MS != s.latency.Milliseconds() {
					t.Errorf("the server took %v for an answer, and %d ms are noted (%d tries, from %v)", s.latency, a.MS, a.Tries, a.Started)
				}
				return nil
			})
			fatal.If(t, err)
			j.close()
		}
	})
}

// A run stopped at any moment continues where it was: answers in progress are kept.
func TestStoppedAndGoneOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.latency = time.Second
		s.fault = trouble(5)
		o := options(t, s)
		var before int
		for stops := 0; ; stops++ {
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			got, err := run(ctx, t, o)
			cancel()
			if got.Before < before {
				t.Fatalf("%d were stored, and now %d", before, got.Before)
			}
			before = got.Stored
			if err == nil && got.Complete() {
				if stops < 2 {
					t.Errorf("it was stopped only %d times", stops)
				}
				break
			}
			if err == nil || stops > 100 {
				t.Fatalf("after %d stops: %+v, %v", stops, got, err)
			}
		}
		for what, times := range s.answered {
			if times != 1 {
				t.Errorf("%s was answered %d times", what, times)
			}
		}
	})
}

// Whatever a killed program leaves of its last line, only that cell is requested again.
func TestATornLine(t *testing.T) {
	s := newServer()
	o := options(t, s)
	if _, err := run(t.Context(), t, o); err != nil {
		t.Fatal(err)
	}
	want := stored(t, o.Dir)
	path := filepath.Join(o.Dir, answersName, "m", "level-1.jsonl")
	whole := fatal.Read(t, path)
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for _, cut := range []int{last, last + 1, last + 50, len(whole) - 2, len(whole) - 1} {
		fatal.If(t, os.WriteFile(path, whole[:cut], 0o644))
		s.asked = map[string]int{}
		if _, err := run(t.Context(), t, o); err != nil {
			t.Fatal(err)
		}
		if got := stored(t, o.Dir); !maps.Equal(got, want) || len(s.asked) != 1 {
			t.Errorf("cut after %d bytes: %d cells asked, %v", cut, len(s.asked), got)
		}
	}
	for _, bad := range []string{"{}\n", "no line\n", strings.Replace(string(whole[:last]), `"sample":`, `"sample":9`, 1)} {
		fatal.If(t, os.WriteFile(path, []byte(bad), 0o644))
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "level-1.jsonl:1") {
			t.Errorf("%.40q: got %v", bad, err)
		}
	}
	twice := append(slices.Clone(whole), whole[last:]...)
	fatal.If(t, os.WriteFile(path, twice, 0o644))
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "second one for its cell") {
		t.Errorf("two answers to a cell: %v", err)
	}
}

func TestAnotherPlanIsRefusedUnlessItExtends(t *testing.T) {
	s := newServer()
	o := options(t, s)
	if _, err := run(t.Context(), t, o); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"fewer samples":       func(o *Options) { o.Plan.N = 2 },
		"a task left out":     func(o *Options) { o.Plan.Benchmark = benchmarkOf(3) },
		"a prompt left out":   func(o *Options) { o.Plan.Prompts = wordings("level-1") },
		"another temperature": func(o *Options) { half := 0.5; o.Plan.Models[0].Temperature = &half },
		"another model":       func(o *Options) { o.Plan.Models = []llm.Model{model("other")} },
		"another prompt": func(o *Options) {
			o.Plan.Prompts = func(t *benchmark.Task) []Prompt {
				return []Prompt{{Name: "level-1", Text: "x"}, {Name: "level-2", Text: "y"}}
			}
		},
		"another task": func(o *Options) { o.Plan.Benchmark.Tasks[0].Title = "changed" },
	} {
		other := options(t, s)
		other.Dir = o.Dir
		change(&other)
		for _, other.Extend = range []bool{false, true} {
			if _, err := Open(other); err == nil || !strings.Contains(err.Error(), "a different request") {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	for _, step := range []struct {
		name   string
		change func(*Options)
		cells  int
	}{
		{"more samples", func(o *Options) { o.Plan.N = 4 }, 4 * 2 * 4},
		{"more tasks", func(o *Options) { o.Plan.Benchmark = benchmarkOf(5) }, 5 * 2 * 4},
		{"a prompt more", func(o *Options) { o.Plan.Prompts = wordings("level-1", "level-2", "level-3") }, 5 * 3 * 4},
		{"a model more", func(o *Options) { o.Plan.Models = append(o.Plan.Models, model("second")) }, 2 * 5 * 3 * 4},
	} {
		step.change(&o)
		o.Extend = false
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "--extend") {
			t.Errorf("%s: got %v", step.name, err)
		}
		o.Extend = true
		if got, err := run(t.Context(), t, o); err != nil || got.Cells != step.cells || !got.Complete() {
			t.Errorf("%s: %+v, %v", step.name, got, err)
		}
	}
	for what, times := range s.answered {
		if times != 1 && !strings.Contains(what, "second") && times != 2 { // two models ask the same
			t.Errorf("%s was answered %d times", what, times)
		}
	}
}

func TestOneProcessAtATime(t *testing.T) {
	o := options(t, newServer())
	r, err := Open(o)
	fatal.If(t, err)
	if _, err := Open(o); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	r.Close()
	if r, err = Open(o); err != nil {
		t.Fatal(err)
	}
	r.Close()
	dir := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(dir, "thesis.txt"), nil, 0o644))
	o.Dir = dir
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "other files") {
		t.Errorf("a directory of something else: %v", err)
	}
}

func TestTheBudgetIsNotPassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.latency = time.Second
		o := options(t, s)
		most := 20
		o.Plan.Models[0].MaxTokens = &most
		o.Plan.N = 50
		// Prompts are some 10 tokens; each answer costs 0.005.
		o.Budget = 0.5
		got, err := run(t.Context(), t, o)
		if !errors.Is(err, ErrBudget) || got.Spent > o.Budget || got.Spent < 0.9*o.Budget {
			t.Errorf("spent %v of %v: %v", got.Spent, o.Budget, err)
		}
		if again, err := run(t.Context(), t, o); !errors.Is(err, ErrBudget) || again.Spent != got.Spent {
			t.Errorf("again: spent %v, %v", again.Spent, err)
		}
		o.Budget = 5
		if all, err := run(t.Context(), t, o); err != nil || !all.Complete() {
			t.Errorf("with enough: %+v, %v", all, err)
		}
		o.Plan.Models[0].PriceIn = nil
		o.Plan.Models[0].PriceOut = nil
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "price_in") {
			t.Errorf("without prices: %v", err)
		}
	})
}

func TestWhatStopsAModel(t *testing.T) {
	for fault, class := range map[string]llm.Class{"401": llm.Auth, "quota": llm.Quota, "500": llm.Server, "page": llm.NotAModel} {
		synctest.Test(t, func(t *testing.T) {
			broken, well := newServer(), newServer()
			broken.fault = func(int) string { return fault }
			o := options(t, nil)
			o.Plan.N = 30
			o.Plan.Models = []llm.Model{model("broken"), model("well")}
			o.Deps.Transport = byHost{"broken.test": broken, "well.test": well}
			s, err := run(t.Context(), t, o)
			fatal.If(t, err)
			var failed *llm.Error
			if s.Models[0].Stored != 0 || s.Models[1].Stored != 240 || !errors.As(s.Models[0].Err, &failed) || failed.Class != class {
				t.Errorf("%s: %+v", fault, s)
			}
			if n := s.Models[0].Requests; n > 200 {
				t.Errorf("%s: a broken server was asked %d times", fault, n)
			}
		})
	}
}

type byHost map[string]http.RoundTripper

func (b byHost) RoundTrip(r *http.Request) (*http.Response, error) {
	return b[r.URL.Host].RoundTrip(r)
}

// A rejected request that concerns only its cell is recorded, and the others continue.
func TestOneRefusedRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.fault = func(n int) string {
			if n == 5 {
				return "400"
			}
			return ""
		}
		o := options(t, s)
		got, err := run(t.Context(), t, o)
		if err != nil || got.Failed != 1 || got.Stored != 23 {
			t.Fatalf("got %+v, %v", got, err)
		}
		text, err := os.ReadFile(filepath.Join(o.Dir, failuresName))
		if err != nil || bytes.Count(text, []byte("\n")) != 2 || !bytes.Contains(text, []byte(`"last":true`)) {
			t.Errorf("failures: %s %v", text, err)
		}
		s.fault = nil
		if got, err := run(t.Context(), t, o); err != nil || !got.Complete() {
			t.Errorf("the next run: %+v, %v", got, err)
		}
	})
}

func TestFlags(t *testing.T) {
	s := newServer()
	s.text = func(what string) string {
		switch {
		case strings.HasPrefix(what, "Write f0.") && strings.HasSuffix(what, "#0"):
			return "  \n"
		case strings.HasPrefix(what, "Write f1.") && strings.HasSuffix(what, "#0"):
			return "I'm sorry, but I can't help with that."
		case strings.HasPrefix(what, "Write f2.") && strings.HasSuffix(what, "#0"):
			return "You could use a loop for that, and then sort what you have found in it."
		case strings.HasPrefix(what, "Write f3.") && strings.HasSuffix(what, "#0"):
			return "```python\ndef f():\n" + strings.Repeat("    x = 1\n", 5000) + "```\n"
		}
		return "```python\ndef f():\n    return " + strings.Repeat("1 + ", len(what)%5) + "1\n```\n"
	}
	o := options(t, s)
	o.Plan.Prompts = wordings("level-1")
	o.Plan.N = 10
	r, err := Open(o)
	fatal.If(t, err)
	defer r.Close()
	fatal.If(t, r.Generate(t.Context()))
	want := map[string]map[int][]Flag{"t/0": {0: {Empty}}, "t/1": {0: {NoCode, Refusal}}, "t/2": {0: {NoCode}}, "t/3": {0: {Runaway}}}
	if got := r.Flagged("m", "level-1"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := r.Summary().Models[0].Flags; got[NoCode] != 2 || got[Runaway] != 1 {
		t.Errorf("the summary has %v", got)
	}
}

func TestAnswersOfAnotherRun(t *testing.T) {
	s := newServer()
	first := options(t, s)
	if _, err := run(t.Context(), t, first); err != nil {
		t.Fatal(err)
	}
	o := options(t, s)
	o.Plan.N = 5
	o.Plan.Models[0].Name = "the same under another name"
	o.Reuse = []string{first.Dir}
	got, err := run(t.Context(), t, o)
	if err != nil || got.Before != 24 || !got.Complete() || got.Cells != 40 {
		t.Errorf("got %+v, %v", got, err)
	}
	for what, times := range s.answered {
		if times != 1 {
			t.Errorf("%s was answered %d times", what, times)
		}
	}
	o.Reuse = []string{t.TempDir()}
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("no run: %v", err)
	}
}

// The files of answers are ordinary sample files; a reader sees the answers while they are generated.
func TestAnswersAreSamples(t *testing.T) {
	o := options(t, newServer())
	r, err := Open(o)
	fatal.If(t, err)
	defer r.Close()
	var read []Answer
	var reader sync.WaitGroup
	reader.Go(func() {
		in := r.Read("m", "level-2")
		defer in.Close()
		for {
			a, err := in.Next(t.Context())
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			read = append(read, a)
		}
	})
	fatal.If(t, r.Generate(t.Context()))
	reader.Wait()
	samples, err := format.OpenSamples(answersPath(o.Dir, "m", "level-2"))
	fatal.If(t, err)
	defer samples.Close()
	for i := range read {
		sample, err := samples.Next()
		if err != nil || sample.TaskID != read[i].TaskID || sample.Text != read[i].Text || sample.Kind != format.Answer {
			t.Errorf("sample %d: %+v, %v", i, sample, err)
		}
	}
	if len(read) != 12 {
		t.Errorf("%d answers were read, want 12", len(read))
	}
}

func TestDry(t *testing.T) {
	o := options(t, newServer())
	dir := o.Dir
	o.Dry, o.Dir = true, ""
	r, err := Open(o)
	fatal.If(t, err)
	if e := r.Estimates()[0]; e.Cells != 24 || e.Stored != 0 || e.OutputTokens != 24*guessedAnswer || e.InputTokens == 0 || e.Cost == 0 || e.Measured {
		t.Errorf("the estimate is %+v", e)
	}
	r.Close()
	o.Dir = dir
	if r, err = Open(o); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dry run leaves a directory: %v", err)
	}
	o.Dry = false
	if _, err := run(t.Context(), t, o); err != nil {
		t.Fatal(err)
	}
	o.Dry, o.Extend, o.Plan.N = true, true, 6
	if r, err = Open(o); err != nil {
		t.Fatal(err)
	}
	if e := r.Estimates()[0]; e.Cells != 48 || e.Stored != 24 || !e.Measured || e.OutputTokens != 24*20 {
		t.Errorf("the estimate of the second half is %+v", e)
	}
	r.Close()
}

func TestBadPlans(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"at least 1":      func(o *Options) { o.Plan.N = 0 },
		"no model":        func(o *Options) { o.Plan.Models = nil },
		"no task":         func(o *Options) { o.Plan.Benchmark = benchmarkOf(0) },
		"named twice":     func(o *Options) { o.Plan.Models = append(o.Plan.Models, model("m")) },
		"pastes":          func(o *Options) { o.Plan.Models[0].Provider = llm.ProviderPaste },
		"has no prompt":   func(o *Options) { o.Plan.Prompts = wordings() },
		"two prompts":     func(o *Options) { o.Plan.Prompts = wordings("a", "a") },
		`"b" of the task`: func(o *Options) { o.Plan.Prompts = func(*benchmark.Task) []Prompt { return []Prompt{{Name: "b"}} } },
	} {
		o := options(t, newServer())
		change(&o)
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

func TestWarnings(t *testing.T) {
	hot, cold, low := 0.8, 0.0, 0.2
	with := func(temperature *float64) llm.Model { m := model("m"); m.Temperature = temperature; return m }
	for _, row := range []struct {
		temperature *float64
		n           int
		ks          []int
		want        string // "": nothing
	}{
		{&cold, 1, []int{1}, ""}, {&low, 5, []int{1}, ""}, {&hot, 20, []int{1, 10}, ""}, {&hot, 200, []int{100}, ""},
		{&hot, 19, []int{10}, "19 samples are few"}, {&hot, 5, []int{10}, "needs at least 10"}, {&cold, 20, []int{10}, "temperature 0 for pass@10"},
		{&cold, 5, []int{1}, "several samples"}, {&low, 20, []int{10}, "a low temperature"}, {&hot, 1, []int{1}, "a high temperature"},
		{nil, 1, []int{1}, "no temperature is sent"},
	} {
		got := strings.Join(Warnings(Plan{Models: []llm.Model{with(row.temperature)}, N: row.n}, row.ks), "\n")
		if (row.want == "") != (got == "") || !strings.Contains(got, row.want) {
			t.Errorf("n = %d, k = %v: got %q, want %q", row.n, row.ks, got, row.want)
		}
	}
	for _, row := range []struct{ holds, asked, limit, told int }{{0, 0, 0, 0}, {99, 0, 0, 99}, {101, 0, 0, 0}, {4096, 99, 0, 99}, {50, 99, 0, 50}, {4096, 0, 60, 60}} {
		m := with(&cold)
		if row.asked > 0 {
			m.NumCtx = &row.asked
		}
		if row.limit > 0 {
			m.MaxContext = &row.limit
		}
		p := Plan{Benchmark: &benchmark.Benchmark{Tasks: []benchmark.Task{{ID: "t"}}}, Models: []llm.Model{m}, N: 1, Holds: map[string]int{"m": row.holds},
			Prompts: func(*benchmark.Task) []Prompt { return []Prompt{{Name: "level-1", Text: strings.Repeat("word", 100)}} }}
		got, want := strings.Join(Warnings(p, []int{1}), "\n"), ""
		if row.told > 0 {
			want = fmt.Sprintf("m: the prompts of 1 of 1 tasks exceed its context of %d tokens", row.told)
		}
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%+v: %q, want %q", row, got, want)
		}
	}
	if got := Warnings(Plan{Models: []llm.Model{{Name: "r", Provider: llm.ProviderReplay}}, N: 5}, []int{1}); len(got) != 0 {
		t.Errorf("a replay: %q", got)
	}
}
