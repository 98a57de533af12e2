package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/clitest"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/session/difficulty"
)

// The models of a blind study are not named before unblinding.
func TestDifficultyOfBlindTesters(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 4, `model = "paste"`, `model = "rehearsal"`)
	file := filepath.Join(dir, "all.db")
	for tester := 1; tester <= 4; tester++ {
		mustKept(t, file, "study", "collect", "--study", path, clitest.Worked(t, dir, path, tester, "01J"))
	}
	blind, _ := mustKept(t, file, "difficulty", "--testers", "--json")
	if strings.Contains(blind, "rehearsal") || !strings.Contains(blind, "tester T01, Model A") {
		t.Errorf("the analysis is not blind:\n%.2000s", blind)
	}
	mustKept(t, file, "study", "unblind", path, "--reason", "all are finished")
	if open, _ := mustKept(t, file, "difficulty", "--testers", "--json"); strings.Contains(open, "Model A") || !strings.Contains(open, `"tester T01"`) {
		t.Errorf("the analysis is blind still:\n%.2000s", open)
	}
}

// Topics by an embedding model: each text is sent once, over all analyses, and the key is in no output.
func TestTopicsByEmbeddings(t *testing.T) {
	const key = "embeddings-key-4711"
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer "+key {
			http.Error(w, "no: "+r.Header.Get("Authorization"), http.StatusForbidden)
			return
		}
		var wanted struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
			t.Error(err)
		}
		var data []map[string]any
		for i, text := range wanted.Input {
			asked++
			v := []float64{1, 1, 1, 0.01 * float64(asked%5), 0.01 * float64(asked%7)}
			v[int(text[len("Task ")]-'0')%3] += 3
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	defer s.Close()
	modelsFile(t, fmt.Sprintf("[[model]]\nname = \"meaning\"\nprovider = \"openai\"\nbase_url = \"%s/v1\"\nmodel = \"embed-1\"\nembeddings = true\napi_key_env = \"EMBEDDINGS_KEY\"\n", s.URL))
	t.Setenv("EMBEDDINGS_KEY", key)
	dir := t.TempDir()
	var tasks, table strings.Builder
	table.WriteString("task,m,n,o\n")
	for i := range 18 {
		fmt.Fprintf(&tasks, `{"task_id": "x/%d", "prompt": "Task %d of many", "entry_point": "f", "canonical_solution": "", "test": "def check(f):\n    pass\n"}`+"\n", i, i%9)
		fmt.Fprintf(&table, "x/%d,%.2f,%.2f,%.2f\n", i, 1-float64(i)/20, 0.8-float64(i)/30, 0.5-float64(i)/40)
	}
	for name, text := range map[string]string{"tasks.jsonl": tasks.String(), "r.csv": table.String()} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	args := []string{"difficulty", filepath.Join(dir, "r.csv"), "--tasks", filepath.Join(dir, "tasks.jsonl"), "--topics", "--embeddings", "meaning", "--embeddings-file", filepath.Join(dir, "e.jsonl"), "--json"}
	run := func(args []string) (out, errs string, code int) {
		var o, e bytes.Buffer
		code = Run(t.Context(), args, &console.IO{In: strings.NewReader(""), Out: &o, Err: &e, Getenv: os.Getenv})
		return o.String(), e.String(), code
	}
	var a difficulty.Analysis
	for _, step := range []struct{ asked, said int }{{9, 1}, {9, 0}} {
		out, errs, _ := run(args)
		if err := json.Unmarshal([]byte(out), &a); err != nil {
			t.Fatal(err, errs)
		}
		if asked != step.asked || strings.Count(errs, "asking meaning") != step.said || strings.Contains(out+errs, key) {
			t.Errorf("asked for %d texts, said %s", asked, errs)
		}
		if len(a.Topics) < 2 || !strings.HasPrefix(a.TopicsBy, "semantic: ") || !strings.Contains(a.TopicsBy, "embed-1") {
			t.Errorf("%s: %+v", a.TopicsBy, a.Topics)
		}
	}
	if out, _, code := runModels(t, "check", "meaning"); code != 0 || !strings.Contains(out, "meaning: ok, after") || !strings.Contains(out, "embeddings of 5 numbers") {
		t.Errorf("check says %d\n%s", code, out)
	}
	t.Setenv("EMBEDDINGS_KEY", "another-key-0815")
	if out, errs, code := run(append(args, "--embeddings-file", filepath.Join(dir, "other.jsonl"))); code == 0 || strings.Contains(out+errs, "0815") || !strings.Contains(errs, "EMBEDDINGS_KEY") {
		t.Errorf("a refused key: %d, %s%s", code, out, errs)
	}
}
