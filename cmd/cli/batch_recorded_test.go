package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session/pipeline"
)

// Published answers of models, replayed in one batch over HumanEval: the number of accepted answers of each
// model equals that of openai/human-eval's own execution (samples/EXPECTED.tsv). ASSAY_TESTS=all takes
// all models, else two.
func TestRecordedModelsInOneBatch(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	shared, err := filepath.Abs(shared)
	fatal.If(t, err)
	table, err := os.ReadFile(filepath.Join(shared, "samples", "EXPECTED.tsv"))
	if err != nil {
		t.Skipf("the recorded samples are not here (%v): set ASSAY_SHARED to their folder", err)
	}
	few := map[string]bool{"Bard_custom": true}
	want := map[string]int{}
	var models strings.Builder
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		file := filepath.Join(shared, "samples", "models", filepath.Base(row[0]))
		name := strings.TrimSuffix(filepath.Base(row[0]), ".jsonl")
		if _, err := os.Stat(file); err != nil || !few[name] && !sampled.All {
			continue
		}
		if want[name], err = strconv.Atoi(row[2]); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&models, "[[model]]\nname = %q\nprovider = \"replay\"\nanswers = %q\n\n", name, file)
	}
	if len(want) < len(few) {
		t.Fatalf("only %d models are found", len(want))
	}
	// The tests of HumanEval/38 call the prompt's own helper, which one of its samples
	// replaces; the checker's is the prompt's.
	if name := "Aeala_VicUnlocked-alpaca-65b-4bit_ALPACA_MD_RECALC"; want[name] > 0 {
		want[name]--
	}
	dir := t.TempDir()
	write := func(name, text string) {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("models.toml", models.String())
	write("batch.toml", fmt.Sprintf("tasks = %q\nmodels = [\"*\"]\nmodels_file = \"models.toml\"\nprompts = [\"statement\"]\nmeasure = false\n", filepath.Join(shared, "datasets", "HumanEval.jsonl.gz")))
	judged := func(name string) (run string) {
		var out, errs bytes.Buffer
		run = filepath.Join(dir, name)
		if code := Run(context.Background(), []string{"run", "batch", filepath.Join(dir, "batch.toml"), "--out", run}, &console.IO{Out: &out, Err: &errs, Getenv: os.Getenv}); code != console.ExitOK {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		return run
	}
	run := judged("run")
	if got := acceptedByModel(t, run); !maps.Equal(got, want) {
		t.Errorf("accepted: %v, want %v", got, want)
		first, second := resultsByAnswer(t, run), resultsByAnswer(t, judged("again"))
		for answer, row := range first {
			if row.Verdict != second[answer].Verdict || row.Allowed != nil && row.Allowed.Near {
				t.Logf("%s was judged\n%s\nand again\n%s", answer, row.line, second[answer].line)
			}
		}
	}
}

// resultRow is a line of results.jsonl.
type resultRow struct {
	batch.Row
	line string
}

// resultsByAnswer reads all results of a run, by model, prompt, task and sample.
func resultsByAnswer(t *testing.T, run string) map[string]resultRow {
	t.Helper()
	runs, err := pipeline.Results(run)
	fatal.If(t, err)
	all := map[string]resultRow{}
	for _, r := range runs {
		lines(t, filepath.Join(r.Dir, "results.jsonl"), func(line []byte) {
			row := resultRow{line: string(line)}
			fatal.If(t, json.Unmarshal(line, &row.Row))
			all[fmt.Sprintf("%s %s %s #%d", r.Model, r.Prompt, row.TaskID, row.Sample)] = row
		})
	}
	return all
}

// acceptedByModel reads the number of accepted answers of each model from a run's report.
func acceptedByModel(t *testing.T, run string) map[string]int {
	t.Helper()
	text := fatal.Read(t, filepath.Join(run, "report", "report.json"))
	var report struct {
		Runs []struct {
			Model    string
			Accepted int
		}
	}
	fatal.If(t, json.Unmarshal(text, &report))
	accepted := map[string]int{}
	for _, r := range report.Runs {
		accepted[r.Model] += r.Accepted
	}
	return accepted
}
