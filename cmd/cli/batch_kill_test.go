package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/prompts"
)

// batchChild holds the command line of a child, one argument a line: the test binary runs
// itself as assay, so that it can be killed.
const batchChild = "ASSAY_BATCH_TEST_ARGS"

// batchKey is the key of the child's models; no text may show it.
const batchKey = "canary-5f0e71b9-key"

func TestBatchChild(t *testing.T) {
	args := os.Getenv(batchChild)
	if args == "" {
		t.Skip("run by TestAKilledBatch")
	}
	os.Exit(Run(context.Background(), strings.Split(args, "\n"), console.System()))
}

// badServer speaks OpenAI's protocol and misbehaves at random from a seed. Its answers depend only on the
// request.
type badServer struct {
	trouble float64 // share of requests that it does not answer well

	mu       sync.Mutex
	random   *rand.Rand
	requests []time.Time
	answered map[string]int
	stored   map[string]bool // cells that nobody may ask for again
	again    []string        // that were asked for again
	killAt   int             // number of requests at which kill is called
	kill     func()
}

// cellOf identifies the cell of a request: the prompt and the seed.
type cellRequest struct {
	Messages []struct{ Content string }
	Seed     int
}

func (r cellRequest) cell() string {
	return fmt.Sprintf("%s#%d", r.Messages[len(r.Messages)-1].Content, r.Seed)
}

// store sets the cells that nobody may ask for again.
func (s *badServer) store(cells map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored = cells
}

func (s *badServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req cellRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	cell := req.cell()
	s.mu.Lock()
	s.requests = append(s.requests, time.Now())
	if s.stored[cell] {
		s.again = append(s.again, cell)
	}
	if s.kill != nil && len(s.requests) >= s.killAt {
		s.kill()
		s.kill = nil
	}
	fault, draw := s.random.Float64() < s.trouble, s.random.Float64()
	s.mu.Unlock()
	if fault && s.fail(w, r, cell, draw) {
		return
	}
	s.answer(w, cell, false)
	s.mu.Lock()
	s.answered[cell]++
	s.mu.Unlock()
}

// fail misbehaves in one of many ways; false: it only delays.
func (s *badServer) fail(w http.ResponseWriter, r *http.Request, cell string, draw float64) bool {
	echo := r.Header.Get("Authorization") // as servers that are too helpful repeat it
	refuse := func(status int) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":"no: %s"}}`, echo)
		return true
	}
	switch {
	case draw < 0.15:
		return refuse(429)
	case draw < 0.16:
		w.Header().Set("Retry-After", "1")
		return refuse(429)
	case draw < 0.40:
		return refuse(500)
	case draw < 0.45:
		return refuse(503)
	case draw < 0.65:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><title>Sign in, %s</title></html>", echo)
		return true
	case draw < 0.90:
		s.answer(w, cell, true)
		panic(http.ErrAbortHandler)
	case draw < 0.98:
		panic(http.ErrAbortHandler)
	case draw < 0.985: // hangs
		<-r.Context().Done()
		return true
	}
	time.Sleep(50 * time.Millisecond) // a slow first byte
	return false
}

func (s *badServer) answer(w http.ResponseWriter, cell string, half bool) {
	h := fnv.New64a()
	h.Write([]byte(cell))
	sum := h.Sum64()
	code := "def f(x):\n    return x + 1\n"
	if sum%3 == 0 {
		code = "def f(x):\n    return x - 1\n"
	}
	text := "Here it is:\n\n```python\n" + code + "```\n"
	if sum%17 == 0 {
		text = "I'm sorry, but I can't."
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for i := 0; i < len(text); i += 20 {
		if half && i > 20 {
			return
		}
		piece, _ := json.Marshal(text[i:min(i+20, len(text))])
		fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", piece)
	}
	fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":30,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", len(text)/4)
}

// busiest is the largest number of requests within a second.
func (s *badServer) busiest() int {
	most := 0
	for i, first := 0, 0; i < len(s.requests); i++ {
		for s.requests[i].Sub(s.requests[first]) > time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// batchSize is the size of the test's batch.
type batchSize struct{ tasks, samples, kills int }

// A batch with a failing server, killed with -9 at random, has the results of an undisturbed one: every
// cell answered once, none requested again after it was stored, no bursts of requests, the same report, and
// no key anywhere.
func TestAKilledBatch(t *testing.T) {
	t.Parallel()
	size := batchSize{sampled.Of(2, 6), 2, 3}
	if os.Getenv("ASSAY_LARGE_BATCH") != "" {
		size = batchSize{200, 5, 20}
	}
	dir := t.TempDir()
	cells := size.tasks * 18 * size.samples
	var current atomic.Pointer[badServer] // requests of a killed process may still be under way when it changes
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { current.Load().ServeHTTP(w, r) }))
	defer server.Close()
	writeBatch(t, dir, server.URL, size)
	well := &badServer{random: rand.New(rand.NewPCG(1, 1)), answered: map[string]int{}}
	current.Store(well)
	calm := filepath.Join(dir, "calm")
	began := time.Now()
	if out, err := runBatchChild(t, dir, calm, well, -1); err != nil {
		t.Fatalf("undisturbed: %v\n%s", err, out)
	}
	t.Logf("undisturbed: %d cells in %.1f s", cells, time.Since(began).Seconds())

	bad := &badServer{trouble: 0.3, random: rand.New(rand.NewPCG(2, 1)), answered: map[string]int{}}
	current.Store(bad)
	killed := filepath.Join(dir, "killed")
	random := rand.New(rand.NewPCG(3, 1))
	began = time.Now()
	var output strings.Builder
	for range size.kills {
		out, err := runBatchChild(t, dir, killed, bad, 1+random.IntN(3*cells/2/size.kills))
		output.WriteString(out)
		if err == nil {
			break // it was done before
		}
		bad.store(readCells(t, killed))
	}
	for {
		out, err := runBatchChild(t, dir, killed, bad, -1)
		output.WriteString(out)
		if err == nil {
			break
		}
		if before := len(bad.stored); len(readCells(t, killed)) <= before {
			t.Fatalf("it does not go on: %v\n%s", err, out)
		}
		bad.store(readCells(t, killed))
	}
	server.Close() // awaits the last requests
	t.Logf("in trouble, killed up to %d times: %.1f s, %d requests, at most %d within a second", size.kills, time.Since(began).Seconds(), len(bad.requests), bad.busiest())

	if got := readCells(t, killed); len(got) != cells {
		t.Errorf("%d cells are stored, want %d", len(got), cells)
	}
	if len(bad.again) > 0 {
		t.Errorf("%d cells were asked for again after they were stored, such as %s", len(bad.again), bad.again[0])
	}
	// Requests in progress when the process was killed may be answered twice, but not more often.
	twice := 0
	for _, n := range bad.answered {
		twice += n - 1
	}
	if most := (size.kills + 1) * 64; twice > most {
		t.Errorf("%d answers were lost by %d kills", twice, size.kills)
	}
	sameReports(t, calm, killed)
	if strings.Contains(output.String(), batchKey) {
		t.Errorf("the output shows the key")
	}
	noKey(t, dir)
}

// runBatchChild runs the batch in a child process, and kills it after a number of further requests; never
// if the number is negative.
func runBatchChild(t *testing.T, dir, out string, s *badServer, after int) (string, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestBatchChild$")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), batchChild+"="+strings.Join([]string{"--models", "models.toml", "run", "batch", "batch.toml", "--out", out}, "\n"), "BATCH_KEY="+batchKey)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	fatal.If(t, cmd.Start())
	if after >= 0 {
		s.mu.Lock()
		s.killAt, s.kill = len(s.requests)+after, func() { cmd.Process.Kill() }
		s.mu.Unlock()
	}
	err := cmd.Wait()
	s.mu.Lock()
	s.kill = nil
	s.mu.Unlock()
	return output.String(), err
}

// writeBatch writes tasks, reviewed prompts and a batch file.
func writeBatch(t *testing.T, dir, url string, size batchSize) {
	t.Helper()
	models := fmt.Sprintf("[[model]]\nname = \"served\"\nprovider = \"openai\"\nbase_url = \"%s/v1\"\nmodel = \"m\"\ntemperature = 0.8\nseed = 0\napi_key_env = \"BATCH_KEY\"\nidle_timeout = \"2s\"\n", url)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "models.toml"), []byte(models), 0o600))
	b := &benchmark.Benchmark{Name: "made"}
	for i := range size.tasks {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("made/%d", i), Title: fmt.Sprintf("Task %d", i), Language: "python",
			Description: fmt.Sprintf("Write f number %d.", i), EntryPoint: "f",
			Tests: benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{"assert f(1) == 2", fmt.Sprintf("assert f(%d) == %d", i, i+1)}}})
	}
	var text bytes.Buffer
	fatal.If(t, format.WriteTasks(&text, b, format.Assay, false))
	fatal.If(t, os.WriteFile(filepath.Join(dir, "tasks.json"), text.Bytes(), 0o600))
	loaded, _, err := format.LoadAs(filepath.Join(dir, "tasks.json"), "")
	fatal.If(t, err)
	set, err := prompts.Create(filepath.Join(dir, "prompts.jsonl"), prompts.Header{Version: prompts.Version, Benchmark: "made",
		Author: prompts.AuthorOf(llm.Model{Name: "writer", Provider: llm.ProviderOpenAI, Model: "w"}), Templates: "t", Reviewers: 1})
	fatal.If(t, err)
	for i := range loaded.Tasks {
		task := &loaded.Tasks[i]
		for level := 1; level <= 3; level++ {
			for wording := 1; wording <= prompts.MaxWordings; wording++ {
				fatal.If(t, set.Propose(prompts.Candidate{Task: task.ID, Basis: prompts.Basis(task), Level: level, Wording: wording,
					Text: fmt.Sprintf("Write f number %s in the way %d of level %d.", task.ID, wording, level)}))
			}
		}
	}
	fatal.If(t, set.Close())
	file := fmt.Sprintf("tasks = \"./tasks.json\"\nmodels = [\"served\"]\nmodels_file = \"models.toml\"\nwritten_prompts = \"prompts.jsonl\"\nunreviewed = true\nsamples = %d\nname = \"made\"\n", size.samples)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "batch.toml"), []byte(file), 0o600))
}

// readCells reads which cells are stored; a cell that is stored twice is an error.
func readCells(t *testing.T, dir string) map[string]bool {
	t.Helper()
	texts := map[string]string{}
	lines(t, filepath.Join(dir, "prompts.jsonl"), func(line []byte) {
		var p struct {
			TaskID string `json:"task_id"`
			Prompt string
			Text   string
		}
		fatal.If(t, json.Unmarshal(line, &p))
		texts[p.TaskID+" "+p.Prompt] = p.Text
	})
	cells := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(dir, "answers", "*", "*.jsonl"))
	for _, path := range files {
		lines(t, path, func(line []byte) {
			var a generate.Answer
			if json.Unmarshal(line, &a) != nil {
				return // torn by a kill
			}
			cell := fmt.Sprintf("%s#%d", texts[a.TaskID+" "+a.Prompt], a.Sample)
			if cells[cell] {
				t.Errorf("%s is stored twice", cell)
			}
			cells[cell] = true
		})
	}
	return cells
}

func lines(t *testing.T, path string, each func([]byte)) {
	t.Helper()
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return
	}
	fatal.If(t, err)
	for line := range bytes.Lines(text) {
		each(line)
	}
}

// measured is what answers used, in each form of a report: no two runs use the same.
var measured = regexp.MustCompile(`(?s)"usage": \[.*?\n  \]|Run time and memory of accepted samples.*?Medians over tasks`)

// sameReports compares the output of two batches. The dataset, too, has measured times.
func sameReports(t *testing.T, first, second string) {
	t.Helper()
	for _, name := range []string{"report.json", "report.md", "report.html"} {
		a, errA := os.ReadFile(filepath.Join(first, "report", name))
		b, errB := os.ReadFile(filepath.Join(second, "report", name))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		a, b = measured.ReplaceAll(a, nil), measured.ReplaceAll(b, nil)
		if !bytes.Equal(a, b) {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			t.Errorf("%s differs at byte %d: %.200q and %.200q", name, at, a[max(at-80, 0):], b[max(at-80, 0):])
		}
	}
}

// noKey checks that no file contains the key.
func noKey(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		text, err := io.ReadAll(f)
		if bytes.Contains(text, []byte(batchKey)) {
			t.Errorf("%s holds the key", path)
		}
		files++
		return err
	})
	if err != nil || files < 20 {
		t.Errorf("looked at %d files: %v", files, err)
	}
}
